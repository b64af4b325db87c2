import { EmailPlatformError, type EmailPlatformOptions } from 'email-platform';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { covering, sizeOf } from '../support/covering.ts';
import { isFull } from '../support/extent.ts';
import { broken, failure, scriptedFetch, silence, type Turn } from '../support/scripted-fetch.ts';
import { until } from '../support/virtual-client.ts';
import { good } from './answer-faults.ts';
import type { Call } from '../support/calls/call.ts';
import { CALLS } from '../support/calls/calls.ts';
import { leftovers, optionsOf, outcomeOf, throughEverything, worldOf, type Outcome } from './cell.ts';
import { kindOfCall } from './faults.ts';

const DEADLINE_MS = 5_000;
const WINDOW_MS = 60_000;
const URL = 'https://api.test';

/** A place where a call can be when its caller no longer wants it. */
interface Place {
  readonly name: string;
  /** The response to its requests. */
  readonly turn: (call: Call) => Turn;
  readonly options?: EmailPlatformOptions;
  /** Whether a call before it uses up the limit. */
  readonly isQueued?: true;
  /** How many of its own requests are sent by then. */
  readonly sent: 0 | 1;
  /** The possible effect at this place; `'by status'` if a received status may decide. */
  readonly effect: 'none' | 'unknown' | 'by status';
  /** Calls that cannot be there. */
  readonly but?: (call: Call) => boolean;
  /** The wait always ends before the deadline, or it would not begin: only a busy process can miss it. */
  readonly isShort?: true;
  /** Whether the call is there. */
  readonly isThere: (seen: {
    readonly sent: number;
    readonly pulls: number;
    readonly events: object[];
  }) => boolean;
}

const neverSent = failure(broken('ECONNREFUSED', 'connect'));
const lost = failure(broken('ECONNRESET', 'read'));
const isRetrying = ({ events }: { readonly events: object[] }) => events.some((event) => 'delayMs' in event);
const isQueued = ({ events }: { readonly events: object[] }) => events.some((event) => 'waiting' in event);
let tokensAsked = 0;
let pulls = 0;

const PLACES: readonly Place[] = [
  {
    name: 'while the token is asked for',
    turn: good,
    options: {
      token: () => {
        tokensAsked += 1;
        return new Promise(() => undefined);
      },
    },
    sent: 0,
    effect: 'none',
    but: ({ isSigned }) => isSigned === true,
    isThere: () => tokensAsked > 0,
  },
  {
    name: 'while it waits for a permit',
    turn: good,
    options: { throttle: { limits: { token: { requests: 1, perMs: WINDOW_MS } } } },
    isQueued: true,
    sent: 0,
    effect: 'none',
    but: ({ isSigned }) => isSigned === true,
    isThere: isQueued,
  },
  {
    name: 'before the headers',
    turn: () => silence,
    sent: 1,
    effect: 'unknown',
    isThere: ({ sent }) => sent === 1,
  },
  {
    name: 'in the body',
    turn: () => () => new Response(new ReadableStream({ pull: stall }, { highWaterMark: 0 })),
    sent: 1,
    effect: 'by status',
    isThere: () => pulls > 0,
  },
  {
    name: 'between two attempts, the first of which never left',
    turn: () => neverSent,
    sent: 1,
    effect: 'none',
    isShort: true,
    isThere: isRetrying,
  },
  {
    name: 'between two attempts, the first of which was lost',
    turn: () => lost,
    sent: 1,
    effect: 'unknown',
    but: ({ repeated }) => repeated === 'does it twice',
    isShort: true,
    isThere: isRetrying,
  },
];

function stall(): Promise<void> {
  pulls += 1;
  return new Promise(() => undefined);
}

/** How a caller ends it: by its signal, by its deadline, or by a deadline that passes while the process is busy. */
const ENDS = ['aborted', 'out of time', 'out of time while the process is busy'] as const;

let cells = 0;
const unhandled: unknown[] = [];
const keep = (reason: unknown) => void unhandled.push(reason);
beforeAll(() => void process.on('unhandledRejection', keep));
afterEach(() => {
  expect(unhandled.splice(0)).toEqual([]);
});
afterAll(() => {
  process.off('unhandledRejection', keep);
  const extent = isFull ? 'all' : `a covering set of ${sizeOf(chosen)}`;
  process.stdout.write(`endings: ${cells} cells, ${extent}\n`);
});

async function cell(call: Call, place: Place, end: (typeof ENDS)[number]): Promise<string[]> {
  cells += 1;
  tokensAsked = 0;
  pulls = 0;
  const controller = new AbortController();
  const { fetch, sent } = scriptedFetch(place.turn(call));
  const world = worldOf(URL, { fetch, ...place.options });
  const { client, time, events } = world;
  const occupant = scriptedFetch(good({ ...call, answer: {} }));
  if (place.isQueued) {
    await client.withOptions({ fetch: occupant.fetch }).request({ method: 'GET', path: '/api/first' });
  }
  events.length = 0;
  const ending = end === 'aborted' ? { signal: controller.signal } : { deadlineMs: DEADLINE_MS };
  const outcome = outcomeOf(call.run(client, optionsOf(ending), { text: 'Hello', url: URL }));
  await until(() => place.isThere({ sent: sent.length, pulls, events }));
  if (end === 'aborted') controller.abort(new Error('No longer wanted.'));
  // The clock is past everything; the timers fire afterwards, in the order of their times.
  else if (end !== 'out of time') time.stall(2 * WINDOW_MS);
  else await time.advance(DEADLINE_MS - time.now());
  const reached = await throughEverything(time, outcome);
  // Whatever the client still has in mind, it has the time for it now.
  const left = await leftovers(world, [reached], [call]);
  const problems = sent.length > place.sent ? [`${sent.length} requests were sent, not ${place.sent}`] : [];
  return [...problems, ...misended(reached, call, place, end), ...left];
}

function misended(outcome: Outcome, call: Call, { effect }: Place, end: (typeof ENDS)[number]): string[] {
  if (outcome.kind === 'unsettled') return ['it did not settle'];
  const isDecided = effect === 'by status' && call.reading === 'status';
  if (outcome.kind === 'result') return ['it succeeded'];
  const { error } = outcome;
  if (!(error instanceof EmailPlatformError)) return [`it failed with ${String(error)}`];
  // A 200 has arrived by then, where only a 204 is a success.
  const ended = end === 'aborted' ? 'AbortError' : 'TimeoutError';
  const name = isDecided ? 'ResponseFormatError' : ended;
  const right = effect === 'by status' ? 'unknown' : effect;
  return [
    ...(error.name === name ? [] : [`it failed with ${error.name}: ${error.message}`]),
    ...(error.effect === right ? [] : [`its effect is ${error.effect}, not ${right}`]),
  ];
}

/** The ways to end a call, by the places where it can be. */
const endings = PLACES.flatMap((place) =>
  ENDS.filter((end) => !(place.isShort && end === 'out of time')).map((end) => ({ place, end })),
);
/** Every ending meets every kind of call; and every call meets a place of each effect. */
const chosen = covering(CALLS, endings, {
  kind: kindOfCall,
  group: ({ place }) => place.effect,
  isPossible: (call, { place }) => place.but?.(call) !== true,
});

test.each(endings.map((ending) => [ending.place.name, ending.end, ending] as const))(
  'A call that ends %s, because it is %s',
  async (_, end, ending) => {
    const problems: string[] = [];
    for (const call of chosen.get(ending) ?? [])
      problems.push(...(await cell(call, ending.place, end)).map((problem) => `${call.name}: ${problem}`));
    expect(problems).toEqual([]);
  },
);

test('A call whose signal was aborted before is not sent', async () => {
  const problems: string[] = [];
  for (const call of CALLS) {
    cells += 1;
    const { fetch, sent } = scriptedFetch(good(call));
    const world = worldOf(URL, { fetch });
    const run = call.run(world.client, optionsOf({ signal: AbortSignal.abort() }), {
      text: 'Hello',
      url: URL,
    });
    const outcome = await throughEverything(world.time, outcomeOf(run));
    const place = { ...PLACES[0], effect: 'none' } as Place;
    const found = [
      ...misended(outcome, call, place, 'aborted'),
      ...(await leftovers(world, [outcome], [call])),
    ];
    if (sent.length > 0) found.push('it was sent');
    problems.push(...found.map((problem) => `${call.name}: ${problem}`));
  }
  expect(problems).toEqual([]);
});
