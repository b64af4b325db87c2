/**
 * A program that makes two calls over a limiter that has room for one, prints when it is done, and does not exit by
 * itself. Nothing but the limiter and its throttle is left that could keep it alive.
 */
import Bottleneck from 'bottleneck';
import { bottleneckThrottle } from '../../src/bottleneck/index.ts';
import { EmailPlatform } from '../../src/index.ts';
import { createEmulator } from '../../src/testing/index.ts';

const emulator = createEmulator();
const limiter = new Bottleneck({ maxConcurrent: 1 });
const limit = { requests: 2, perMs: 2_000 };
const throttle = bottleneckThrottle({ token: { limiter, release: 'window', limit } });
const client = new EmailPlatform({ ...emulator.clientOptions(), throttle });
const id = emulator.campaigns.add();
await Promise.all([client.campaigns.get(id), client.campaigns.get(id)]);
const [first, second] = emulator.requests;
process.stdout.write(`${(second?.at ?? NaN) - (first?.at ?? NaN)}\n`);
