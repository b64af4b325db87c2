import { EmailPlatform } from 'email-platform';
import type { Emulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { direct, jittering, unpaced } from './networks.ts';
import { now, serve, sleep } from './service.ts';

const windows: Emulator.WindowKind[] = ['fixed', 'aligned', 'sliding'];

describe.concurrent('400 calls at once, 150 allowed per 10 s: none refused, in 20 to 22 s', () => {
  const calls = 400;
  /** Three windows' worth of requests: the first at once, the second after 10 s, the rest after 20 s. */
  const leastMs = 20_000;
  const mostMs = 22_000;
  const cases = windows.flatMap((window) => [
    { window, network: 'no delay', fetch: direct },
    { window, network: '10 to 300 ms of jitter', fetch: jittering(7) },
  ]);
  // All run concurrently, but staggered, also relative to the windows of 10 s, because their bursts share one thread.
  const staggered = cases.map((each, index) => ({ ...each, startAfterMs: 1_600 * (index + 1) }));

  test.for(staggered)(
    '$window windows, $network',
    { timeout: 120_000 },
    async ({ window, fetch, startAfterMs }, context) => {
      await sleep(startAfterMs);
      const { emulator, connection } = await serve(context, { window });
      const id = emulator.campaigns.add({ name: 'Weekly digest' });
      let slowestMs = 0;
      const client = new EmailPlatform({
        ...connection,
        fetch,
        hooks: { onResponse: ({ durationMs }) => void (slowestMs = Math.max(slowestMs, durationMs)) },
      });

      const campaigns = await Promise.all(Array.from({ length: calls }, () => client.campaigns.get(id)));

      expect(campaigns.every(({ name }) => name === 'Weekly digest')).toBe(true);
      const { requests } = emulator;
      expect(requests.map(({ status }) => status)).toEqual(new Array(calls).fill(200));
      const tookMs = (requests.at(-1)?.at ?? NaN) - (requests[0]?.at ?? NaN);
      expect(tookMs).toBeGreaterThanOrEqual(leastMs);
      // If the machine is so busy that a response takes a second, each window starts a second later.
      expect(tookMs).toBeLessThanOrEqual(Math.max(mostMs, leastMs + 2 * slowestMs + 500));
    },
  );
});

describe.concurrent('Two other clients use the same token', () => {
  const limits = { token: { requests: 30, perMs: 2_000 } };
  const calls = 120;

  test.for(windows)(
    '%s windows: every call succeeds, and none is retried before the reset',
    { timeout: 120_000 },
    async (window, context) => {
      const { emulator, connection } = await serve(context, { window, limits });
      const refusals: (EmailPlatform.ResponseEvent & { readonly knownAt: number })[] = [];
      const sentAt: number[] = [];
      const client = new EmailPlatform({
        ...connection,
        throttle: { limits },
        hooks: {
          onRequest: () => void sentAt.push(now()),
          onResponse: (event) => {
            if (event.status === 429) refusals.push({ ...event, knownAt: now() });
          },
        },
      });
      const ids = Array.from({ length: calls }, () => emulator.campaigns.add());

      let isOver = false;
      const url = `${connection.hosts.api}/api/email_campaigns`;
      const others = [1, 2].map((seed) => unpaced(url, connection.token, seed, () => isOver));
      const results = await Promise.all(ids.map((id) => client.campaigns.get(id))).finally(() => {
        isOver = true;
      });
      await Promise.all(others);

      expect(results.map(({ id }) => id)).toEqual(ids);
      // Otherwise the test proves nothing.
      expect(refusals.length).toBeGreaterThan(0);
      for (const { path, attempt, rateLimit, knownAt } of refusals) {
        const resetAt = rateLimit.resetAt?.getTime() ?? NaN;
        const attempts = emulator.requests.filter((request) => request.path === path);
        expect(attempts[attempt - 1]?.status).toBe(429);
        expect(attempts[attempt]?.at).toBeGreaterThanOrEqual(resetAt);
        // No other call of ours is sent before the reset either, once the client knows of it.
        expect(sentAt.filter((at) => at > knownAt && at < resetAt)).toEqual([]);
      }
    },
  );
});
