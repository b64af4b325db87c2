import { keyRule } from '../../../core/key.ts';
import { isRecord } from '../../../core/record.ts';
import { EmailPlatformError } from '../../../core/error-base.ts';
import { JournalError } from '../../../core/errors.ts';
import {
  arrayOf,
  checkedOptions,
  invalid,
  mustBe,
  objectOf,
  oneOf,
  refuse,
  required,
  type Rules,
} from '../../../core/rules.ts';
import { JOURNAL_RULES, settledBy } from '../create-journal.ts';
import type { Journal, JournalRecord } from '../../../core/journal.ts';
import { addressesRule, Addresses, addressOf, addressRule, type AddressPrivacy } from './addresses.ts';
import { backfill } from './backfill.ts';
import { addedIn, deliveryOf, unheardOf } from './history.ts';
import { readPosted, recordsOf, type RecordParts } from './records.ts';
import { STATUSES } from './status.ts';
import type {
  Deliveries,
  Delivery,
  DeliveryCounts,
  DeliveryFilters,
  DeliveryPosition,
  DeliveryRecord,
  DeliveryStore,
  DeliveryTrace,
} from './types.ts';

/** Options of deliveries. */
export interface DeliveriesOptions {
  /**
   * The journal of the client that sends the emails. Events then settle keys, like `journal.settleFrom`, and its keys
   * find deliveries. Its namespace and its `variable` are those of the deliveries.
   */
  readonly journal?: Journal | undefined;
  /**
   * Separates deliveries: for several accounts or applications that share a database. Default: that of the journal;
   * without one, `'default'`.
   */
  readonly namespace?: string | undefined;
  /**
   * The form in which addresses are kept: `'plain'`, `'none'`, or `{ hash: secret }` for an HMAC, by which a recipient can still be
   * found and forgotten. Unless it is `'plain'`, texts of bounces and URLs of clicks are not kept either, because they
   * may name the address. Keys and variables are yours: they are kept as they are.
   *
   * @defaultValue 'plain'
   */
  readonly addresses?: AddressPrivacy | undefined;
  /**
   * Names of the custom variables to keep. All others are not kept.
   *
   * @defaultValue []
   */
  readonly variables?: readonly string[] | undefined;
}

export const DELIVERIES_RULES: Rules<DeliveriesOptions> = {
  journal: mustBe('a journal', (value) => isRecord(value) && typeof value.settleFrom === 'function'),
  namespace: JOURNAL_RULES.namespace,
  addresses: addressesRule,
  variables: arrayOf(JOURNAL_RULES.variable, 'an array of names'),
};

const optionsRule = objectOf<DeliveriesOptions>(DELIVERIES_RULES);

const dateRule = mustBe('a valid Date', (value) => value instanceof Date && !Number.isNaN(value.getTime()));

const filtersRule = objectOf<DeliveryFilters>({
  recipient: addressRule,
  status: oneOf(STATUSES),
  since: dateRule,
});

const queryRule = objectOf({
  key: keyRule,
  messageId: mustBe('a string', (value) => typeof value === 'string' && value !== ''),
});

const sentRule = objectOf({ key: keyRule });

const idsRule = required(arrayOf(mustBe('a string', (id) => typeof id === 'string' && id !== '')));

/** Deliveries per read of `list`. */
const LIST_AT_ONCE = 100;

/** The additional methods of deliveries in a journal's database. */
export interface JournalParts {
  /** Records messages, and settles keys in the same transaction. */
  readonly record: (
    namespace: string,
    records: readonly DeliveryRecord[],
    keys: readonly JournalRecord[],
  ) => Promise<readonly DeliveryTrace[]>;
  readonly idsOfKey: (namespace: string, key: string) => Promise<readonly string[]>;
}

/**
 * Makes deliveries from your own store: see {@link DeliveryStore}. For SQLite there is {@link sqliteDeliveries}, for
 * Postgres {@link postgresDeliveries}. With a journal, its keys are settled before the events are recorded.
 *
 * @throws ConfigurationError naming the option that is wrong or unknown
 */
export function createDeliveries(store: DeliveryStore, options: DeliveriesOptions = {}): Deliveries {
  const own = checkedOptions(optionsRule, options);
  const { journal } = own;
  return deliveriesOf(store, own, {
    async record(namespace, records, keys) {
      if (keys.length > 0) await journal?.store.record(keys);
      return store.record(namespace, records);
    },
    // The methods of a journal's store find no accepted key.
    idsOfKey: () => Promise.resolve([]),
  });
}

/** Makes deliveries of options from {@link checkedOptions}. */
export function deliveriesOf(
  store: DeliveryStore,
  options: DeliveriesOptions,
  { record: recordWithKeys, idsOfKey }: JournalParts,
): Deliveries {
  const {
    journal,
    addresses: privacy = 'plain',
    variables = [],
    namespace = journal?.namespace ?? 'default',
  } = options;
  const addresses = new Addresses(privacy);
  const parts: RecordParts = {
    addresses,
    keyVariable: journal?.variable ?? 'idempotency_key',
    variables: [...variables],
  };

  /** Records messages; of `total` events, `ignored` are not among theirs. */
  const record = async (
    records: readonly DeliveryRecord[],
    keys: readonly JournalRecord[],
    total: number,
    ignored: number,
  ): Promise<DeliveryCounts> => {
    if (records.length === 0) return { recorded: 0, repeated: total - ignored, ignored };
    const traces = await inDatabase(() => recordWithKeys(namespace, records, keys));
    const idOf = (messageId: string, identity: string) => JSON.stringify([messageId, identity]);
    const traced = new Set(traces.map(({ messageId, identity }) => idOf(messageId, identity)));
    const pruned = records.flatMap(({ messageId, events }) =>
      events.filter(({ identity }) => !traced.has(idOf(messageId, identity))),
    ).length;
    const recorded = addedIn(traces);
    return { recorded, repeated: total - ignored - pruned - recorded, ignored: ignored + pruned };
  };

  return {
    async record(events) {
      refuse('events', mustBe('the array of events that readWebhook returns', Array.isArray)(events));
      const postedAt = Date.now();
      const read = events.flatMap((event) => readPosted(event, postedAt) ?? []);
      const records = await recordsOf(read, parts);
      return record(records, keysIn(journal, events), events.length, events.length - read.length);
    },

    async recordSent(result, sentOptions = {}) {
      refuse('result.message_ids', idsRule(isRecord(result) ? result.message_ids : undefined));
      const { key = null } = checkedOptions(sentRule, sentOptions);
      const at = Math.floor(Date.now() / 1000) * 1000;
      const unknown = { recipient: null, recipientIds: [], stream: null, variables: null, events: [] };
      const keyIds = await addresses.idsIn(key);
      const sent = { key, keyIds, status: 'accepted' as const, statusAt: at, lastAt: at, ...unknown };
      const records = [...new Set(result.message_ids)].map((messageId) => ({ messageId, ...sent }));
      if (records.length > 0) await inDatabase(() => store.record(namespace, records));
    },

    async of(query) {
      const { key, messageId } = checkedOptions(queryRule, query);
      if ((key === undefined) === (messageId === undefined))
        throw invalid('query', 'must have either key or messageId');
      if (messageId !== undefined)
        return (await inDatabase(() => store.get(namespace, [messageId]))).map(deliveryOf);
      const [ids, named, keyed] = await inDatabase(async () => {
        const known = journal === undefined ? [] : await idsOfKey(journal.namespace, key);
        const theirs = known.length === 0 ? [] : await store.get(namespace, known);
        return [known, theirs, await store.withKey(namespace, key)];
      });
      const found = new Map<string, Delivery>();
      for (const id of ids) found.set(id, unheardOf(id, key));
      for (const stored of [...keyed, ...named])
        found.set(stored.messageId, { ...deliveryOf(stored), key: stored.key ?? key });
      return [...found.values()];
    },

    list: (filters = {}) => {
      const { recipient, status, since } = checkedOptions(filtersRule, filters);
      if (recipient !== undefined && privacy === 'none')
        throw invalid('recipient', "finds nothing with addresses: 'none'");
      return {
        async *[Symbol.asyncIterator]() {
          const kept = await addresses.keep(addressOf(recipient));
          const stored = kept.recipient ?? undefined;
          const all = { recipient: stored, status, since: since?.getTime(), limit: LIST_AT_ONCE };
          const read = (after?: DeliveryPosition) =>
            inDatabase(() => store.list(namespace, { ...all, after }));
          let page = await read();
          for (;;) {
            yield* page.map(deliveryOf);
            const last = page.at(-1);
            if (last === undefined || page.length < LIST_AT_ONCE) return;
            page = await read({ lastAt: last.lastAt, messageId: last.messageId });
          }
        },
      };
    },

    async forget(forgotten) {
      refuse('recipient', required(addressRule)(isRecord(forgotten) ? forgotten.recipient : undefined));
      const recipient = await addresses.forgotten(addressOf(forgotten.recipient) ?? '');
      return inDatabase(() => store.forget(namespace, recipient));
    },

    async prune(pruned) {
      const before = isRecord(pruned) ? pruned.before : undefined;
      refuse('before', required(dateRule)(before));
      if (pruned.before.getTime() > Date.now()) throw invalid('before', 'must not be in the future');
      return inDatabase(() => store.prune(namespace, pruned.before.getTime()));
    },

    backfill: (client, backfillOptions) =>
      backfill(client, backfillOptions, {
        parts,
        record: (records, total, ignored) => record(records, [], total, ignored),
        stored: (ids) => inDatabase(() => store.get(namespace, ids)),
        noted: (name) => inDatabase(() => store.noted(namespace, name)),
        note: (name, text) => inDatabase(() => store.note(namespace, name, text)),
      }),
  };
}

/** Runs a function of the store. An error of the database is the cause of a JournalError, which has no data of it. */
export async function inDatabase<T>(run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    if (cause instanceof EmailPlatformError) throw cause;
    throw new JournalError('the database of the deliveries failed', { cause });
  }
}

/** The keys that events settle, with the id of each message: one of them may be the email of a forgotten key. */
function keysIn(journal: Journal | undefined, events: readonly unknown[]): JournalRecord[] {
  if (journal === undefined) return [];
  const keys = new Map<string, JournalRecord>();
  for (const event of events) {
    const settled = isRecord(event) ? settledBy(journal, event) : undefined;
    if (settled === undefined) continue;
    const id = JSON.stringify([settled.key, settled.stream, ...settled.messageIds]);
    if (!keys.has(id)) keys.set(id, settled);
  }
  return [...keys.values()];
}
