/**
 * A program that makes two calls over a limiter that has room for one, and does not exit by itself. It prints how long
 * the second call waited, and how long the process went on after both. Nothing but the limiter and its throttle is left
 * that could keep it alive.
 */
import Bottleneck from 'bottleneck';
import { bottleneckThrottle } from '../../../src/entries/bottleneck/index.ts';
import { EmailPlatform } from '../../../src/index.ts';
import { createEmulator } from '../../../src/testing/index.ts';
import { WINDOW_MS } from './short-program-window.ts';

const emulator = createEmulator();
const limiter = new Bottleneck({ maxConcurrent: 1 });
const limit = { requests: 2, perMs: WINDOW_MS };
const throttle = bottleneckThrottle({ token: { limiter, release: 'window', limit } });
const client = new EmailPlatform({ ...emulator.clientOptions(), throttle });
const id = emulator.campaigns.add();
await Promise.all([client.campaigns.get(id), client.campaigns.get(id)]);
const [first, second] = emulator.requests;
const waitedMs = (second?.at ?? NaN) - (first?.at ?? NaN);
const doneAt = performance.now();
process.on('exit', () => {
  process.stdout.write(JSON.stringify({ waitedMs, lingeredMs: performance.now() - doneAt }));
});
