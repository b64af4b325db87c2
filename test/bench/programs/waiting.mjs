// Queues very many calls, then opens the limit, and prints as JSON the memory and the time that each of them took.
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const [entry, calls, rounds] = process.argv.slice(2).map((word, n) => (n === 0 ? word : Number(word)));
const { EmailPlatform } = await import(pathToFileURL(entry).href);

/** Number of requests in flight; no response arrives before the limit is opened. */
const IN_FLIGHT = 100;

/** Bytes on the heap without garbage. Collects repeatedly: what has to be finalized is not freed the first time. */
async function heapUsed() {
  for (let n = 0; n < 3; n += 1) {
    await sleep(50);
    globalThis.gc();
  }
  return process.memoryUsage().heapUsed;
}

async function round(calls) {
  let open;
  const opened = new Promise((resolve) => (open = resolve));
  const client = new EmailPlatform({
    token: 'token',
    hosts: { api: 'https://api.example.com' },
    // Once open, this limits nothing: it is more than a machine can send in a millisecond.
    throttle: { limits: { token: { requests: IN_FLIGHT, perMs: 1 } } },
    timeoutMs: 2_000_000,
    fetch: () => opened.then(() => new Response(null, { status: 204 })),
  });
  const inFlight = Array.from({ length: IN_FLIGHT }, () => client.campaigns.delete(1));
  const before = await heapUsed();

  const waiting = new Array(calls);
  for (let n = 0; n < calls; n += 1) waiting[n] = client.campaigns.delete(1);
  const bytesPerCall = ((await heapUsed()) - before) / calls;
  const queued = client.limits.snapshot().token.waiting;
  if (queued !== calls) throw new Error(`${queued} of ${calls} calls are queued`);

  // CPU time, because other processes on this machine do not add to it.
  const cpuUs = () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  };
  const tenth = calls / 10;
  const marks = [];
  let ended = 0;
  const end = () => {
    ended += 1;
    if (ended % tenth === 0) marks.push(cpuUs());
  };
  const ends = waiting.map((call) => call.then(end));
  waiting.length = 0;
  await heapUsed();
  const startedAt = performance.now();
  marks.push(cpuUs());
  open();
  await Promise.all(inFlight);
  await Promise.all(ends);
  const drainMs = performance.now() - startedAt;
  return { bytesPerCall, drainMs, tenthsUs: marks.slice(1).map((mark, n) => (mark - marks[n]) / tenth) };
}

/** Aborts queued calls by one signal. Returns the longest time for which the event loop did nothing else. */
async function abort(calls) {
  const controller = new AbortController();
  const { signal } = controller;
  const client = new EmailPlatform({
    token: 'token',
    hosts: { api: 'https://api.example.com' },
    throttle: { limits: { token: { requests: 1, perMs: 2_000_000 } } },
    timeoutMs: 2_000_000,
    fetch: () => Promise.resolve(new Response(null, { status: 204 })),
  });
  await client.campaigns.delete(1);
  const waiting = Array.from({ length: calls }, () => client.campaigns.delete(1, { signal }));
  const ended = Promise.allSettled(waiting);
  await sleep(50);
  let longestMs = 0;
  let last = performance.now();
  let timer;
  const turn = () => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - last);
    last = now;
    timer = setImmediate(turn);
  };
  turn();
  controller.abort();
  await ended;
  clearImmediate(timer);
  return longestMs;
}

// Warms up the JIT compiler.
await round(calls / 10);
await abort(calls / 10);
const results = [];
for (let n = 0; n < rounds; n += 1)
  results.push({ ...(await round(calls)), abortMs: await abort(2 * calls) });
process.stdout.write(JSON.stringify(results));
