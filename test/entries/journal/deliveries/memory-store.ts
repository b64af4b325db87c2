import type {
  DeliveryEventRecord,
  DeliveryRecord,
  DeliveryStore,
  DeliveryTrace,
  ForgottenRecipient,
  StoredDelivery,
  StoredFilters,
} from 'email-platform/journal';
import { strongest } from '../../../../src/entries/journal/deliveries/status.ts';

interface Message extends Omit<StoredDelivery, 'events'> {
  readonly isForgotten: boolean;
}

const idOf = (...parts: readonly string[]) => JSON.stringify(parts);

/** A store in memory, as an application could write one for its own database. */
export class MemoryDeliveryStore implements DeliveryStore {
  readonly messages = new Map<string, Message>();
  readonly events = new Map<string, Map<string, DeliveryEventRecord>>();
  readonly notes = new Map<string, string>();

  record(namespace: string, records: readonly DeliveryRecord[]): Promise<readonly DeliveryTrace[]> {
    return Promise.resolve(records.flatMap((record) => this.#recordOne(namespace, record)));
  }

  #recordOne(namespace: string, record: DeliveryRecord): DeliveryTrace[] {
    const { messageId, recipientId, events: given, ...fields } = record;
    const id = idOf(namespace, messageId);
    const stored = this.events.get(id) ?? new Map<string, DeliveryEventRecord>();
    const message = this.messages.get(id);
    const traceOf = ({ identity, moment }: DeliveryEventRecord, isNew: boolean) => ({
      messageId,
      identity,
      moment,
      isNew,
    });
    const known = given.filter(({ identity }) => stored.has(identity)).map((event) => traceOf(event, false));
    const isOld = record.lastAt < Number(this.notes.get(idOf(namespace, 'pruned')) ?? -Infinity);
    if (!message && (isOld || (given.length > 0 && known.length === given.length))) return known;
    const isForgotten =
      (message?.isForgotten ?? false) || this.notes.has(idOf(namespace, 'forgotten', recipientId ?? ''));
    const others = [...stored.values()].filter(
      (event) =>
        given.some(({ moment }) => moment === event.moment) &&
        !given.some(({ identity }) => identity === event.identity),
    );
    const added = given.filter(({ identity }) => !stored.has(identity));
    for (const event of added)
      stored.set(event.identity, isForgotten ? { ...event, text: null, url: null } : event);
    this.events.set(id, stored);
    const old = message ?? { messageId, ...fields, key: null, recipient: null, variables: null };
    this.messages.set(id, {
      messageId,
      key: old.key ?? (isForgotten && fields.key?.includes('@') ? null : fields.key),
      stream: old.stream ?? fields.stream,
      recipient: isForgotten ? null : (old.recipient ?? fields.recipient),
      variables: isForgotten ? null : (old.variables ?? fields.variables),
      ...strongest(
        { status: old.status, statusAt: old.statusAt },
        { status: fields.status, statusAt: fields.statusAt },
      ),
      lastAt: Math.max(old.lastAt, fields.lastAt),
      isForgotten,
    });
    return [
      ...known,
      ...others.map((event) => traceOf(event, false)),
      ...added.map((event) => traceOf(event, true)),
    ];
  }

  #all(namespace: string): StoredDelivery[] {
    return [...this.messages]
      .filter(([id]) => (JSON.parse(id) as string[])[0] === namespace)
      .map(([id, message]) => ({ ...message, events: [...(this.events.get(id)?.values() ?? [])] }));
  }

  get(namespace: string, ids: readonly string[]): Promise<readonly StoredDelivery[]> {
    return Promise.resolve(this.#all(namespace).filter(({ messageId }) => ids.includes(messageId)));
  }

  withKey(namespace: string, key: string): Promise<readonly StoredDelivery[]> {
    return Promise.resolve(this.#all(namespace).filter((message) => message.key === key));
  }

  list(
    namespace: string,
    { recipient, status, since, after, limit }: StoredFilters,
  ): Promise<readonly StoredDelivery[]> {
    const isBefore = (
      one: Pick<StoredDelivery, 'lastAt' | 'messageId'>,
      other: Pick<StoredDelivery, 'lastAt' | 'messageId'>,
    ) => one.lastAt > other.lastAt || (one.lastAt === other.lastAt && one.messageId > other.messageId);
    return Promise.resolve(
      this.#all(namespace)
        .filter((one) => recipient === undefined || one.recipient === recipient)
        .filter((one) => status === undefined || one.status === status)
        .filter((one) => since === undefined || one.lastAt >= since)
        .filter((one) => after === undefined || isBefore(after, one))
        .sort((one, other) => (isBefore(one, other) ? -1 : 1))
        .slice(0, limit),
    );
  }

  forget(namespace: string, { address, recipient, recipientId }: ForgottenRecipient): Promise<number> {
    this.notes.set(idOf(namespace, 'forgotten', recipientId), '');
    const some = this.#all(namespace).filter((message) => message.recipient === recipient);
    for (const { messageId, key } of some) {
      const id = idOf(namespace, messageId);
      const message = this.messages.get(id);
      const hasAddress = key?.toLowerCase().includes(address) ?? false;
      if (message)
        this.messages.set(id, {
          ...message,
          recipient: null,
          variables: null,
          key: hasAddress ? null : key,
          isForgotten: true,
        });
      for (const [identity, event] of this.events.get(id) ?? [])
        this.events.get(id)?.set(identity, { ...event, text: null, url: null });
    }
    return Promise.resolve(some.length);
  }

  prune(namespace: string, before: number): Promise<number> {
    const name = idOf(namespace, 'pruned');
    this.notes.set(name, String(Math.max(before, Number(this.notes.get(name) ?? -Infinity))));
    const some = this.#all(namespace).filter(({ lastAt }) => lastAt < before);
    for (const { messageId, events } of some) {
      const id = idOf(namespace, messageId);
      this.messages.delete(id);
      const untimed = events.filter(({ isUntimed }) => isUntimed);
      this.events.set(
        id,
        new Map(untimed.map((event) => [event.identity, { ...event, text: null, url: null }])),
      );
    }
    return Promise.resolve(some.length);
  }

  noted(namespace: string, name: string): Promise<string | undefined> {
    return Promise.resolve(this.notes.get(idOf(namespace, 'note', name)));
  }

  note(namespace: string, name: string, text: string | undefined): Promise<void> {
    const id = idOf(namespace, 'note', name);
    if (text === undefined) this.notes.delete(id);
    else this.notes.set(id, text);
    return Promise.resolve();
  }
}
