import { expect, test } from 'vitest';
import type { Lease } from '../../src/redis/job.ts';
import { SharedGate } from '../../src/redis/shared-gate.ts';

/** A gate at a time of our own. A lease is good for a request if it lives for 10 ms more. */
function gateAt(clock: { now: number }): SharedGate {
  const gate = new SharedGate(
    { requests: 4, perMs: 100 },
    {
      now: () => clock.now,
      later: () => undefined,
      isGood: ({ expiresAt }) => expiresAt >= clock.now + 10,
      mayKeep: () => true,
      onReturn: () => undefined,
    },
  );
  gate.mode = 'shared';
  return gate;
}

class FakeLease implements Lease {
  readonly expiresAt: number;
  hasEnded = false;
  constructor(expiresAt: number) {
    this.expiresAt = expiresAt;
  }
  end(): void {
    this.hasEnded = true;
  }
}

test('a lease in hand that ended while the process was kept from running is no room', () => {
  const clock = { now: 0 };
  const gate = gateAt(clock);
  gate.receive(new FakeLease(50));
  expect(gate.hasRoom(clock.now)).toBe(true);
  clock.now = 60;
  expect(gate.hasRoom(clock.now)).toBe(false);
});

test('nor is it taken where there is a better one', () => {
  const clock = { now: 0 };
  const gate = gateAt(clock);
  const [old, fresh] = [new FakeLease(50), new FakeLease(500)];
  gate.receive(old);
  gate.receive(fresh);
  clock.now = 60;
  expect(gate.hasRoom(clock.now)).toBe(true);
  expect(gate.take(clock.now, 5).lease).toBe(fresh);
  expect([old.hasEnded, fresh.hasEnded]).toEqual([true, false]);
});

test('what is back too late for another request is not kept', () => {
  const clock = { now: 0 };
  const gate = gateAt(clock);
  const lease = new FakeLease(50);
  gate.receive(lease);
  const sent = gate.take(clock.now, 5);
  clock.now = 45;
  gate.neverSent(sent);
  expect(lease.hasEnded).toBe(true);
  expect(gate.inHand).toBe(0);
});
