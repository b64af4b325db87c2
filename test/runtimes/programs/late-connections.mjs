// Requests whose connections stand at the moment at which the process, which was stopped until after their time, goes on.
// Prints, as JSON, how each ended, how many arrived, and how many connections stood too early: with any, it proves nothing.
//
// A runtime handles all that the kernel reports together before any timer. So the process is stopped by what a control
// connection receives, and the kernel is made to report the connections together with it: while this process waits, the
// service, in a thread of its own, first writes to the control connection and then lets the others stand.
import { subscribe } from 'node:diagnostics_channel';
import { connect } from 'node:net';
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { EmailPlatform } from 'email-platform';

const COUNT = 4; // of each kind
const LIMIT_MS = 1_000;

/** `way`: 'tcp'; 'tls', with `key` and `cert`; or 'agent', which is TLS with the client of the guide, and needs a `port`. */
const { way, ...settings } = JSON.parse(process.argv[2]);
const shared = new Int32Array(new SharedArrayBuffer(8));
/** Stops this thread until the service has done what it was asked for. */
const stopUntilDone = () => Atomics.wait(shared, 0, 0);
const stopFor = (ms) => Atomics.wait(shared, 1, 0, ms);

const service = new Worker(new globalThis.URL('slow-service.mjs', import.meta.url), {
  workerData: { ...settings, isHeld: way !== 'tcp', shared },
});
const answers = (kind) =>
  new Promise((resolve) => {
    const listener = (message) => {
      if (message.kind !== kind) return;
      service.off('message', listener);
      resolve(message);
    };
    service.on('message', listener);
  });

const { port, controlPort } = await answers('listening');
const url = way === 'tcp' ? `http://127.0.0.1:${port}` : `https://localhost:${port}`;
const options = { token: 'token', hosts: { api: url, send: url }, retry: false };
const client =
  way === 'agent'
    ? (await import('./guide-client.mjs')).client.withOptions({ retry: false })
    : new EmailPlatform(options);
const aborts = new globalThis.AbortController();
const mail = { from: { email: 'a@example.com' }, to: [{ email: 'b@example.com' }], subject: 's', text: 't' };
const content = () => new globalThis.Blob(['x'.repeat(300_000)]).stream();
const kinds = {
  text: (options) => client.sending.send(mail, options),
  empty: (options) => client.request({ method: 'POST', path: '/api/anything' }, options),
  // Takes time before it is connected for, so it is not there to be held up with the others.
  ...(way !== 'tcp' && {
    blob: (options) =>
      client.sending.send({ ...mail, attachments: [{ filename: 'a', content: content() }] }, options),
  }),
};
const limits = {
  deadline: { deadlineMs: LIMIT_MS },
  attempt: { timeoutMs: LIMIT_MS },
  abort: { signal: aborts.signal },
};

// Loads all that a first request loads. Its connection is not kept.
await Promise.all(Object.values(kinds).map((send) => send()));

const control = connect(controlPort, '127.0.0.1');
const ended = {};
let stopped = 0;
control.on('data', () => {
  stopped += 1;
  if (way !== 'tcp' && stopped === 1) {
    // The service writes here again, then lets the connections stand.
    service.postMessage('release');
    stopUntilDone();
    return;
  }
  stopFor(LIMIT_MS + 200);
  aborts.abort();
});
await answers('controlled');

if (way === 'tcp') {
  // The control connection is readable before the first connection is asked for.
  let isFirst = true;
  subscribe('net.client.socket', () => {
    if (!isFirst) return;
    isFirst = false;
    service.postMessage('write');
    stopUntilDone();
  });
}
let early = 0;
const STOPS = way === 'tcp' ? 1 : 2;
subscribe('undici:client:connected', () => {
  if (stopped < STOPS) early += 1;
});
const calls = Object.entries(limits).flatMap(([limit, options]) =>
  Object.entries(kinds).flatMap(([kind, send]) =>
    Array.from({ length: COUNT }, async () => {
      const said = await send(options).then(String, ({ code, effect }) => `${code} ${effect}`);
      const name = `${limit}, ${kind}: ${said}`;
      ended[name] = (ended[name] ?? 0) + 1;
    }),
  ),
);
if (way !== 'tcp') service.postMessage(calls.length);
await Promise.all(calls);
// What was sent all the same would arrive now.
await new Promise((resolve) => globalThis.setTimeout(resolve, 300));
service.postMessage('count');
const { arrived } = await answers('arrived');
console.log(JSON.stringify({ early, seen: { stopped, ended, arrived } }));
process.exit();
