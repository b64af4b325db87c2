import { ConfigurationError, type Throttle } from 'email-platform';
import { expect, test } from 'vitest';
import type { PermitRequest } from '../../src/core/throttle.ts';
import { rejection } from '../support/caught.ts';
import { virtualClient } from '../support/virtual-client.ts';

const refusal = () => new ConfigurationError('There will be no permit.', { option: 'throttle' });

/** A throttle that answers like this, and one call that has a deadline. */
function callUnder(acquire: Throttle['acquire']) {
  const throttle: Throttle = {
    acquire,
    block: () => undefined,
    snapshot: () => ({}),
    estimate: () => 0,
  };
  const sent: unknown[] = [];
  const { client, time } = virtualClient({
    throttle,
    deadlineMs: 5_000,
    fetch: (input) => {
      sent.push(input);
      return Promise.resolve(new Response('{}'));
    },
  });
  return { call: rejection(client.campaigns.get(7), ConfigurationError), time, sent };
}

const ofTheCall = { code: 'configuration', request: { operation: 'campaigns.get', attempts: 0 } };

test('a throttle that throws: the call fails with that, and is over', async () => {
  const { call, time, sent } = callUnder(() => {
    throw refusal();
  });
  expect(await call).toMatchObject(ofTheCall);
  expect(sent).toEqual([]);
  expect(time.nextAt).toBe(Infinity);
});

test('a throttle that refuses a call in line: the same, and it leaves the line', async () => {
  let asked: PermitRequest | undefined;
  let left = 0;
  const { call, time, sent } = callUnder((request) => {
    asked = request;
    return { leave: () => (left += 1) };
  });
  await new Promise((resolve) => setImmediate(resolve));
  asked?.refused?.(refusal());
  expect(await call).toMatchObject(ofTheCall);
  expect(left).toBe(1);
  expect(sent).toEqual([]);
  expect(time.nextAt).toBe(Infinity);
});
