/**
 * The service of the proofs: an emulator in a process of its own, so that what it accepted is known whoever dies. It
 * refuses posts, loses answers before and after it acted, cuts them off, and takes its time; all of that by a seed. It
 * counts by itself, from what arrives, how often each key was posted.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEmulator, type Emulator } from '../../../../../src/testing/index.ts';
import { random } from '../../../../support/random.ts';
import type { KeyRecord, ServiceEvent, ServiceOrder } from '../messages.ts';

const VARIABLE = 'idempotency_key';

type Fate = 'answered' | 'refused' | 'lost before' | 'lost after' | 'cut';

/** What goes wrong with posts. The seed determines their order, so that each happens with every seed. */
const WRONG: readonly Fate[] = ['refused', 'lost before', 'lost after', 'cut'];

/** How long an answer takes at most, in milliseconds. */
const SLOWEST_MS = 60;

let emulator: Emulator;
let draw: () => number;
let isCalm: boolean;
let wrongInEvery: number;
let fates: Fate[];
let posts: Map<string, number>;
let arrived: number;
let announced: number;
/** Posts after this one wait until their sender is gone. */
let heldFrom = Infinity;
/** Wakes the posts that wait until so many have arrived. */
let gather: { readonly atPost: number; readonly isFull: Promise<void>; readonly open: () => void };

/** Opens when posts other than the first may be answered. */
let others: typeof gather;

let connected = 0;
let inHand = 0;

const tell = (event: ServiceEvent) => process.send?.(event);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Takes one of the fates that are left, and new ones when there is none. */
function fateOf(): Fate {
  if (isCalm) return 'answered';
  if (fates.length === 0) {
    const answered = Array.from({ length: wrongInEvery - WRONG.length }, () => 'answered' as const);
    fates = [...WRONG, ...answered];
  }
  return fates.splice(Math.floor(draw() * fates.length), 1)[0] ?? 'answered';
}

/** The emails of a body, whether of one send or of a batch. */
function keysIn(body: string): string[] {
  const { base = {}, requests } = JSON.parse(body) as {
    base?: { custom_variables?: Record<string, string> };
    requests?: { custom_variables?: Record<string, string> }[];
    custom_variables?: Record<string, string>;
  };
  const mails = requests ?? [JSON.parse(body) as { custom_variables?: Record<string, string> }];
  return mails.map((mail) => ({ ...base, ...mail }).custom_variables?.[VARIABLE] ?? 'no key');
}

async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  const isPost = message.method === 'POST';
  const act = () =>
    emulator.handle(
      new Request(`http://${message.headers.host}${message.url}`, {
        method: message.method ?? 'GET',
        headers: Object.entries(message.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]),
        ...(isPost && { body }),
      }),
    );
  const write = async (given: Response, isCut = false) => {
    const bytes = Buffer.from(await given.arrayBuffer());
    response.writeHead(given.status, {
      ...Object.fromEntries(given.headers),
      'content-length': bytes.length,
    });
    if (!isCut) response.end(bytes);
    else response.write(bytes.subarray(0, bytes.length / 2), () => message.socket.destroy());
  };
  if (!isPost) return write(await act());

  arrived += 1;
  const isFirst = arrived === 1;
  if (arrived === announced) tell({ kind: 'post' });
  if (arrived > heldFrom) {
    if (!message.socket.destroyed) await once(message.socket, 'close');
    return;
  }
  if (arrived >= gather.atPost) gather.open();
  await gather.isFull;
  if (!isFirst) await others.isFull;
  const fate = fateOf();
  const [before, after] = [draw(), draw()].map((share) => (share * SLOWEST_MS) / 2);
  await sleep(before ?? 0);
  if (fate === 'refused') {
    const headers = {
      'content-type': 'application/json',
      'retry-after': '0',
      date: new Date(emulator.clock.now()).toUTCString(),
    };
    response.writeHead(429, headers).end('{"error":"Rate limit exceeded"}');
    return;
  }
  for (const key of keysIn(body)) posts.set(key, (posts.get(key) ?? 0) + 1);
  if (fate === 'lost before') {
    message.socket.destroy();
    return;
  }
  const given = await act();
  await sleep(after ?? 0);
  if (fate === 'lost after') message.socket.destroy();
  else await write(given, fate === 'cut');
}

function gathering(atPost: number): typeof gather {
  let open!: () => void;
  const isFull = new Promise<void>((resolve) => (open = resolve));
  return { atPost, isFull, open };
}

function record(): KeyRecord[] {
  const ids = new Map<string, string[]>();
  for (const { id, customVariables } of emulator.messages()) {
    const key = (customVariables?.[VARIABLE] as string | undefined) ?? 'no key';
    const own = ids.get(key);
    if (own === undefined) ids.set(key, [id]);
    else own.push(id);
  }
  return [...new Set([...posts.keys(), ...ids.keys()])].map((key) => [
    key,
    posts.get(key) ?? 0,
    ids.get(key) ?? [],
  ]);
}

/** Waits for requests that a killed sender wrote before its end. */
async function drained(): Promise<void> {
  while (connected > 0 || inHand > 0) await sleep(5);
}

/** Closes every connection, once none of them waits for a response. */
async function closeIdle(): Promise<void> {
  others.open();
  while (inHand > 0) await sleep(5);
  server.closeIdleConnections();
}

const server = createServer((message, response) => {
  response.sendDate = false;
  inHand += 1;
  answer(message, response)
    .catch((error: unknown) => {
      // A client that was killed is gone; anything else is a mistake of the proof.
      if (message.socket.destroyed) return;
      tell({ kind: 'failed', error: String(error) });
      message.socket.destroy();
    })
    .finally(() => (inHand -= 1));
});
server.on('connection', (socket) => {
  connected += 1;
  socket.once('close', () => (connected -= 1));
});
server.keepAliveTimeout = 60_000;

process.on('message', (order: ServiceOrder) => {
  switch (order.kind) {
    case 'begin': {
      // As many on a page as a test needs; the limits of the log are in real time.
      emulator = createEmulator({
        limits: { emailLogsList: false },
        logs: { pageSize: 1000, shownWithinMs: order.shownWithinMs },
      });
      draw = random(order.seed);
      isCalm = order.wrongInEvery === undefined;
      wrongInEvery = order.wrongInEvery ?? 0;
      fates = [];
      gather = gathering(order.answersFromPost);
      others = gathering(0);
      if (order.answersOne !== true) others.open();
      announced = 0;
      posts = new Map();
      arrived = 0;
      const { token, accountId } = emulator.clientOptions();
      const { port } = server.address() as AddressInfo;
      const at = (name: string) => `http://127.0.0.1:${port}/${name}`;
      const hosts = { api: at('account'), send: at('send'), bulk: at('bulk'), sandbox: at('sandbox') };
      tell({ kind: 'begun', connection: { token, accountId, hosts } });
      break;
    }
    case 'calm':
      isCalm = true;
      tell({ kind: 'done' });
      break;
    case 'announce':
      announced = arrived + order.posts;
      heldFrom = order.holds ? announced + 2 : Infinity;
      tell({ kind: 'done' });
      break;
    case 'drain':
      void drained().then(() => tell({ kind: 'done' }));
      break;
    case 'close idle':
      void closeIdle().then(() => tell({ kind: 'done' }));
      break;
    case 'advance':
      emulator.clock.advance(order.ms);
      tell({ kind: 'done' });
      break;
    case 'record':
      tell({ kind: 'record', keys: record(), arrived });
      break;
  }
});
process.once('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => tell({ kind: 'listening' }));
