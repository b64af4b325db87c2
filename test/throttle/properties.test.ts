import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PoolName } from '../../src/core/limits.ts';
import type { Ending } from '../../src/throttle/permit-window.ts';
import type { Permit } from '../../src/throttle/permit.ts';
import { createThrottle } from '../../src/throttle/create-throttle.ts';
import { acquirePermit } from '../support/permit-request.ts';
import { settle, VirtualTime } from '../support/virtual-time.ts';
import { runs } from '../support/extent.ts';

const limits = {
  token: { requests: 3, perMs: 100 },
  stats: { requests: 1, perMs: 300 },
  emailLogsList: { requests: 2, perMs: 150 },
};

const call = fc.record({
  kind: fc.constant('call' as const),
  at: fc.integer({ min: 0, max: 400 }),
  token: fc.constantFrom('a', 'b'),
  accountId: fc.constantFrom(undefined, 7),
  pool: fc.constantFrom(undefined, undefined, 'stats' as const, 'emailLogsList' as const),
  priority: fc.constantFrom('high' as const, 'normal' as const, 'low' as const),
  isRetry: fc.boolean(),
  takes: fc.integer({ min: 0, max: 120 }),
  ending: fc.constantFrom<Ending>('answered', 'answered', 'neverSent', 'abandoned', 'timedOut'),
  remaining: fc.constantFrom(undefined, undefined, 0, 2, 3),
  gaveUpAfter: fc.option(fc.integer({ min: 0, max: 600 }), { nil: undefined }),
});

const block = fc.record({
  kind: fc.constant('block' as const),
  at: fc.integer({ min: 0, max: 600 }),
  token: fc.constantFrom('a', 'b'),
  accountId: fc.constantFrom(undefined, 7),
  name: fc.constantFrom<PoolName>('token', 'stats', 'emailLogsList'),
  ms: fc.integer({ min: 1, max: 400 }),
});

test('property: every call is sent or ends, every permit is returned, and no timer is left', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 8, arbitrary: call }, block), { minLength: 1, maxLength: 50 }),
      fc.constantFrom('burst' as const, 'even' as const),
      async (actions, pace) => {
        const time = new VirtualTime();
        const throttle = createThrottle({ limits, pace }, { now: time.now, setTimer: time.setTimer });
        let settled = 0;
        for (const action of actions) {
          const { token, accountId } = action;
          const key = { token, accountId };
          if (action.kind === 'block') {
            time.setTimer(action.at, () => throttle.block(key, action.name, action.ms));
            continue;
          }
          const { pool, priority, isRetry, takes, ending, remaining, gaveUpAfter } = action;
          const send = (permit: Permit) => {
            settled += 1;
            time.setTimer(takes, () => permit.end(ending, { limit: 3, remaining }));
          };
          time.setTimer(action.at, () => {
            const permit = acquirePermit(throttle, { key, pool, priority, isRetry, timeoutMs: 120 });
            if (!(permit instanceof Promise)) {
              send(permit);
              return;
            }
            let hasLeft = false;
            void permit.then((granted) => {
              expect(hasLeft).toBe(false);
              send(granted);
            });
            if (gaveUpAfter === undefined) return;
            time.setTimer(gaveUpAfter, () => {
              const before = throttle.snapshot(key).token?.waiting ?? 0;
              permit.leave();
              // A call that has its permit is not in the queue, and cannot leave it.
              hasLeft = (throttle.snapshot(key).token?.waiting ?? 0) < before;
              if (hasLeft) settled += 1;
            });
          });
        }
        // Until no timer is left. A call that waits for ever would then still be queued.
        for (let idle = 0; idle < 2; idle = time.pending === 0 ? idle + 1 : 0) {
          time.fireNext();
          for (let hop = 0; hop < 4; hop += 1) await Promise.resolve();
          for (const token of ['a', 'b']) {
            for (const pool of Object.values(throttle.snapshot({ token, accountId: 7 }))) {
              expect(pool.used).toBeLessThanOrEqual(pool.requests ?? Infinity);
            }
          }
        }
        await settle();
        expect(settled).toBe(actions.filter(({ kind }) => kind === 'call').length);
        time.stall(5_000);
        for (const key of [{ token: 'a' }, { token: 'b' }, { token: 'a', accountId: 7 }]) {
          for (const pool of Object.values(throttle.snapshot(key))) {
            expect(pool).toMatchObject({ used: 0, waiting: 0 });
          }
        }
      },
    ),
    { numRuns: runs(300) },
  );
});
