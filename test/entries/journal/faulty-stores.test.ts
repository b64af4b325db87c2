import { journalContract } from 'email-platform/testing';
import type { JournalClaim, JournalEntry, JournalRecord, JournalState } from 'email-platform/journal';
import { expect, test } from 'vitest';
import { idOf, MemoryStore, type Row } from './memory-store.ts';

const tick = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

/** Reads a key, and writes it later as if it were still what it was. */
class LateStore extends MemoryStore {
  readonly #state: JournalState;

  constructor(state: JournalState) {
    super();
    this.#state = state;
  }

  override async claim(claims: readonly JournalClaim[]) {
    const read = claims.map((claim) => this.rows.get(idOf(claim)));
    await tick();
    return claims.map((claim, index) => {
      const row = read[index];
      if (row?.state === this.#state) this.rows.set(idOf(claim), row);
      return this.claimOne(claim);
    });
  }
}

class EagerStore extends MemoryStore {
  /** Takes over a lease that runs, but not from the attempt that asks. */
  protected override claimOne(claim: JournalClaim): JournalEntry | undefined {
    const row = this.rows.get(idOf(claim));
    if (row?.state === 'claimed' && row.attempt === claim.over && claim.attempt !== claim.over)
      this.rows.set(idOf(claim), { ...row, leaseEndsAt: 0 });
    return super.claimOne(claim);
  }
}

class ForgetfulStore extends MemoryStore {
  override async forget(namespace: string, before: number) {
    for (const [id, row] of this.rows) this.rows.set(id, { ...row, changedAt: row.claimedAt });
    return super.forget(namespace, before);
  }
}

class YouthfulStore extends MemoryStore {
  protected override claimOne(claim: JournalClaim): JournalEntry | undefined {
    const entry = super.claimOne(claim);
    const row = this.rows.get(idOf(claim));
    if (!entry && row) this.rows.set(idOf(claim), { ...row, claimedAt: this.now() });
    return entry;
  }
}

class NarrowStore extends MemoryStore {
  readonly #hash: number;
  readonly #ids: number;

  constructor(columns: { readonly hash?: number; readonly ids?: number }) {
    super();
    this.#hash = columns.hash ?? Infinity;
    this.#ids = columns.ids ?? Infinity;
  }

  protected override claimOne(claim: JournalClaim) {
    return super.claimOne({ ...claim, hash: claim.hash.slice(0, this.#hash) });
  }

  protected override recordOne(record: JournalRecord) {
    const kept = record.messageIds.join().slice(0, this.#ids).split(',').filter(Boolean);
    super.recordOne({ ...record, messageIds: kept });
  }
}

class MakingStore extends MemoryStore {
  protected override recordOne(record: JournalRecord) {
    if (!this.rows.has(idOf(record))) this.claimOne({ ...record, hash: '1:none', leaseMs: 0 });
    super.recordOne(record);
  }
}

/** Its records have no effect where a condition holds. */
class DeafStore extends MemoryStore {
  readonly #isIgnored: (record: JournalRecord, row: Row | undefined) => boolean;

  constructor(isIgnored: (record: JournalRecord, row: Row | undefined) => boolean) {
    super();
    this.#isIgnored = isIgnored;
  }

  protected override recordOne(record: JournalRecord) {
    if (!this.#isIgnored(record, this.rows.get(idOf(record)))) super.recordOne(record);
  }
}

class PartialStore extends MemoryStore {
  override async open(namespace: string) {
    return (await super.open(namespace)).filter(({ stream }) => stream !== 'bulk');
  }
}

/** Believes what others say of a released key, or of another stream. */
class CredulousStore extends MemoryStore {
  readonly #of: 'released' | 'stream';

  constructor(of: 'released' | 'stream') {
    super();
    this.#of = of;
  }

  protected override recordOne(record: JournalRecord) {
    const row = this.rows.get(idOf(record));
    const isBelieved = this.#of === 'released' && record.state === 'accepted' && row?.state === 'released';
    if (row && isBelieved) this.rows.set(idOf(record), { ...row, state: 'unknown' });
    super.recordOne(this.#of === 'stream' && row ? { ...record, stream: row.stream } : record);
  }
}

/** Keeps fields of the row that a claim replaces. */
class CarelessStore extends MemoryStore {
  readonly #kept: (row: Row) => readonly (keyof Row)[];

  constructor(kept: (row: Row) => readonly (keyof Row)[]) {
    super();
    this.#kept = kept;
  }

  protected override claimOne(claim: JournalClaim): JournalEntry | undefined {
    const before = this.rows.get(idOf(claim));
    const entry = super.claimOne(claim);
    const row = this.rows.get(idOf(claim));
    if (entry || !before || !row) return entry;
    const kept = this.#kept(before).map((name) =>
      name === 'claimedAt' ? [name, this.now()] : [name, before[name]],
    );
    this.rows.set(idOf(claim), { ...row, ...(Object.fromEntries(kept) as Partial<Row>) });
    return entry;
  }
}

/** Remembers other ids of forgotten keys. */
class RecollectingStore extends MemoryStore {
  readonly #kept: (ids: readonly string[]) => readonly string[];

  constructor(kept: (ids: readonly string[]) => readonly string[]) {
    super();
    this.#kept = kept;
  }

  override async forget(namespace: string, before: number) {
    const forgotten = await super.forget(namespace, before);
    const ids = [...this.forgottenIds];
    this.forgottenIds.clear();
    for (const id of this.#kept(ids)) this.forgottenIds.add(id);
    return forgotten;
  }
}

class SlowRecordStore extends MemoryStore {
  override async record(records: readonly JournalRecord[]) {
    const read = records.map((record) => this.rows.get(idOf(record)));
    await tick();
    records.forEach((record, index) => {
      const row = read[index];
      if (row && record.state !== 'accepted') this.rows.set(idOf(record), row);
    });
    return super.record(records);
  }
}

class SecondsStore extends MemoryStore {
  protected override entryOf(row: Row): JournalEntry {
    const entry = super.entryOf(row);
    return { ...entry, leaseLeftMs: entry.leaseLeftMs / 1_000 };
  }
}

class ForgivingStore extends MemoryStore {
  override async claim(claims: readonly JournalClaim[]) {
    const entries = await super.claim(claims);
    const ids = claims.map(idOf);
    return entries.map((entry, index) => {
      const first = ids.indexOf(ids[index] ?? '');
      return first < index && entries[first] === undefined ? undefined : entry;
    });
  }
}

const lowerCase = <T extends { readonly namespace: string }>(all: readonly T[]) =>
  all.map((one) => ({ ...one, namespace: one.namespace.toLowerCase() }));

class LowerCaseStore extends MemoryStore {
  override async claim(claims: readonly JournalClaim[]) {
    return super.claim(lowerCase(claims));
  }

  override async record(records: readonly JournalRecord[]) {
    return super.record(lowerCase(records));
  }
}

class HundredStore extends MemoryStore {
  readonly #method: 'record' | 'open';

  constructor(method: 'record' | 'open') {
    super();
    this.#method = method;
  }

  override async record(records: readonly JournalRecord[]) {
    return super.record(this.#method === 'record' ? records.slice(0, 100) : records);
  }

  override async open(namespace: string) {
    const open = await super.open(namespace);
    return this.#method === 'open' ? open.slice(0, 100) : open;
  }
}

const isByAnother = (record: JournalRecord, row: Row | undefined) =>
  record.state === 'accepted' && row?.state === 'unknown' && row.attempt !== record.attempt;

const NEW_USE = 'an event of a forgotten email does not settle a new use of its key';

const UNKNOWN = ['an unknown key', 'an unknown key whose lease runs'];
const WAYS = [...UNKNOWN, 'a key whose lease is over'];

test.concurrent.each<[string, () => MemoryStore, readonly string[]]>([
  [
    'a released key is had by two at once',
    () => new LateStore('released'),
    ['one of many claims of a released key succeeds'],
  ],
  [
    'an unknown key is had by two at once',
    () => new LateStore('unknown'),
    ['one of many claims of an unknown key succeeds'],
  ],
  [
    'a key whose lease is over is had by two at once',
    () => new LateStore('claimed'),
    ['one of many claims of a key whose lease is over succeeds'],
  ],
  [
    'a lease that runs is taken over by another attempt',
    () => new EagerStore(),
    [
      'no attempt takes over a key whose lease runs',
      ...WAYS.map((way) => `${way} has the content and the lease of the attempt that took it over`),
    ],
  ],
  [
    'keys are forgotten by their claim',
    () => new ForgetfulStore(),
    ['forgets by the last change, not by the claim'],
  ],
  [
    'the age begins anew at a take-over',
    () => new YouthfulStore(),
    WAYS.map((way) => `${way} has the age of its first claim after a take-over`),
  ],
  [
    'the age begins anew at the take-over of an unknown key',
    () => new CarelessStore(({ state }) => (state === 'unknown' ? ['claimedAt'] : [])),
    UNKNOWN.map((way) => `${way} has the age of its first claim after a take-over`),
  ],
  [
    'a key whose lease is over is free when the attempt that took it over is refused',
    () => new CarelessStore(({ state }) => (state === 'claimed' ? ['maybeSent'] : [])),
    ['a key whose lease is over that was taken over is not free when it is released'],
  ],
  [
    'an unknown key is free when the attempt that took it over is refused',
    () => new CarelessStore(({ state }) => (state === 'unknown' ? ['maybeSent'] : [])),
    UNKNOWN.map((way) => `${way} that was taken over is not free when it is released`),
  ],
  [
    'the take-over of an unknown key begins no lease',
    () => new CarelessStore(({ state }) => (state === 'unknown' ? ['leaseEndsAt'] : [])),
    ['an unknown key has the content and the lease of the attempt that took it over'],
  ],
  [
    'a released key is claimed without a lease',
    () => new CarelessStore(({ state }) => (state === 'released' ? ['leaseEndsAt'] : [])),
    ['a released key has the lease of its new claim'],
  ],
  [
    'an event between the reading and the writing of a record is lost',
    () => new SlowRecordStore(),
    ['unknown', 'released'].map(
      (state) => `of two records at once, accepted stays beside ${state}, in any order`,
    ),
  ],
  [
    'the lease is in seconds',
    () => new SecondsStore(),
    [
      'a new key can be claimed, and not again while its lease runs',
      'a released key has the lease of its new claim',
      'open keys are the unknown keys, and the keys whose lease is over',
      ...WAYS.map((way) => `${way} has the content and the lease of the attempt that took it over`),
    ],
  ],
  [
    'a key that is twice in a call is claimed twice',
    () => new ForgivingStore(),
    ['a key that is twice in a call is claimed once'],
  ],
  ['namespaces have no case', () => new LowerCaseStore(), ['namespaces are independent of each other']],
  [
    'records after the hundredth are lost',
    () => new HundredStore('record'),
    ['500 keys are claimed at once, are open, and are recorded'],
  ],
  [
    'only a hundred open keys are shown',
    () => new HundredStore('open'),
    ['500 keys are claimed at once, are open, and are recorded'],
  ],
  [
    'a column of 64 characters cuts the hash',
    () => new NarrowStore({ hash: 64 }),
    [
      'a new key can be claimed, and not again while its lease runs',
      'long values are kept whole',
      'open keys are the unknown keys, and the keys whose lease is over',
    ],
  ],
  [
    'a column of 255 characters cuts the ids',
    () => new NarrowStore({ ids: 255 }),
    ['long values are kept whole'],
  ],
  [
    'a record makes a row',
    () => new MakingStore(),
    ['a claimed or unknown key can be accepted, a released or absent key cannot'],
  ],
  [
    'an event does not settle an unknown key',
    () => new DeafStore(isByAnother),
    ['a claimed or unknown key can be accepted, a released or absent key cannot', NEW_USE],
  ],
  ['the ids of forgotten keys are forgotten too', () => new RecollectingStore(() => []), [NEW_USE]],
  [
    'one id of a forgotten key is remembered, and the others are not',
    () => new RecollectingStore((ids) => ids.slice(0, 1)),
    [NEW_USE],
  ],
  [
    'ids of forgotten keys are remembered in every namespace',
    () => new RecollectingStore((ids) => ids.flatMap((id) => [id, id.replace('contract', 'other')])),
    [NEW_USE],
  ],
  ['the open keys leave out a stream', () => new PartialStore(), ['open keys are of all streams']],
  [
    'an event settles a released key',
    () => new CredulousStore('released'),
    ['a claimed or unknown key can be accepted, a released or absent key cannot'],
  ],
  [
    'an event settles a key of another stream',
    () => new CredulousStore('stream'),
    ['a record of another stream changes nothing'],
  ],
])('the contract notices that %s', async (_, createStore, expected) => {
  const failed: string[] = [];
  const running: (() => Promise<void>)[] = [];
  journalContract((name, run) => running.push(() => run().catch(() => void failed.push(name))), createStore);
  for (const run of running) await run();
  expect(failed).toEqual(expected.map((name) => `journal store: ${name}`));
});
