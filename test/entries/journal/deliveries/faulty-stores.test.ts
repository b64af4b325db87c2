import { deliveriesContract } from 'email-platform/testing';
import type {
  DeliveryRecord,
  DeliveryStore,
  ForgottenRecipient,
  StoredDelivery,
  StoredFilters,
} from 'email-platform/journal';
import { expect, test } from 'vitest';
import { MemoryDeliveryStore } from './memory-store.ts';

/** A store with other methods. */
const withMethods =
  (methods: (right: MemoryDeliveryStore) => Partial<DeliveryStore>) => (): DeliveryStore => {
    const right = new MemoryDeliveryStore();
    const bound: DeliveryStore = {
      record: right.record.bind(right),
      get: right.get.bind(right),
      withKey: right.withKey.bind(right),
      list: right.list.bind(right),
      forget: right.forget.bind(right),
      prune: right.prune.bind(right),
      noted: right.noted.bind(right),
      note: right.note.bind(right),
    };
    return { ...bound, ...methods(right) };
  };

/** A store that records something else. */
const recording = (changed: (record: DeliveryRecord) => DeliveryRecord) =>
  withMethods((right) => ({ record: (namespace, records) => right.record(namespace, records.map(changed)) }));

/** A store that forgets something else. */
const forgetting = (changed: (forgotten: ForgottenRecipient) => ForgottenRecipient) =>
  withMethods((right) => ({ forget: (namespace, forgotten) => right.forget(namespace, changed(forgotten)) }));

/** A store that lists something else. */
const listing = (changed: (filters: StoredFilters) => StoredFilters) =>
  withMethods((right) => ({ list: (namespace, filters) => right.list(namespace, changed(filters)) }));

/** A store that shows something else. */
const showing = (changed: (stored: StoredDelivery) => StoredDelivery) =>
  withMethods((right) => ({ get: async (namespace, ids) => (await right.get(namespace, ids)).map(changed) }));

/** Changes what a store keeps, before a record. */
const before = (change: (right: MemoryDeliveryStore, record: DeliveryRecord) => void) =>
  withMethods((right) => ({
    record(namespace, records) {
      for (const record of records) change(right, record);
      return right.record(namespace, records);
    },
  }));

type Change = 'record' | 'forget' | 'prune' | 'note';

/** A store that responds to a change at once, and makes it afterwards. */
const late = (method: Change, isLate: (...args: readonly unknown[]) => boolean = () => true) =>
  withMethods((right) => ({
    [method](...args: unknown[]): unknown {
      const run = (store: MemoryDeliveryStore) => Reflect.apply(store[method], store, args) as unknown;
      if (!isLate(...args)) return run(right);
      const copy = new MemoryDeliveryStore();
      for (const part of ['messages', 'events', 'notes'] as const)
        Object.assign(copy, { [part]: structuredClone(right[part]) });
      const result = run(copy);
      setImmediate(() => void run(right));
      return result;
    },
  }));

/** A store that remembers a change for later records only after its method has resolved. */
const remembersLate = (method: 'forget' | 'prune', note: string) =>
  withMethods((right) => ({
    async [method](...args: unknown[]): Promise<unknown> {
      const result: unknown = await Reflect.apply(right[method], right, args);
      for (const [name, text] of right.notes)
        if (name.includes(note)) {
          right.notes.delete(name);
          setImmediate(() => right.notes.set(name, text));
        }
      return result;
    },
  }));

const withEvents = (change: Partial<DeliveryRecord['events'][number]>) => (record: DeliveryRecord) => ({
  ...record,
  events: record.events.map((event) => ({ ...event, ...change })),
});

test.each<[string, () => DeliveryStore, string]>([
  ['links are lost', recording(withEvents({ url: null })), 'the event: expected'],
  ['variables are lost', recording((one) => ({ ...one, variables: null })), 'its values: expected'],
  ['a time is lost', recording((one) => ({ ...one, lastAt: 0 })), 'the message: expected'],
  [
    'events without a time count as timed',
    recording(withEvents({ isUntimed: false })),
    'the traces: expected',
  ],
  [
    'messages are recorded each by itself',
    withMethods((right) => ({
      async record(namespace, records) {
        const traces = [];
        for (const one of records) traces.push(...(await right.record(namespace, [one])));
        return traces;
      },
    })),
    'the messages of a record that failed: expected',
  ],
  [
    'a record resolves before it is stored',
    late('record'),
    'a change is committed once its method resolves: Error: the messages after `record`: expected',
  ],
  [
    'a recipient is forgotten after the promise resolves',
    late('forget'),
    'a change is committed once its method resolves: Error: the message after `forget`: expected',
  ],
  [
    'a forgotten recipient is remembered after the promise resolves',
    remembersLate('forget', 'forgotten'),
    'a change is committed once its method resolves: Error: a message recorded after `forget`: expected',
  ],
  [
    'a note is stored after the promise resolves',
    late('note', (...args) => args[2] !== undefined),
    'a change is committed once its method resolves: Error: the text after `note`: expected',
  ],
  [
    'a note is deleted after the promise resolves',
    late('note', (...args) => args[2] === undefined),
    'a change is committed once its method resolves: Error: the text after `note` deleted it: expected',
  ],
  [
    'messages are pruned after the promise resolves',
    late('prune'),
    'a change is committed once its method resolves: Error: the messages after `prune`: expected',
  ],
  [
    'the moment of prune is remembered after the promise resolves',
    remembersLate('prune', 'pruned'),
    'a change is committed once its method resolves: Error: an old message recorded after `prune`: expected',
  ],
  [
    'traces leave out the other events of a moment',
    withMethods((right) => ({
      record: async (namespace, records) =>
        (await right.record(namespace, records)).filter(({ identity }) =>
          records.some(({ events }) => events.some((event) => event.identity === identity)),
        ),
    })),
    'the traces: expected ["m at true","m id 1 false"]',
  ],
  [
    'every trace is new',
    withMethods((right) => ({
      record: async (namespace, records) =>
        (await right.record(namespace, records)).map((trace) => ({ ...trace, isNew: true })),
    })),
    'the traces: expected ["m id 2 false","m id 3 true"]',
  ],
  [
    'the last value counts',
    before((right, { messageId, key, recipient }) => {
      for (const [id, message] of right.messages)
        if (message.messageId === messageId)
          right.messages.set(id, {
            ...message,
            key: key ?? message.key,
            recipient: recipient ?? message.recipient,
          });
    }),
    'the message: expected ["k"',
  ],
  [
    'the last status counts',
    before((right, { messageId, status, statusAt }) => {
      for (const [id, message] of right.messages)
        if (message.messageId === messageId) right.messages.set(id, { ...message, status, statusAt });
    }),
    'order 0: expected ["bounced",3000,5000]',
  ],
  [
    'a rejection outranks a bounce',
    showing((stored) => (stored.status === 'bounced' ? { ...stored, status: 'rejected' } : stored)),
    'bounced before and after a weaker status',
  ],
  [
    'forgotten recipients are not remembered',
    recording((one) => ({ ...one, recipientIds: [] })),
    'what is recorded later of',
  ],
  [
    'only the first hash of a recipient is looked up',
    recording((one) => ({ ...one, recipientIds: one.recipientIds.slice(0, 1) })),
    'what is recorded later of',
  ],
  ['keys are not looked up', recording((one) => ({ ...one, keyIds: [] })), 'the later key of n'],
  [
    'a message keeps what was stored before its recipient was known',
    showing((stored) => (stored.messageId === 'turns out' ? { ...stored, key: 'call ann@' } : stored)),
    'what is recorded later of turns out',
  ],
  ['keys with the address stay', forgetting((one) => ({ ...one, isIn: () => false })), 'what is left of m'],
  [
    'keys are compared in one case',
    forgetting((one) => ({ ...one, isIn: (key) => key.includes('ann@') })),
    'what is left of m',
  ],
  ['every key is removed', forgetting((one) => ({ ...one, isIn: () => true })), 'the number of messages'],
  [
    'one form of the recipient is removed',
    forgetting((one) => ({ ...one, recipients: one.recipients.slice(1) })),
    'what is left of h',
  ],
  [
    'texts of a forgotten recipient stay',
    showing((stored) => ({
      ...stored,
      events: stored.events.map((one) => ({ ...one, text: one.text ?? 'no ann@example.org' })),
    })),
    'what is left of m',
  ],
  [
    'forgotten messages lose their status',
    showing((stored) =>
      stored.recipient === null && stored.key === null ? { ...stored, status: 'rejected' } : stored,
    ),
    'status, time and events',
  ],
  [
    'recipients are forgotten in every namespace',
    withMethods((right) => ({
      async forget(namespace, forgotten) {
        await right.forget('other', forgotten);
        return right.forget(namespace, forgotten);
      },
    })),
    'another namespace: expected',
  ],
  [
    'the number of forgotten messages is that of keys',
    withMethods((right) => ({
      forget: async (namespace, forgotten) => (await right.forget(namespace, forgotten)) - 1,
    })),
    'the number of messages: expected',
  ],
  [
    'a message at the moment is pruned',
    withMethods((right) => ({ prune: (namespace, moment) => right.prune(namespace, moment + 1) })),
    'the number of messages: expected 1',
  ],
  [
    'an earlier moment of prune replaces a later one',
    withMethods((right) => ({
      prune(namespace, moment) {
        right.notes.delete(JSON.stringify([namespace, 'pruned']));
        return right.prune(namespace, moment);
      },
    })),
    'the traces: expected ["young id 1 true"]',
  ],
  [
    'prune does not remember',
    withMethods((right) => ({
      async prune(namespace, moment) {
        const pruned = await right.prune(namespace, moment);
        right.notes.clear();
        return pruned;
      },
    })),
    'the traces: expected ["young id 1 true"]',
  ],
  [
    'prune deletes every event',
    withMethods((right) => ({
      async prune(namespace, moment) {
        const pruned = await right.prune(namespace, moment);
        for (const id of right.events.keys()) if (!right.messages.has(id)) right.events.delete(id);
        return pruned;
      },
    })),
    'the traces: expected ["m id 1 false"]',
  ],
  ['the order of a position is ignored', listing(({ after: _, ...filters }) => filters), 'after e: expected'],
  ['a limit is ignored', listing((filters) => ({ ...filters, limit: 9 })), 'two: expected'],
  [
    'the filter of recipients is ignored',
    listing(({ recipient: _, ...filters }) => filters),
    'by recipient: expected',
  ],
  [
    'keys have no case',
    withMethods((right) => ({ withKey: (namespace, key) => right.withKey(namespace, key.toLowerCase()) })),
    'the messages of another key',
  ],
  [
    'notes are not deleted',
    withMethods((right) => ({
      note: (namespace, name, text) => right.note(namespace, name, text ?? 'none of them'),
    })),
    'b: expected',
  ],
])('the contract notices that %s', async (_, createStore, sentence) => {
  const failed: string[] = [];
  const running: (() => Promise<void>)[] = [];
  deliveriesContract((name, run) => {
    running.push(() => run().catch((error: unknown) => void failed.push(`${name}: ${String(error)}`)));
  }, createStore);
  for (const run of running) await run();
  expect(failed.join('\n')).toContain(sentence);
});
