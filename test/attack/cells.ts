import type { Socket } from 'node:net';
import { closedPort } from '../support/ports.ts';
import { scriptedFetch, type Turn } from '../support/scripted-fetch.ts';
import { good, bodyOf } from './answer-faults.ts';
import type { Call } from '../support/calls/call.ts';
import { counting, leftovers, misjudged, optionsOf, outcomeOf, throughEverything, worldOf } from './cell.ts';
import { SECRETS } from './faults.ts';
import { inheriting } from './inheriting.ts';
import type { MachineFault } from './machine-faults.ts';
import { conversing, rawResponse, type RawServer } from './raw-server.ts';
import type { SocketFault } from './socket-faults.ts';
import { isSentAgain, verdictOn, type Meaning } from './verdicts.ts';

/** How often the fault happens: once, and where another request follows, also every time. */
export function timesOf(call: Call, meaning: Meaning): readonly number[] {
  const verdict = verdictOn(meaning, call);
  // A call that is refused again and again waits again and again; that has tests of its own.
  if (verdict === 'result' || meaning === 'over the limit') return [1];
  return isSentAgain(verdict, call) || verdict.again === 'a read follows' ? [1, Infinity] : [1];
}

/** The same for a fault of a connection: a closed port stays closed, and a server does not learn TLS. */
export const socketTimesOf = ({ isHttps, isClosed }: SocketFault): readonly number[] =>
  isHttps === true || isClosed === true ? [Infinity] : [1];

/** Larger than what the system takes from a sender at once, where the fault is that the rest is not taken. */
const LARGE = 400_000;
const SCRIPTED_URL = 'https://api.test';

/** A deadline that nothing waits for as long as, and a suspension that is longer. */
const DEADLINE_MS = 500_000;
const SUSPENDED_MS = 3_600_000;

/** The result of a call without a fault. */
export async function normalResultOf(call: Call): Promise<unknown> {
  const { fetch } = scriptedFetch(good(call));
  const { client, time } = worldOf(SCRIPTED_URL, { fetch });
  const run = call.run(client, optionsOf(), { text: 'Hello', url: SCRIPTED_URL });
  const outcome = await throughEverything(time, outcomeOf(run));
  if (outcome.kind !== 'result') throw new Error(`${call.name} fails by itself`, { cause: outcome });
  return outcome.value;
}

/** One call that meets a fault of a `fetch` or of the machine; what is wrong with its end. */
export async function answerCell(
  call: Call,
  { turn, meaning, hasDeadline, pollution }: MachineFault,
  times: number,
  normal: unknown,
): Promise<string[]> {
  let stalls = 0;
  const faulty: Turn = turn(
    call,
    () => (stalls += 1),
    () => world.suspend(SUSPENDED_MS),
  );
  const { fetch, sent } = times === 1 ? scriptedFetch(faulty, good(call)) : scriptedFetch(faulty);
  const world = worldOf(SCRIPTED_URL, { fetch });
  const options = optionsOf(hasDeadline && { deadlineMs: DEADLINE_MS });
  const run = () => call.run(world.client, options, { text: SECRETS.body, url: SCRIPTED_URL });
  const ended = () => throughEverything(world.time, outcomeOf(run()), () => stalls);
  const outcome = await (pollution ? inheriting(pollution, ended) : ended());
  const deliveries = sent.length;
  return [
    ...misjudged(outcome, { call, meaning, times, normal, deliveries }),
    ...(await leftovers(world, [outcome], [call])),
  ];
}

/** A server that has the fault so often, and answers as the call hopes otherwise. */
async function faultyServer(
  call: Call,
  { on, act, over, isKeptAlive }: SocketFault,
  times: number,
  onStall: () => void,
): Promise<RawServer> {
  const body = bodyOf(call);
  const answer = call.answer === undefined ? 'HTTP/1.1 204 No Content\r\n\r\n' : rawResponse('200 OK', body);
  let left = times;
  let isWarm = isKeptAlive !== true;
  // Once a connection has the fault, nothing else is done with it.
  const spoilt = new WeakSet();
  const happens = (at: SocketFault['on'], socket: Socket) => {
    if (at !== on || !isWarm || left === 0 || spoilt.has(socket)) return;
    left -= 1;
    spoilt.add(socket);
    act({ socket, body, answer, stalled: onStall });
  };
  return conversing(
    {
      onConnection: (socket) => happens('connection', socket),
      onHead: (socket) => happens('head', socket),
      onRequest: (socket) => {
        happens('request', socket);
        if (!spoilt.has(socket)) socket.write(isWarm ? answer : rawResponse('200 OK', '{}'));
        isWarm = true;
      },
    },
    over,
  );
}

/** One call that meets a fault of a real connection; what is wrong with its end. */
export async function socketCell(
  call: Call,
  fault: SocketFault,
  times: number,
  normal: unknown,
): Promise<string[]> {
  const { meaning, phase, isHttps, isClosed, isKeptAlive } = fault;
  let stalls = 0;
  const server = await faultyServer(call, fault, times, () => (stalls += 1));
  const port = isClosed === true ? await closedPort() : server.port;
  const url = `${isHttps === true ? 'https' : 'http'}://127.0.0.1:${port}`;
  // A status that has arrived may decide the outcome: time must not run out before that.
  const counter = phase === 'in the body' ? counting() : undefined;
  const world = worldOf(url, counter && { fetch: counter.fetch });
  const finished = (run: PromiseLike<unknown>) =>
    throughEverything(world.time, outcomeOf(run), () => Math.min(stalls, counter?.begun() ?? Infinity));
  try {
    if (isKeptAlive === true) await finished(world.client.request({ method: 'GET', path: '/api/warm-up' }));
    const before = server.requests.length;
    const text = phase === 'while the request is written' ? SECRETS.body.padEnd(LARGE, '.') : SECRETS.body;
    const outcome = await finished(call.run(world.client, optionsOf(), { text, url }));
    const deliveries = server.requests.length - before;
    return [
      ...misjudged(outcome, { call, meaning, times, normal, deliveries }),
      ...(await leftovers(world, [outcome], [call])),
    ];
  } finally {
    await server.close();
  }
}
