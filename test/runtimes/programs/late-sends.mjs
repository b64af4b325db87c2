// Emails that become due while the process is busy, until after their deadlines: 20 in the queue for the rate limit, and
// 20 that wait to be retried. Prints how many of each ended because of the deadline, with nothing done. The clocks stand
// still until all of them wait, and the client's timers are late by as much as the process was busy.
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmailPlatform } from 'email-platform';

const COUNT = 20;
/** The wait ends before the deadline, so that its timers run first when the process is free again. */
const WAIT_MS = 2_000;
const DEADLINE_MS = 3_000;

let aheadMs = 0;
for (const clock of [globalThis.performance, Date]) {
  const now = clock.now.bind(clock);
  const stoppedAt = now();
  clock.now = () => (aheadMs === 0 ? stoppedAt : now() + aheadMs);
}
/** The timers that the process is too busy to handle. */
const held = new Map();
const { setTimeout, clearTimeout } = globalThis;
globalThis.setTimeout = (callback, ms, ...rest) => {
  if (!(ms >= WAIT_MS - 500)) return setTimeout(callback, ms, ...rest);
  const timer = setTimeout(() => undefined, 3_600_000);
  held.set(timer, { run: () => callback(...rest), ms });
  return timer;
};
globalThis.clearTimeout = (timer) => {
  held.delete(timer);
  clearTimeout(timer);
};

const url = process.argv[2];
const settings = { token: 'token', hosts: { api: url, send: url } };
const limits = { token: { requests: COUNT, perMs: WAIT_MS } };
let retries = 0;
const limited = new EmailPlatform({ ...settings, throttle: { limits } });
const refused = new EmailPlatform({
  ...settings,
  throttle: false,
  hooks: { onRetry: () => void (retries += 1) },
});

const send = (client, subject, options) =>
  client.sending.send(
    { from: { email: 'a@example.com' }, to: [{ email: 'b@example.com' }], subject, text: 'Hi' },
    options,
  );
const sendAll = (client, subject, options) =>
  Promise.allSettled(Array.from({ length: COUNT }, () => send(client, subject, options)));

await sendAll(limited, 'in time');
const queued = sendAll(limited, 'queued', { deadlineMs: DEADLINE_MS });
const retried = sendAll(refused, 'refused', { deadlineMs: DEADLINE_MS });
while (retries < COUNT) await sleep(5);
// The hook is called before the wait begins.
await sleep(50);

// The process is free again: it handles all timers that are due, in the order of their times.
aheadMs = DEADLINE_MS + 500;
globalThis.setTimeout = setTimeout;
const due = [...held].filter(([, { ms }]) => ms <= aheadMs).sort(([, one], [, other]) => one.ms - other.ms);
for (const [timer, { run }] of due) {
  setTimeout(() => {
    if (held.has(timer)) run();
    globalThis.clearTimeout(timer);
  });
}

const inTime = (outcomes) =>
  outcomes.filter(
    ({ reason }) => reason?.code === 'timeout' && reason.kind === 'deadline' && reason.effect === 'none',
  ).length;
const said = { queued: inTime(await queued), refused: inTime(await retried) };
// A request that was sent by mistake would arrive now.
await sleep(200);
console.log(JSON.stringify(said));
