import { ConfigurationError, type Throttle } from 'email-platform';
import { expect, test } from 'vitest';
import type { PermitRequest } from '../../src/core/throttle.ts';
import { rejection } from '../support/caught.ts';
import { virtualClient } from '../support/virtual-client.ts';

const refusal = () => new ConfigurationError('There will be no permit.', { option: 'throttle' });

/** A call with a deadline, under a throttle that does this. */
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

test('a throttle that throws: the call fails with its error, and leaves no timer', async () => {
  const { call, time, sent } = callUnder(() => {
    throw refusal();
  });
  expect(await call).toMatchObject(ofTheCall);
  expect(sent).toEqual([]);
  expect(time.nextAt).toBe(Infinity);
});

test('a throttle that refuses a queued call: the same, and the call leaves the queue', async () => {
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
