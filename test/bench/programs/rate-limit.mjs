// 400 calls at once against the emulator on a real port: by our client, with its own throttle and over limiters of
// Bottleneck, and by one that retries what is refused but does not pace itself. Prints as JSON when each request was
// received, and whether it was refused.
import Bottleneck from 'bottleneck';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const [clientEntry, emulatorEntry, bottleneckEntry] = process.argv.slice(2);
const { EmailPlatform } = await import(pathToFileURL(clientEntry).href);
const { createEmulator } = await import(pathToFileURL(emulatorEntry).href);
const { bottleneckThrottle } = await import(pathToFileURL(bottleneckEntry).href);

const CALLS = 400;

async function run(makeCall) {
  const emulator = createEmulator({ window: 'sliding' });
  const server = await emulator.listen();
  const call = makeCall(server.clientOptions(), emulator.campaigns.add());
  await Promise.all(Array.from({ length: CALLS }, call));
  await server.close();
  const [{ at: start }] = emulator.requests;
  return emulator.requests.map(({ at, status }) => ({ at: at - start, isRefused: status === 429 }));
}

const ours = (options, id) => {
  const client = new EmailPlatform(options);
  return () => client.campaigns.get(id);
};

/** Over a limiter with as many jobs at a time as the limit has requests. */
const bottleneckWindow = (options, id) => {
  const limiter = new Bottleneck({ maxConcurrent: 150 });
  return ours({ ...options, throttle: bottleneckThrottle({ token: { limiter, release: 'window' } }) }, id);
};

/** Over a limiter as teams often have it: a counter that is filled up every ten seconds. */
const bottleneckHeaders = (options, id) => {
  const limiter = new Bottleneck({
    reservoir: 150,
    reservoirRefreshAmount: 150,
    reservoirRefreshInterval: 10_000,
  });
  return ours({ ...options, throttle: bottleneckThrottle({ token: { limiter, release: 'headers' } }) }, id);
};

/** Retries as clients commonly do: exponential waits with jitter, of 8 s at most. This one never gives up. */
const unpaced = ({ token, hosts }, id) => {
  const headers = { authorization: `Bearer ${token}` };
  return async () => {
    for (let retries = 0; ; retries += 1) {
      const response = await fetch(`${hosts.api}/api/email_campaigns/${id}`, { headers });
      await response.text();
      if (response.ok) return;
      await sleep(Math.min(8000, 500 * 2 ** retries) * (0.75 + 0.25 * Math.random()));
    }
  };
};

process.stdout.write(
  JSON.stringify({
    ours: await run(ours),
    bottleneckWindow: await run(bottleneckWindow),
    bottleneckHeaders: await run(bottleneckHeaders),
    unpaced: await run(unpaced),
  }),
);
