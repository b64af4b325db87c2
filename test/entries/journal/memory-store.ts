import type { JournalClaim, JournalEntry, JournalRecord, JournalStore } from 'email-platform/journal';

export interface Row extends Omit<JournalEntry, 'ageMs' | 'leaseLeftMs'> {
  readonly namespace: string;
  readonly maybeSent: boolean;
  readonly claimedAt: number;
  readonly leaseEndsAt: number;
  readonly changedAt: number;
}

export const idOf = ({ namespace, key }: { readonly namespace: string; readonly key: string }) =>
  JSON.stringify([namespace, key]);

/** A store whose clock and failures a test decides. It has passed the contract: see contract.test.ts. */
export class MemoryStore implements JournalStore {
  readonly rows = new Map<string, Row>();
  /** The ids of forgotten keys' messages. A database keeps hashes of them. */
  readonly forgottenIds = new Set<string>();
  /** The calls of its methods, in order. */
  readonly calls: string[] = [];
  /** Makes the next calls of a method fail, or wait. */
  before: (method: 'claim' | 'record' | 'open' | 'forget') => void | Promise<void> = () => undefined;
  protected readonly now: () => number;

  constructor(now: () => number = () => Date.now()) {
    this.now = now;
  }

  state(key: string): string | undefined {
    return [...this.rows.values()].find((row) => row.key === key)?.state;
  }

  async claim(claims: readonly JournalClaim[]): Promise<readonly (JournalEntry | undefined)[]> {
    this.calls.push(`claim ${claims.length}`);
    await this.before('claim');
    return claims.map((claim) => this.claimOne(claim));
  }

  protected claimOne(claim: JournalClaim): JournalEntry | undefined {
    const { namespace, key, hash, stream, attempt, leaseMs, over } = claim;
    const now = this.now();
    const id = idOf(claim);
    const row = this.rows.get(id);
    const isOver = row && (row.state === 'unknown' || (row.state === 'claimed' && row.leaseEndsAt <= now));
    if (row && row.state !== 'released' && !(isOver && row.attempt === over)) return this.entryOf(row);
    const isNew = !row || row.state === 'released';
    this.rows.set(id, {
      namespace,
      key,
      hash,
      stream,
      state: 'claimed',
      attempt,
      maybeSent: !isNew,
      claimedAt: isNew ? now : row.claimedAt,
      leaseEndsAt: now + leaseMs,
      changedAt: now,
      messageIds: [],
    });
    return undefined;
  }

  async record(records: readonly JournalRecord[]): Promise<void> {
    this.calls.push(`record ${records.map(({ state }) => state).join(' ')}`);
    await this.before('record');
    for (const one of records) this.recordOne(one);
  }

  protected recordOne(record: JournalRecord): void {
    const { stream, attempt, state, messageIds } = record;
    const changedAt = this.now();
    const id = idOf(record);
    const row = this.rows.get(id);
    if (row?.stream !== stream) return;
    const isOwn = row.attempt === attempt;
    const { namespace } = record;
    if (messageIds.some((messageId) => this.forgottenIds.has(idOf({ namespace, key: messageId })))) return;
    if (state === 'accepted') {
      const isMore = row.state === 'accepted' && isOwn && messageIds.length > row.messageIds.length;
      const isNews =
        row.state === 'claimed' || row.state === 'unknown' || (row.state === 'released' && isOwn) || isMore;
      if (isNews) this.rows.set(id, { ...row, state, messageIds, changedAt });
    } else if (row.state === 'claimed' && isOwn) {
      const isReleased = state === 'released';
      this.rows.set(id, {
        ...row,
        state: isReleased && row.maybeSent ? 'unknown' : state,
        leaseEndsAt: isReleased ? changedAt : row.leaseEndsAt,
        changedAt,
      });
    }
  }

  async open(namespace: string): Promise<readonly JournalEntry[]> {
    await this.before('open');
    return [...this.rows.values()]
      .filter((row) => row.namespace === namespace)
      .filter(
        ({ state, leaseEndsAt }) => state === 'unknown' || (state === 'claimed' && leaseEndsAt <= this.now()),
      )
      .map((row) => this.entryOf(row));
  }

  async forget(namespace: string, before: number): Promise<number> {
    await this.before('forget');
    const forgotten = [...this.rows].filter(
      ([, row]) =>
        row.namespace === namespace &&
        row.changedAt < before &&
        !(row.state === 'claimed' && row.leaseEndsAt > this.now()),
    );
    for (const [id, { messageIds }] of forgotten) {
      this.rows.delete(id);
      for (const key of messageIds) this.forgottenIds.add(idOf({ namespace, key }));
    }
    return forgotten.length;
  }

  protected entryOf({
    key,
    hash,
    stream,
    state,
    attempt,
    messageIds,
    claimedAt,
    leaseEndsAt,
  }: Row): JournalEntry {
    const now = this.now();
    return {
      key,
      hash,
      stream,
      state,
      attempt,
      messageIds,
      ageMs: now - claimedAt,
      leaseLeftMs: leaseEndsAt - now,
    };
  }
}
