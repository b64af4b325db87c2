// Emails that become due while the process is busy, until after their deadlines: 20 in the queue for the rate limit, and
// 20 that wait to be retried. Prints how many of each ended because of the deadline, with nothing done.
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmailPlatform } from 'email-platform';

const COUNT = 20;
/** The wait ends before the deadline, so that its timers run first when the process is free again. */
const WAIT_MS = 2_000;
const DEADLINE_MS = 3_000;

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
const startedAt = performance.now();
const queued = sendAll(limited, 'queued', { deadlineMs: DEADLINE_MS });
const retried = sendAll(refused, 'refused', { deadlineMs: DEADLINE_MS });
while (retries < COUNT) await sleep(5);

// Nothing else runs meanwhile, as while a large file is parsed.
const blockedMs = startedAt + DEADLINE_MS + 500 - performance.now();
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blockedMs);

const inTime = (outcomes) =>
  outcomes.filter(
    ({ reason }) => reason?.code === 'timeout' && reason.kind === 'deadline' && reason.effect === 'none',
  ).length;
const said = { queued: inTime(await queued), refused: inTime(await retried) };
// A request that was sent by mistake would arrive now.
await sleep(200);
console.log(JSON.stringify(said));
