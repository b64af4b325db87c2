import { ConfigurationError } from 'email-platform';
import { expect, test } from 'vitest';
import { Permit, type PermitRequest } from '../../src/throttle/permit.ts';
import { THROTTLE, type Throttle } from '../../src/throttle/throttle.ts';
import { rejection } from '../support/expect-error.ts';
import { virtualClient } from '../support/virtual-client.ts';

const refusal = () => new ConfigurationError('There will be no permit.', { option: 'throttle' });

/** A call with a deadline, under a throttle with this `acquire`. */
function callUnder(acquire: (request: PermitRequest) => Permit) {
  const throttle: Throttle = {
    [Symbol.toStringTag]: THROTTLE,
    acquire,
    look: () => Infinity,
    block: () => ({ isClosed: false, givesUpWindows: false }),
    limitOf: () => undefined,
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

test('if the throttle throws, the call fails with its error, and leaves no timer', async () => {
  const { call, time, sent } = callUnder(() => {
    throw refusal();
  });
  expect(await call).toMatchObject(ofTheCall);
  expect(sent).toEqual([]);
  expect(time.nextAt).toBe(Infinity);
});

test('if the throttle refuses a queued call, the call fails with its error, and leaves no timer', async () => {
  let asked: Permit | undefined;
  const { call, time, sent } = callUnder((request) => {
    asked = new Permit(request, [], 1, () => undefined);
    return asked;
  });
  await new Promise((resolve) => setImmediate(resolve));
  asked?.waiter?.reject(refusal());
  expect(await call).toMatchObject(ofTheCall);
  expect(asked?.state).toBe('ended');
  expect(sent).toEqual([]);
  expect(time.nextAt).toBe(Infinity);
});
