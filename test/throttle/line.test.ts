import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Line, rankOf, RANKS, type Linked } from '../../src/throttle/line.ts';

class Member implements Linked<Member> {
  readonly rank: number;
  readonly name: number;
  previous: Member | undefined;
  next: Member | undefined;

  constructor(name: number, rank: number) {
    this.name = name;
    this.rank = rank;
  }
}

describe('ranks', () => {
  test('order by priority, and within it retries before first attempts', () => {
    const ranks = (['high', 'normal', 'low'] as const).flatMap((priority) => [
      rankOf(priority, true),
      rankOf(priority, false),
    ]);
    expect(ranks).toEqual([0, 1, 2, 3, 4, 5]);
    expect(RANKS).toBe(6);
  });
});

describe('a queue', () => {
  test('is first come, first served within a rank, whichever members leave in between', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('join' as const), rank: fc.integer({ min: 0, max: RANKS - 1 }) }),
      fc.record({ kind: fc.constant('leave' as const), at: fc.nat(1_000) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const line = new Line<Member>();
        const model: Member[] = [];
        steps.forEach((action, name) => {
          if (action.kind === 'join') {
            const member = new Member(name, action.rank);
            line.join(member);
            model.push(member);
          } else if (model.length > 0) {
            const [member] = model.splice(action.at % model.length, 1);
            if (member !== undefined) line.leave(member);
          }
          for (let rank = 0; rank < RANKS; rank += 1) {
            const before = model.filter((member) => member.rank <= rank);
            expect(line.sizeUpTo(rank)).toBe(before.length);
            const [first] = before.sort((one, other) => one.rank - other.rank || one.name - other.name);
            expect(line.first(rank)).toBe(first);
          }
          expect(line.size).toBe(model.length);
        });
      }),
    );
  });

  test('keeps no link to a member that left', () => {
    const line = new Line<Member>();
    const [one, two, three] = [new Member(1, 0), new Member(2, 0), new Member(3, 0)];
    for (const member of [one, two, three]) line.join(member);
    line.leave(two);
    expect([two.previous, two.next]).toEqual([undefined, undefined]);
    expect(one.next).toBe(three);
    expect(three.previous).toBe(one);
  });
});
