import type { DatabaseName } from '../../support/databases.ts';
import { random } from '../../support/random.ts';
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

/** What a kill run was, for its record. */
export interface KillRun {
  readonly seed: number;
  readonly database: DatabaseName;
  /** When it was killed. */
  readonly killedAt: string;
  /** Emails with an outcome in the run that was killed. */
  readonly before: number;
  /** Emails that the second run reported as unknown or not sent. */
  readonly gaps: number;
  /** Those that a run with 'resend' still reported, because the log did not show them yet. */
  readonly stillUnknown: number;
  /** Emails that the last run sent again. */
  readonly resent: number;
  readonly tookMs: number;
  /** What must not be; empty if all is well. */
  readonly problems: readonly string[];
}

interface Parts {
  readonly service: Service;
  readonly name: DatabaseName;
  readonly node: string;
  readonly folder: string;
  readonly seed: number;
  readonly count: number;
}

type Known = Awaited<ReturnType<Service['record']>>;

const NOTHING = { posts: 0, ids: [] as readonly string[] };

/**
 * Sends an input in a process that is killed at a moment of the seed's; sends it again, in another process; then, once the
 * leases are over, with 'resend', while the log is still late; and at last when it no longer is. The service says after each
 * what arrived there.
 */
export async function killRun({ service, name, node, folder, seed, count }: Parts): Promise<KillRun> {
  const startedAt = performance.now();
  const draw = random(seed);
  // Not after the last call: nothing would be left to be killed in.
  const killAtPost = Math.floor(draw() * (callsFor(count) - 3));
  const thenMs = Math.floor(draw() * 60);
  await service.begin({
    seed,
    shownWithinMs: LOG_LATE_MS,
    isCalm: false,
    announce: killAtPost,
    answersFromPost: 0,
  });
  const order = (more?: Partial<SenderOrder>) =>
    orderOf({ service, name, folder, file: String(seed), count }, more);

  const first = await Sender.start(node);
  first.begin(order());
  await first.expect('started');
  const told = first.outcomes();
  await Promise.race([killAtPost === 0 ? undefined : service.announced, told]);
  await new Promise((resolve) => setTimeout(resolve, thenMs));
  await first.kill();
  const before = await told;
  const problems = [...(before.isOver ? ['The run was over before it was killed'] : [])];

  const next = await Sender.start(node);
  try {
    const second = await next.run(order());
    problems.push(...afterReport(before.outcomes, second, await service.record(), count));

    await service.advance(LEASE_MS + 5 * SECOND);
    const early = await next.run(order({ onUnknown: 'resend', movedOnMs: LEASE_MS + 5 * SECOND }));
    problems.push(...neverTwice(await service.record(), count, 'with resend, before the log is complete'));
    problems.push(...truthful(early, await service.record(), count));

    const movedOnMs = 2 * LEASE_MS + SETTLE_AFTER_MS + 10 * SECOND;
    await service.advance(movedOnMs - (LEASE_MS + 5 * SECOND));
    await service.calm();
    // Half of them ask for what is unknown first, as the guide advises.
    const last = await next.run(order({ onUnknown: 'resend', movedOnMs, settles: seed % 2 === 0 }));
    const record = await service.record();
    problems.push(...truthful(last, record, count), ...onceEach(last, record, count));

    const gapsOf = (outcomes: readonly Told[]) =>
      outcomes.filter(([, status]) => status !== 'accepted').length;
    return {
      seed,
      database: name,
      killedAt: `${thenMs} ms after ${killAtPost === 0 ? 'the start' : `post ${killAtPost}`}`,
      before: before.outcomes.length,
      gaps: gapsOf(second),
      stillUnknown: gapsOf(early),
      resent: [...record.values()].filter(({ posts }) => posts > 1).length,
      tookMs: Math.round(performance.now() - startedAt),
      problems: problems.slice(0, 20),
    };
  } finally {
    await next.kill();
  }
}

/** What is wrong after the run that was killed and the one after it, neither of which may send a key twice. */
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
