import { describe, expect, test } from 'vitest';
import { covering } from '../support/covering.ts';
import { ANSWER_FAULTS } from './answer-faults.ts';
import { CALLS } from '../support/calls/calls.ts';
import { COVER, PHASES, type Fault } from './faults.ts';
import { MACHINE_FAULTS } from './machine-faults.ts';
import { SOCKET_FAULTS } from './socket-faults.ts';

describe.each<[string, readonly Fault[]]>([
  ['a scripted fetch', [...ANSWER_FAULTS, ...MACHINE_FAULTS]],
  ['a real connection', SOCKET_FAULTS],
])('The covering set of the faults of %s', (_, faults) => {
  const chosen = covering(CALLS, faults, COVER, false);
  const all = covering(CALLS, faults, COVER, true);

  test('has every fault with every kind of call that can meet it', () => {
    for (const fault of faults) {
      const kindsOf = (calls: typeof all) => new Set(calls.get(fault)?.map(COVER.kind));
      expect(kindsOf(chosen), fault.name).toEqual(kindsOf(all));
      expect(kindsOf(all).size, fault.name).toBeGreaterThan(0);
    }
  });

  test('has every call in every phase', () => {
    for (const phase of PHASES) {
      const met = new Set(
        faults.filter((fault) => fault.phase === phase).flatMap((fault) => chosen.get(fault) ?? []),
      );
      expect(met.size, phase).toBe(CALLS.length);
    }
  });

  test('is a part of all pairs, and has no impossible one', () => {
    for (const fault of faults)
      expect(all.get(fault)).toEqual(expect.arrayContaining([...(chosen.get(fault) ?? [])]));
    const count = (calls: typeof all) => [...calls.values()].flat().length;
    expect(count(chosen)).toBeLessThan(count(all) / 4);
  });
});
