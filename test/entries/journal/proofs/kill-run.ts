import type { DatabaseHere } from '../../../support/databases.ts';
import type { DatabaseName } from '../../../support/sqlite.ts';
import { random } from '../../../support/random.ts';
import { keyAt } from './emails.ts';
import type { SenderOrder, Told } from './messages.ts';
import { orderOf, TIMEOUT_MS } from './order.ts';
import { Sender, type Service } from './processes.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** For so long after it was claimed, nobody takes a key over. */
const LEASE_MS = TIMEOUT_MS + MINUTE;
/** For so long after the lease, what the log does not have may still come. */
const SETTLE_AFTER_MS = 5 * MINUTE;
const LOG_LATE_MS = 4 * MINUTE;

/** Calls in which a run of this many emails is sent. */
const callsFor = (count: number) => Math.ceil(count / 500);

/** The record of a kill run. */
export interface KillRun {
  readonly seed: number;
  readonly database: DatabaseName;
  /** When it was killed. */
  readonly killedAt: string;
  /** Emails with an outcome in the run that was killed. */
  readonly before: number;
  /** Emails that the second run reported as unknown or not sent. */
  readonly gaps: number;
  /** Gaps that a run with 'resend' still reported, because the log did not show them yet. */
  readonly stillUnknown: number;
  /** When the run after that, which may send emails again, was killed. */
  readonly killedAgainAt: string;
  /** Emails that were sent again, after an absence that the log had confirmed. */
  readonly resent: number;
  readonly tookMs: number;
  /** The problems; empty if all is well. */
  readonly problems: readonly string[];
}

interface Parts {
  readonly service: Service;
  readonly database: DatabaseHere;
  readonly folder: string;
  readonly seed: number;
  readonly count: number;
}

type Known = Awaited<ReturnType<Service['record']>>;

const NOTHING = { posts: 0, ids: [] as readonly string[] };

/** When a run is killed. */
interface Moment {
  /** So many posts have to arrive first. */
  readonly afterPosts: number;
  /** Then so much time passes, in milliseconds. */
  readonly thenMs: number;
}

const inWords = ({ afterPosts, thenMs }: Moment) =>
  `${thenMs} ms after ${afterPosts === 0 ? 'the start' : `post ${afterPosts}`}`;

/** Starts a run, and kills its process at a moment. Returns the outcomes that it told of. */
async function killedRun(
  { service, database }: Parts,
  order: SenderOrder,
  { afterPosts, thenMs }: Moment,
  holds = false,
) {
  const { arrived } = await service.announce(afterPosts, holds);
  const sender = await Sender.start(database);
  sender.begin(order);
  await sender.expect('started');
  const told = sender.outcomes();
  await Promise.race([afterPosts === 0 ? undefined : arrived, told]);
  await new Promise((resolve) => setTimeout(resolve, thenMs));
  await sender.kill();
  // Holds nothing of the next sender.
  await service.announce(0);
  return told;
}

/**
 * Sends an input in a process that is killed at a moment of the seed's, and again, in another process. Once the leases are
 * over, it does so with 'resend': while the log is still late; when it no longer is, in a process that is killed as well; and
 * at last. The service says after each what arrived there.
 */
export async function killRun(parts: Parts): Promise<KillRun> {
  const { service, database, folder, seed, count } = parts;
  const startedAt = performance.now();
  const draw = random(seed);
  const upTo = (most: number) => Math.floor(draw() * most);
  // Not after the last call: nothing would be left to be killed in.
  const first: Moment = { afterPosts: upTo(callsFor(count) - 3), thenMs: upTo(60) };
  // While it looks emails up, or while it sends some again.
  const again: Moment =
    draw() < 0.5 ? { afterPosts: 0, thenMs: upTo(1_500) } : { afterPosts: 1, thenMs: upTo(60) };
  const order = (more?: Partial<SenderOrder>) =>
    orderOf({ service, name: database.name, folder, file: String(seed), count }, more);
  let movedOnMs = 0;
  const moveOn = async (ms: number) => {
    movedOnMs += ms;
    await service.advance(ms);
  };
  const resend = (more?: Partial<SenderOrder>) => order({ onUnknown: 'resend', movedOnMs, ...more });

  await service.begin({
    seed,
    shownWithinMs: LOG_LATE_MS,
    // A short run has everything that can go wrong, too.
    wrongInEvery: Math.min(20, callsFor(count)),
    answersFromPost: 0,
  });
  const before = await killedRun(parts, order(), first, true);
  const problems = before.isOver ? ['The run was over before it was killed'] : [];

  const second = await Sender.start(database);
  const reported = await second.run(order());
  problems.push(...afterReport(before.outcomes, reported, await service.record(), count));

  await moveOn(LEASE_MS + 5 * SECOND);
  const early = await second.run(resend());
  const afterEarly = await service.record();
  problems.push(...neverTwice(afterEarly, count, "with 'resend', while the log is late"));
  problems.push(...truthful(early, afterEarly, count));
  await second.kill();

  await moveOn(LEASE_MS + SETTLE_AFTER_MS + 5 * SECOND);
  const killedAgain = await killedRun(parts, resend(), again);
  // Time that is moved must not pass while what it sent is still on its way.
  await service.drain();

  await moveOn(LEASE_MS + SETTLE_AFTER_MS + 5 * SECOND);
  await service.calm();
  const last = await Sender.start(database);
  // Half of them ask for what is unknown first, as the guide advises.
  const outcomes = await last.run(resend({ settles: seed % 2 === 0 }));
  const record = await service.record();
  problems.push(...truthful(outcomes, record, count), ...onceEach(outcomes, record, count));
  await last.kill();

  const gapsIn = (some: readonly Told[]) => some.filter(([, status]) => status !== 'accepted').length;
  return {
    seed,
    database: database.name,
    killedAt: inWords(first),
    before: before.outcomes.length,
    gaps: gapsIn(reported),
    stillUnknown: gapsIn(early),
    killedAgainAt: killedAgain.isOver ? 'over before' : inWords(again),
    resent: [...record.values()].filter(({ posts }) => posts > 1).length,
    tookMs: Math.round(performance.now() - startedAt),
    problems: problems.slice(0, 20),
  };
}

/** The problems after the killed run and the next one, which must not send a key twice. */
function afterReport(
  first: readonly Told[],
  second: readonly Told[],
  record: Known,
  count: number,
): string[] {
  const known = new Map(second.map((told) => [told[0], told]));
  const forgotten = first.flatMap(([index, status, , ids]) => {
    const [, now, isReplayed, sameIds] = known.get(index) ?? [];
    if (status !== 'accepted') return [];
    return now === 'accepted' && isReplayed === true && String(sameIds) === String(ids)
      ? []
      : [`${keyAt(index)} was accepted before the kill; the second run says ${now}, replayed: ${isReplayed}`];
  });
  return [
    ...forgotten,
    ...neverTwice(record, count, 'after the second run'),
    ...truthful(second, record, count),
  ];
}

/** Keys that were posted twice, or accepted twice. */
function neverTwice(record: Known, count: number, when: string): string[] {
  return [
    ...[...record]
      .filter(([, { posts, ids }]) => posts > 1 || ids.length > 1)
      .map(
        ([key, { posts, ids }]) => `${key} was posted ${posts} times, accepted ${ids.length} times, ${when}`,
      ),
    ...(record.size > count ? [`${record.size} keys were posted, of ${count}`] : []),
  ];
}

/** Outcomes that are not what the service did, and inputs without an outcome. */
function truthful(outcomes: readonly Told[], record: Known, count: number): string[] {
  const seen = new Set(outcomes.map(([index]) => index));
  const counted =
    seen.size === count && outcomes.length === count
      ? []
      : [`${outcomes.length} outcomes for ${seen.size} of ${count} emails`];
  const wrong = outcomes.flatMap(([index, status, , ids, code]) => {
    const key = keyAt(index);
    const has = record.get(key) ?? NOTHING;
    switch (status) {
      case 'accepted':
        return String(ids) === String(has.ids)
          ? []
          : [`${key} is accepted as ${String(ids)}; the service has ${String(has.ids)}`];
      case 'not_sent':
        return has.ids.length === 0
          ? []
          : [`${key} is not_sent (${code}); the service has ${String(has.ids)}`];
      case 'unknown':
        return [];
      default:
        return [`${key} is ${status} (${code})`];
    }
  });
  return [...counted, ...wrong];
}

/** Emails that are missing at the end, or came twice. */
function onceEach(outcomes: readonly Told[], record: Known, count: number): string[] {
  const open = outcomes.filter(([, status]) => status !== 'accepted');
  const wrong = Array.from({ length: count }, (_, index) => keyAt(index)).filter(
    (key) => record.get(key)?.ids.length !== 1,
  );
  return [
    ...open.map(([index, status, , , code]) => `${keyAt(index)} is ${status} (${code}) at the end`),
    ...wrong.map((key) => `${key} was accepted ${record.get(key)?.ids.length ?? 0} times at the end`),
  ];
}
