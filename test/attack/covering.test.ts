import { describe, expect, test } from 'vitest';
import { covering, type Cover } from '../support/covering.ts';
import type { Call } from '../support/calls/call.ts';
import { ANSWER_FAULTS } from './answer-faults.ts';
import { CALLS } from '../support/calls/calls.ts';
import { COVER, SOCKET_COVER, type Fault } from './faults.ts';
import { MACHINE_FAULTS } from './machine-faults.ts';
import { SOCKET_FAULTS } from './socket-faults.ts';

describe.each<[string, readonly Fault[], Cover<Call, Fault>]>([
  ['a scripted fetch', [...ANSWER_FAULTS, ...MACHINE_FAULTS], COVER],
  ['a real connection', SOCKET_FAULTS, SOCKET_COVER],
])('The covering set of the faults of %s', (_, faults, cover) => {
  const chosen = covering(CALLS, faults, cover, false);
  const all = covering(CALLS, faults, cover, true);

  test('has every fault with every kind of call that can meet it', () => {
    for (const fault of faults) {
      const kindsOf = (calls: typeof all) =>
        new Set(calls.get(fault)?.map((call) => cover.kind(call, fault)));
      expect(kindsOf(chosen), fault.name).toEqual(kindsOf(all));
      expect(kindsOf(all).size, fault.name).toBeGreaterThan(0);
    }
  });

  test('has every call in every group of faults', () => {
    for (const group of new Set(faults.map(cover.group))) {
      const met = faults.filter((fault) => cover.group(fault) === group);
      expect(new Set(met.flatMap((fault) => chosen.get(fault) ?? [])).size, group).toBe(CALLS.length);
    }
  });

  test('is a part of all pairs, and has no impossible one', () => {
    for (const fault of faults)
      expect(all.get(fault)).toEqual(expect.arrayContaining([...(chosen.get(fault) ?? [])]));
    const count = (calls: typeof all) => [...calls.values()].flat().length;
    expect(count(chosen)).toBeLessThan(count(all) / 4);
  });
});
