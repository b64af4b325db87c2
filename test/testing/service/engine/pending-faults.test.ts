import { createEmulator, type Emulator } from 'email-platform/testing';
import { expect, test } from 'vitest';

/** The status of a request to the emulator. */
async function statusOf(emulator: Emulator): Promise<number> {
  const { hosts, token, fetch } = emulator.clientOptions();
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${hosts.api}/api/email_campaigns`, { headers })).status;
}

test('requests pass a paused fault by, which keeps its place and its number', async () => {
  const emulator = createEmulator();
  emulator.faults.next({ kind: 'status', status: 500, times: 2 });
  emulator.faults.next({ kind: 'status', status: 503, always: true });
  expect(await statusOf(emulator)).toBe(500);
  emulator.faults.pause(1);
  emulator.faults.pause(1);
  expect(await statusOf(emulator)).toBe(503);
  expect(emulator.faults.list()).toEqual([
    { id: 1, paused: true, kind: 'status', status: 500, times: 1 },
    { id: 2, paused: false, kind: 'status', status: 503, always: true },
  ]);
  emulator.faults.pause(2);
  expect(await statusOf(emulator)).toBe(200);
  emulator.faults.resume(1);
  expect([await statusOf(emulator), await statusOf(emulator)]).toEqual([500, 200]);
});

test('one fault is removed; its number is not used again, not even after a reset', () => {
  const emulator = createEmulator();
  const { faults } = emulator;
  for (const status of [500, 501, 502]) faults.next({ kind: 'status', status });
  faults.remove(2);
  expect(faults.list().map(({ id, status }) => [id, status])).toEqual([
    [1, 500],
    [3, 502],
  ]);
  emulator.reset();
  faults.next({ kind: 'html' });
  expect(faults.list().map(({ id }) => id)).toEqual([4]);
});

test.each(['pause', 'resume', 'remove'] as const)('%s needs a fault that is left', (method) => {
  const { faults } = createEmulator();
  faults.next({ kind: 'html' });
  faults.remove(1);
  expect(() => faults[method](1)).toThrow(new RangeError('There is no fault 1: it was used up or removed'));
  expect(() => faults[method](0)).toThrow(RangeError);
});
