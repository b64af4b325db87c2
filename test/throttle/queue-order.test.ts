import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Priority } from '../../src/core/limits.ts';
import { Permit } from '../../src/throttle/permit.ts';
import { goesBefore, Queue } from '../../src/throttle/queue.ts';
import { permitRequest } from '../support/permit-request.ts';

const request = fc.record({
  priority: fc.constantFrom<Priority>('high', 'normal', 'low'),
  isRetry: fc.boolean(),
  leaves: fc.boolean(),
});

test('property: the first permit of a queue goes before every other, whichever permits were removed', () => {
  fc.assert(
    fc.property(fc.array(request, { maxLength: 40 }), (requests) => {
      const queue = new Queue([]);
      const permits = requests.map(
        (one, order) => new Permit(permitRequest(one), [], order, () => undefined),
      );
      for (const permit of permits) queue.join(permit);
      permits.forEach((permit, index) => requests[index]?.leaves && queue.leave(permit));
      const staying = permits.filter((_, index) => requests[index]?.leaves === false);
      const inOrder = [...staying].sort((one, other) => (goesBefore(one, other) ? -1 : 1));
      expect(queue.size()).toBe(inOrder.length);
      for (let rank = 0; rank < 6; rank += 1)
        expect(queue.size(rank)).toBe(staying.filter((permit) => permit.rank <= rank).length);
      for (const next of inOrder) {
        expect(queue.first).toBe(next);
        queue.leave(next);
      }
      expect(queue.first).toBeUndefined();
    }),
  );
});
