import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Priority } from '../../src/core/limits.ts';
import { createThrottle } from '../../src/throttle/create-throttle.ts';
import { permitRequest } from '../support/permit-request.ts';

const request = fc.record({
  priority: fc.constantFrom<Priority>('high', 'normal', 'low'),
  isRetry: fc.boolean(),
  leaves: fc.boolean(),
});

const RANKS = ['high', 'normal', 'low'];

test('property: the permit granted goes before every other that waits, whichever were removed', () => {
  fc.assert(
    fc.property(fc.array(request, { maxLength: 40 }), (requests) => {
      const throttle = createThrottle({ limits: { token: { requests: 1, perMs: 1000 } } });
      let out = throttle.acquire(permitRequest({}));
      const queued = requests.map((one) => ({ ...one, permit: throttle.acquire(permitRequest(one)) }));
      for (const { leaves, permit } of queued) if (leaves) permit.end('neverSent');
      const staying = queued.filter(({ leaves }) => !leaves);
      expect(throttle.snapshot(out.request.key).token?.waiting).toBe(staying.length);
      // Sorting keeps the order of those that are equal.
      staying.sort((one, other) => Number(other.isRetry) - Number(one.isRetry));
      staying.sort((one, other) => RANKS.indexOf(one.priority) - RANKS.indexOf(other.priority));
      for (const { permit: next } of staying) {
        out.end('neverSent');
        expect(staying.filter(({ permit }) => permit.state === 'out').map(({ permit }) => permit)).toEqual([
          next,
        ]);
        out = next;
      }
      out.end('neverSent');
      expect(throttle.snapshot(out.request.key).token).toMatchObject({ used: 0, waiting: 0 });
    }),
  );
});
