import { isDeepStrictEqual } from 'node:util';
import { EmailPlatform, EmailPlatformError, type EmailPlatformOptions } from 'email-platform';
import * as schemas from 'email-platform/schemas';
import { everythingOf } from '../support/everything-of.ts';
import { virtualRuntime } from '../support/virtual-client.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import type { Call, CallOptions } from '../support/calls/call.ts';
import { SECRETS } from './faults.ts';
import { effectOf, isSentAgain, verdictOn, type Meaning } from './verdicts.ts';

/** So long that no other wait is as long: when it is to pass, it is the fault that says so. */
export const TIMEOUT_MS = 1_000_000;
/** No wait before a retry is longer, and no window. */
const LONGEST_WAIT_MS = 200_000;

/** A client in virtual time, and everything that its hooks were told. */
export interface World {
  readonly client: EmailPlatform;
  readonly time: VirtualTime;
  readonly events: object[];
  /** Suspends the machine for so long: the wall clock goes on, and the monotonic clock stands still. */
  readonly suspend: (ms: number) => void;
}

export function worldOf(hosts: string, options: EmailPlatformOptions = {}): World {
  const time = new VirtualTime();
  const events: object[] = [];
  const runtime = virtualRuntime(time);
  let suspendedMs = 0;
  const suspend = (ms: number) => {
    suspendedMs += ms;
  };
  const keep = (event: object) => void events.push(event);
  const client = new EmailPlatform(
    {
      token: SECRETS.token,
      hosts: { api: hosts, send: hosts, bulk: hosts, sandbox: hosts },
      sandboxInboxId: 5,
      timeoutMs: TIMEOUT_MS,
      retry: { maxRetries: 1 },
      hooks: { onRequest: keep, onResponse: keep, onRetry: keep, onThrottle: keep, onMismatch: keep },
      schemas,
      ...options,
    },
    { ...runtime, wallNow: () => runtime.wallNow() + suspendedMs },
  );
  return { client, time, events, suspend };
}

/** The outcome of a call. */
export type Outcome =
  | { readonly kind: 'result'; readonly value: unknown }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'unsettled' };

export const outcomeOf = (promise: PromiseLike<unknown>): Promise<Outcome> =>
  Promise.resolve(promise).then(
    (value): Outcome => ({ kind: 'result', value }),
    (error: unknown): Outcome => ({ kind: 'error', error }),
  );

const turn = (count: number) =>
  new Promise<void>((resolve) => {
    if (count < 500) setImmediate(resolve);
    else setTimeout(resolve, 1);
  });

/**
 * Lets a call come to its end. Its waits take no time; the time of an attempt runs out once for each time that the fault
 * says nothing more will come. It does not wait for longer than some seconds.
 */
export async function throughEverything(
  time: VirtualTime,
  outcome: Promise<Outcome>,
  stalls: () => number = () => 0,
): Promise<Outcome> {
  let settled: Outcome | undefined;
  void outcome.then((reached) => (settled = reached));
  let ranOut = 0;
  let stallsSeen = 0;
  for (let count = 0; count < 6_000; count += 1) {
    await turn(count);
    if (settled) return settled;
    const dueInMs = time.nextAt - time.now();
    if (dueInMs < LONGEST_WAIT_MS) time.fireNext();
    else if (stallsSeen > ranOut && dueInMs < Infinity) {
      ranOut += 1;
      time.fireNext();
    }
    stallsSeen = stalls();
  }
  return { kind: 'unsettled' };
}

/** The options of a call, besides its arguments. */
export const optionsOf = (more: CallOptions = {}): CallOptions => ({
  headers: { 'x-mine': SECRETS.header },
  ...more,
});

/** Problems after the end of calls: permits in use, timers, readable secrets. */
export async function leftovers(
  { client, time, events }: World,
  outcomes: readonly Outcome[],
  calls: readonly Pick<Call, 'isSigned'>[],
): Promise<string[]> {
  const problems: string[] = [];
  // The longest that a permit stays out: the time of a token function, of a claim and of a request, and a window.
  await time.advance(4 * TIMEOUT_MS);
  for (const [name, { used, waiting }] of Object.entries(client.limits.snapshot())) {
    if (used !== 0 || waiting !== 0) problems.push(`of ${name}, ${used} permits are used, ${waiting} wait`);
  }
  if (time.pending > 0) problems.push(`${time.pending} timers are left`);
  const errors = outcomes.map((outcome) => (outcome.kind === 'error' ? outcome.error : undefined));
  const readable = everythingOf([errors, events]);
  const isTokenSent = calls.every(({ isSigned }) => isSigned !== true);
  for (const [name, secret] of Object.entries(SECRETS)) {
    // A signed URL is not given the token: what a server makes up is not ours.
    if (readable.includes(secret) && (isTokenSent || secret !== SECRETS.token))
      problems.push(`its ${name} can be read`);
  }
  return problems;
}

/** The expectation for a call. */
export interface Expected {
  readonly call: Call;
  readonly meaning: Meaning;
  /** How often it meets the fault. */
  readonly times: number;
  /** The result without a fault. */
  readonly normal: unknown;
  /** Complete requests that arrived. */
  readonly deliveries: number;
}

/** The problems of a call's outcome. */
export function misjudged(
  outcome: Outcome,
  { call, meaning, times, normal, deliveries }: Expected,
): string[] {
  const verdict = verdictOn(meaning, call);
  const requests = isSentAgain(verdict, call) ? 2 : 1;
  const isFollowed = requests === 2 || (verdict !== 'result' && verdict.again === 'a read follows');
  const most = isFollowed ? 2 : 1;
  const problems = deliveries > most ? [`${deliveries} requests arrived, not ${most}`] : [];
  if (outcome.kind === 'unsettled') return [...problems, 'it did not settle'];
  if (verdict === 'result' || (isFollowed && times === 1)) {
    if (outcome.kind === 'error') return [...problems, `it failed with ${String(outcome.error)}`];
    const isOwn = verdict === 'result' && !meaning.startsWith('fine') && call.reading !== 'status';
    return isOwn || isSame(outcome.value, normal) ? problems : [...problems, 'it has another result'];
  }
  if (outcome.kind === 'result') return [...problems, 'it succeeded'];
  const { error } = outcome;
  if (!(error instanceof EmailPlatformError)) return [...problems, `it failed with ${String(error)}`];
  const effect = effectOf(verdict, call);
  if (!verdict.classes.includes(error.name)) problems.push(`it failed with ${error.name}: ${error.message}`);
  if (error.effect !== effect) problems.push(`its effect is ${error.effect}, not ${effect}`);
  const { attempts = 0 } = error.request ?? {};
  if (attempts !== requests) problems.push(`it says that it made ${attempts} requests, not ${requests}`);
  return problems;
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
const isSame = (one: unknown, other: unknown) => isDeepStrictEqual(plain(one), plain(other));

/** A `fetch` that says how many responses have begun. */
export function counting(): { readonly fetch: EmailPlatform.Fetch; readonly begun: () => number } {
  let begun = 0;
  return {
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      begun += 1;
      return response;
    },
    begun: () => begun,
  };
}
