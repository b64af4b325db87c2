import { expect, test } from 'vitest';
import { Gate } from '../../src/throttle/gate.ts';
import { joinLane, laneFor, leaveLane, nextInLine } from '../../src/throttle/lane.ts';
import { LimitedPool, WaitingCall } from '../../src/throttle/limited-pool.ts';
import { permitRequest } from '../support/permit-request.ts';

const limit = { requests: 1, perMs: 1 };
const token = () => new LimitedPool('token', limit, new Gate(limit, 'burst'));

test('calls that need the same pools share a lane, and an empty lane is removed', () => {
  const [one, two] = [token(), token()];
  const calls = [[one], [one], [one, two], [two]].map((pools, order) => {
    const call = new WaitingCall(permitRequest(), laneFor(pools), 1, order, leaveLane);
    joinLane(call);
    return call;
  });
  expect(calls[0]?.lane).toBe(calls[1]?.lane);
  expect([one.lanes.size, two.lanes.size]).toEqual([2, 2]);
  expect([one.waiting, two.waiting]).toEqual([3, 2]);
  expect(nextInLine(one, 0, 5)).toBe(calls[0]);
  expect(nextInLine(two, 0, 5)).toBe(calls[2]);
  for (const call of calls) leaveLane(call);
  expect([one.lanes.size, two.lanes.size]).toEqual([0, 0]);
  expect([one.waiting, two.waiting]).toEqual([0, 0]);
  expect(nextInLine(one, 0, 5)).toBeUndefined();
});
