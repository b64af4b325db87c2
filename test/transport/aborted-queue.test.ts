import { AbortedError, EmailPlatform } from 'email-platform';
import { expect, test } from 'vitest';
import { until, WALL_START } from '../support/virtual-client.ts';
import { createRuntime } from '../../src/core/runtime.ts';
import { settle, VirtualTime } from '../support/virtual-time.ts';

/** The largest number of calls that end in one turn of the event loop. */
const PORTION = 200;
const QUEUED = 5 * PORTION;

/** A client with a call in flight, which takes the only permit, and many that are queued with a signal. */
async function crowded() {
  const time = new VirtualTime();
  const sent: AbortSignal[] = [];
  const answers: (() => void)[] = [];
  const fetch = (_url: unknown, init: RequestInit = {}) =>
    new Promise<Response>((resolve) => {
      if (init.signal) sent.push(init.signal);
      answers.push(() => resolve(new Response(null, { status: 204 })));
    });
  const throttle = { limits: { token: { requests: 1, perMs: 1000 } } };
  const client = new EmailPlatform(
    { token: 'token', hosts: { api: 'https://api.test' }, fetch, throttle },
    createRuntime({
      now: time.now,
      wallNow: () => WALL_START + time.now(),
      setTimer: time.setTimer,
    }),
  );
  const first = client.campaigns.delete(1);
  await until(() => sent.length === 1);
  const controller = new AbortController();
  const ended: number[] = [];
  const call = (number: number, priority: 'low' | 'high') =>
    client.campaigns.delete(1, { signal: controller.signal, priority }).catch((error: unknown) => {
      expect(error).toBeInstanceOf(AbortedError);
      expect(error).toMatchObject({ effect: 'none', request: { attempts: 0 } });
      ended.push(number);
    });
  const calls = Array.from({ length: QUEUED }, (_, number) => call(number, 'low'));
  const waiting = () => client.limits.snapshot().token?.waiting;
  return { time, sent, answers, client, first, controller, ended, calls, waiting };
}

test('calls that one signal aborts leave the queue at once, and end in portions, in their order', async () => {
  const { time, sent, controller, ended, calls, waiting } = await crowded();
  expect(waiting()).toBe(QUEUED);
  controller.abort();
  expect(waiting()).toBe(0);
  const counts: number[] = [];
  await settle();
  for (counts.push(ended.length); ended.length < QUEUED; counts.push(ended.length)) {
    time.fireNext();
    await settle();
  }
  await Promise.all(calls);
  expect(counts).toEqual([1, 2, 3, 4, 5].map((portions) => portions * PORTION));
  expect(ended).toEqual(calls.map((_, number) => number));
  expect(sent).toHaveLength(1);
});

test('a call in flight is aborted at once, however many queued calls the signal aborts', async () => {
  const { time, sent, answers, client, first, controller } = await crowded();
  const urgent = client.campaigns
    .delete(1, { signal: controller.signal, priority: 'high' })
    .catch((error: unknown) => error);
  answers[0]?.();
  await first;
  await time.advance(1000);
  await until(() => sent.length === 2);
  expect(sent.map(({ aborted }) => aborted)).toEqual([false, false]);
  controller.abort();
  await settle();
  expect(sent.at(-1)?.aborted).toBe(true);
  expect(await urgent).toMatchObject({ name: 'AbortError', effect: 'unknown', request: { attempts: 1 } });
});

test('a call that was aborted in the queue is not sent when a permit returns before its turn', async () => {
  const { time, sent, answers, first, controller, ended, calls } = await crowded();
  answers[0]?.();
  await first;
  time.stall(1000);
  controller.abort();
  while (ended.length < QUEUED) {
    time.fireNext();
    await settle();
  }
  await Promise.all(calls);
  expect(sent).toHaveLength(1);
});
