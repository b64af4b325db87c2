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
    // A record that cannot be read fails before anything is stored.
    const read = records.map((record) => ({ ...record }));
    return Promise.resolve(read.flatMap((record) => this.recordOne(namespace, record)));
  }

  protected recordOne(namespace: string, record: DeliveryRecord): DeliveryTrace[] {
    const { messageId, recipientIds, keyIds, events: given, ...fields } = record;
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
    const isNoted = (ids: readonly string[]) =>
      ids.some((one) => this.notes.has(idOf(namespace, 'forgotten', one)));
    const wasForgotten = message?.isForgotten ?? false;
    const isForgotten = wasForgotten || isNoted(recipientIds);
    const isBecoming = isForgotten && !wasForgotten;
    if (isBecoming)
      for (const [identity, event] of stored) stored.set(identity, { ...event, text: null, url: null });
    const isWithout = (key: string | null) => isForgotten && (key?.includes('@') ?? false);
    const key = isWithout(fields.key) || isNoted(keyIds) ? null : fields.key;
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
      key: (isBecoming && isWithout(old.key) ? null : old.key) ?? key,
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

  forget(namespace: string, { recipients, recipientId, isIn }: ForgottenRecipient): Promise<number> {
    this.notes.set(idOf(namespace, 'forgotten', recipientId), '');
    let changed = 0;
    for (const { messageId, recipient, key } of this.#all(namespace)) {
      const id = idOf(namespace, messageId);
      const message = this.messages.get(id);
      const isTheirs = recipient !== null && recipients.includes(recipient);
      const hasKey = key !== null && isIn(key);
      if (!message || (!isTheirs && !hasKey)) continue;
      changed += 1;
      const isHidden = isTheirs || recipient === null;
      this.messages.set(id, {
        ...message,
        ...(isHidden && { recipient: null, variables: null }),
        key: hasKey ? null : key,
        isForgotten: message.isForgotten || isTheirs,
      });
      if (!isHidden) continue;
      for (const [identity, event] of this.events.get(id) ?? [])
        this.events.get(id)?.set(identity, { ...event, text: null, url: null });
    }
    return Promise.resolve(changed);
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
