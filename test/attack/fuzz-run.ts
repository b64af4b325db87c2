import { setImmediate as nextTurn } from 'node:timers/promises';
import { EmailPlatformError } from 'email-platform';
import fc from 'fast-check';
import type { Turn } from '../support/scripted-fetch.ts';
import { ANSWER_FAULTS, good, type AnswerFault } from './answer-faults.ts';
import type { Call } from '../support/calls/call.ts';
import { CALLS } from '../support/calls/calls.ts';
import { leftovers, optionsOf, outcomeOf, worldOf, type Outcome } from './cell.ts';
import { SECRETS } from './faults.ts';
import { mayHaveActed, verdictOn, type Meaning } from './verdicts.ts';

/** One call of a run, in words, so that a run that fails can be read. */
interface PlannedCall {
  readonly call: string;
  readonly startsAt: number;
  /** The faults of its requests, one after the other. Further requests succeed. */
  readonly faults: readonly string[];
  /** Milliseconds until each of its requests is answered. */
  readonly latencyMs: number;
  readonly ends: { readonly abortAfterMs?: number; readonly deadlineMs?: number };
}

/** Calls of one client, at random times, that meet random faults and are ended at random. */
export interface Plan {
  readonly requests: number;
  readonly perMs: number;
  readonly maxRetries: number;
  readonly isTokenFunction: boolean;
  readonly calls: readonly PlannedCall[];
}

const CALL_BY_NAME = new Map(CALLS.map((call) => [call.name, call]));
const nameOf = ({ phase, name }: AnswerFault) => `${phase}: ${name}`;
const FAULT_BY_NAME = new Map(ANSWER_FAULTS.map((fault) => [nameOf(fault), fault]));

const ms = fc.integer({ min: 1, max: 30_000 });

export const plans: fc.Arbitrary<Plan> = fc.record({
  requests: fc.integer({ min: 1, max: 4 }),
  perMs: fc.constantFrom(100, 1_000, 10_000),
  maxRetries: fc.integer({ min: 0, max: 3 }),
  isTokenFunction: fc.boolean(),
  calls: fc.array(
    fc.record({
      call: fc.constantFrom(...CALL_BY_NAME.keys()),
      startsAt: fc.integer({ min: 0, max: 5_000 }),
      faults: fc.array(fc.constantFrom(...FAULT_BY_NAME.keys()), { maxLength: 4 }),
      latencyMs: fc.integer({ min: 0, max: 3_000 }),
      ends: fc.oneof(
        fc.constant({}),
        fc.record({ abortAfterMs: ms }),
        fc.record({ deadlineMs: ms }),
        fc.record({ abortAfterMs: ms, deadlineMs: ms }),
      ),
    }),
    { minLength: 1, maxLength: 6 },
  ),
});

/** A request as the service saw it. */
interface Delivery {
  readonly at: number;
  readonly meaning: Meaning;
}

/** A call that is under way. */
interface Running {
  readonly plan: PlannedCall;
  readonly call: Call;
  readonly faults: readonly AnswerFault[];
  readonly deliveries: Delivery[];
  startedAt: number;
  endedAt: number | undefined;
  outcome: Outcome;
}

/** After this number of turns without a due timer, all work that takes no time is done. */
const IDLE_TURNS = 40;
const MAX_TURNS = 20_000;
const URL = 'https://api.test';

/** Carries out a plan; what is wrong with what happened. */
export async function problemsOf(plan: Plan): Promise<string[]> {
  const runs = plan.calls.map((planned): Running => {
    const call = CALL_BY_NAME.get(planned.call);
    if (!call) throw new Error(`There is no call ${planned.call}.`);
    const faults = planned.faults.flatMap((name) => FAULT_BY_NAME.get(name) ?? []);
    const possible = faults.filter(({ only }) => only?.(call) !== false);
    const outcome = { kind: 'unsettled' } as const;
    return {
      plan: planned,
      call,
      faults: possible,
      deliveries: [],
      startedAt: 0,
      endedAt: undefined,
      outcome,
    };
  });

  const { requests, perMs, maxRetries } = plan;
  const world = worldOf(URL, {
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const { searchParams, pathname } = new globalThis.URL(request.url);
      // The requests of signed URLs have no header of the call's.
      const [, inPath] = /run-(\d+)/.exec(pathname) ?? [];
      const run = runs[Number(request.headers.get('x-run') ?? searchParams.get('run') ?? inPath)];
      if (!run) throw new Error('A request of no call.');
      await request.arrayBuffer();
      const fault = run.faults[run.deliveries.length];
      run.deliveries.push({ at: world.time.now(), meaning: fault?.meaning ?? 'fine' });
      const { latencyMs } = run.plan;
      if (latencyMs > 0) await world.time.sleep(latencyMs);
      const turn: Turn = fault?.turn(run.call, () => undefined) ?? good(run.call);
      return turn({
        method: '',
        url: '',
        headers: new Headers(),
        body: '',
        redirect: '',
        signal: request.signal,
      });
    },
    throttle: { limits: { token: { requests, perMs } } },
    retry: { maxRetries },
    ...(plan.isTokenFunction && { token: () => Promise.resolve(SECRETS.token) }),
  });
  const { client, time } = world;

  runs.forEach((run, index) => {
    const { startsAt, ends } = run.plan;
    time.setTimer(startsAt, () => {
      run.startedAt = time.now();
      const controller = new AbortController();
      if (ends.abortAfterMs !== undefined) time.setTimer(ends.abortAfterMs, () => controller.abort());
      const headers = { 'x-run': String(index), 'x-mine': SECRETS.header };
      const options = { ...optionsOf({ signal: controller.signal, headers }), deadlineMs: ends.deadlineMs };
      const url = `${URL}/?run=${index}&path=`;
      void outcomeOf(run.call.run(client, options, { text: SECRETS.body, url })).then((outcome) => {
        run.outcome = outcome;
        run.endedAt = time.now();
      });
    });
  });

  for (
    let turn = 0, idle = 0;
    turn < MAX_TURNS && runs.some(({ endedAt }) => endedAt === undefined);
    turn += 1
  ) {
    await nextTurn();
    idle += 1;
    // An attempt's own timeout is far away: it is reached only when nothing else happens any more.
    if (time.nextAt - time.now() < 100_000 || idle > IDLE_TURNS) {
      time.fireNext();
      idle = 0;
    }
  }

  const problems = runs.flatMap((run, index) =>
    misdone(run, plan).map((problem) => `${index} ${run.call.name}: ${problem}`),
  );
  const outcomes = runs.map(({ outcome }) => outcome);
  const calls = runs.map(({ call }) => call);
  return [...problems, ...overLimit(runs, plan), ...(await leftovers(world, outcomes, calls))];
}

/** Methods that may send another request than the first, to read what became of it. */
const READS_ON = /^campaigns\.|^accounts\.permissions/;

function misdone(
  { plan, call, deliveries, startedAt, endedAt, outcome }: Running,
  { maxRetries }: Plan,
): string[] {
  if (outcome.kind === 'unsettled' || endedAt === undefined) return ['it never settled'];
  const problems: string[] = [];
  const meanings = deliveries.map(({ meaning }) => meaning);
  const acted = meanings.filter((meaning) => mayHaveActed(meaning, call));
  if (call.repeated === 'does it twice') {
    if (acted.length > 1) problems.push(`it may have been done ${acted.length} times`);
    const before = meanings.slice(0, -1).filter((each) => each !== 'never sent' && each !== 'over the limit');
    if (before.length > 0) problems.push(`it was sent again after "${before.join('", "')}"`);
  }
  if (deliveries.some(({ at }) => at > endedAt)) problems.push('a request was sent after the call had ended');
  const { deadlineMs = Infinity, abortAfterMs = Infinity } = plan.ends;
  const wantedUntil = startedAt + Math.min(deadlineMs, abortAfterMs);
  if (deliveries.some(({ at }) => at > wantedUntil)) problems.push('a request was sent when it was too late');
  const refusals = meanings.filter((meaning) => meaning.startsWith('over the limit')).length;
  const most = 1 + maxRetries + refusals + (READS_ON.test(call.name) ? 2 + maxRetries : 0);
  if (deliveries.length > most) problems.push(`${deliveries.length} requests were sent, not ${most}`);
  if (outcome.kind === 'result') {
    const last = meanings.at(-1);
    if (last === undefined) problems.push('it succeeded without a request');
    else if (call.repeated === 'does it twice' && verdictOn(last, call) !== 'result')
      problems.push(`it succeeded after "${last}"`);
    return problems;
  }
  const { error } = outcome;
  if (!(error instanceof EmailPlatformError)) return [...problems, `it failed with ${String(error)}`];
  // Permissions are looked for at two addresses, each by a call of its own.
  if (error.effect === 'none' && acted.length > 0 && call.repeated !== 'reads')
    problems.push(`its effect is none, after "${acted.join('", "')}": ${String(error)}`);
  if (error.effect === 'unknown' && deliveries.length === 0)
    problems.push(`its effect is unknown, without a request: ${String(error)}`);
  return problems;
}

/** Faults whose request never reached the service, so that it counted nothing. */
const UNSEEN: readonly Meaning[] = ['never sent', 'untrusted'];

/** Whether the service saw more requests than it allows, in any window. */
function overLimit(runs: readonly Running[], { requests, perMs }: Plan): string[] {
  const times = runs
    .filter(({ call }) => call.isSigned !== true)
    .flatMap(({ deliveries }) =>
      deliveries.filter(({ meaning }) => !UNSEEN.includes(meaning)).map(({ at }) => at),
    )
    .sort((one, other) => one - other);
  return times.flatMap((at, index) => {
    const inWindow = times.slice(index).filter((other) => other < at + perMs).length;
    return inWindow > requests ? [`${inWindow} requests within ${perMs} ms, not ${requests}`] : [];
  });
}
