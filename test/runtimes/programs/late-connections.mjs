// Requests whose connections stand only after their time. While they connect, the clocks move on and no timer fires, as for
// a process that is stopped: when it goes on, a runtime handles what the kernel reports before any timer. Prints, as JSON,
// how each ended, how many arrived, how many connections stood before, and whether those of all that were not aborted did after.
import { subscribe } from 'node:diagnostics_channel';
import process from 'node:process';
import { EmailPlatform } from 'email-platform';
import { slowService } from './slow-service.mjs';

const COUNT = 4; // of each kind
/** So long that no timer fires, however busy the machine is. */
const LIMIT_MS = 3_600_000;

/** `way`: 'tcp'; 'tls', with `key` and `cert`; or 'agent', which is TLS with the client of the guide, and needs a `port`. */
const { way, ...settings } = JSON.parse(process.argv[2]);
let aheadMs = 0;
for (const clock of [globalThis.performance, Date]) {
  const now = clock.now.bind(clock);
  clock.now = () => now() + aheadMs;
}

const { port, held, arrived } = await slowService(way === 'tcp' ? {} : settings);
const url = `${way === 'tcp' ? 'http' : 'https'}://localhost:${port}`;
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
  blob: (options) =>
    client.sending.send({ ...mail, attachments: [{ filename: 'a', content: content() }] }, options),
};
const never = { deadlineMs: 2 * LIMIT_MS, timeoutMs: 2 * LIMIT_MS };
const limits = {
  deadline: { ...never, deadlineMs: LIMIT_MS },
  attempt: { ...never, timeoutMs: LIMIT_MS },
  abort: { ...never, signal: aborts.signal },
};

// Loads all that a first request loads. Its connection is not kept.
await Promise.all(Object.values(kinds).map((send) => send()));
const before = arrived();

const stood = { early: 0, late: 0 };
subscribe('undici:client:connected', ({ connectParams }) => {
  // A proxy's own connection is not the one.
  if (Number(connectParams.port) === port) stood[aheadMs === 0 ? 'early' : 'late'] += 1;
});
const ended = {};
held.isHolding = true;
const calls = Object.entries(limits).flatMap(([limit, options]) =>
  Object.entries(kinds).flatMap(([kind, send]) =>
    Array.from({ length: COUNT }, async () => {
      const said = await send(options).then(String, ({ code, effect }) => `${code} ${effect}`);
      const name = `${limit}, ${kind}: ${said}`;
      ended[name] = (ended[name] ?? 0) + 1;
    }),
  ),
);
// From Node 26 on, requests to a new https origin wait for the protocol of its first connection.
const waitForFirst = way !== 'tcp' && Number.parseInt(process.versions.node, 10) >= 26;
await held.until(waitForFirst ? 1 : calls.length);
aheadMs = LIMIT_MS + 1;
aborts.abort();
held.release();
await Promise.all(calls);
// A request that was sent by mistake would arrive now.
await new Promise((resolve) => globalThis.setTimeout(resolve, 300));
const { early, late } = stood;
const haveStood = late >= (waitForFirst ? 1 : calls.length - COUNT * Object.keys(kinds).length);
console.log(JSON.stringify({ early, haveStood, ended, arrived: arrived() - before }));
process.exit();
