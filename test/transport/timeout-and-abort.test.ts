import {
  EmailPlatform,
  AbortedError,
  ResponseFormatError,
  TimeoutError,
  UnprocessableError,
  type EmailPlatformOptions,
} from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { rejection } from '../support/expect-error.ts';
import { listen } from '../support/ports.ts';
import { inMemoryAndOnAPort } from '../support/in-memory-and-on-a-port.ts';
import { empty, json, scriptedFetch, silence, type Turn } from '../support/scripted-fetch.ts';
import { until, virtualClient } from '../support/virtual-client.ts';
import { settle } from '../support/virtual-time.ts';

const found = json(200, { data: { id: 1 } });

/** Headers at once, half a body, and then nothing. */
const halfBody: (status?: number) => Turn =
  (status = 200) =>
  () =>
    new Response(
      new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('{"data":')) }),
      { status },
    );

function setUp(turns: [Turn, ...Turn[]], options: EmailPlatformOptions = {}) {
  const { fetch, sent } = scriptedFetch(...turns);
  const { client, time } = virtualClient({ fetch, retry: false, timeoutMs: 1000, ...options });
  return { client, time, sent, isSent: () => until(() => sent.length === 1) };
}

describe('An attempt’s timeout', () => {
  test('leaves the permit in use for as long again, and a window', async () => {
    const throttle = { limits: { token: { requests: 5, perMs: 10_000 } } };
    const { client, time, isSent } = setUp([silence], { throttle });
    const failed = rejection(client.campaigns.get(1), TimeoutError);
    await isSent();
    await time.advance(1000);
    await failed;
    const used = () => client.limits.snapshot().token?.used;
    await time.advance(10_999);
    expect(used()).toBe(1);
    await time.advance(1);
    expect(used()).toBe(0);
  });

  test.each<[string, Turn, string]>([
    ['no response, and a fetch that ignores its signal', silence, 'connecting, or waiting for its response'],
    ['a body that stops halfway', halfBody(), 'waiting for its response'],
  ])('ends %s', async (_, turn, doing) => {
    const { client, time, isSent } = setUp([turn]);
    const failed = rejection(client.campaigns.get(1), TimeoutError);
    await isSent();
    await time.advance(999);
    expect(time.pending).toBe(1);
    await time.advance(1);
    expect(await failed).toMatchObject({
      kind: 'attempt',
      effect: 'unknown',
      message: `campaigns.get did not finish within its timeout of 1000 ms; it was ${doing}`,
      request: { attempts: 1, elapsedMs: 1000 },
    });
    expect(time.pending).toBe(0);
  });

  test('says that a POST never connected: here, the server never answers the handshake', async () => {
    const server = await listen(createServer());
    onTestFinished(() => void server.close());
    const hosts = { send: `https://127.0.0.1:${server.port}` };
    const client = new EmailPlatform({ token: 'a-token', hosts, timeoutMs: 200, retry: false });
    const mail = { from: 'me@mail.example.com', to: 'ann@example.org', subject: 'Hello', text: 'Hello' };
    expect(await rejection(client.sending.send(mail), TimeoutError)).toMatchObject({
      effect: 'none',
      message: 'sending.send did not finish within its timeout of 200 ms; it was connecting',
    });
  });

  test('does not change an error response whose body stops halfway', async () => {
    const { client, time, isSent } = setUp([halfBody(422)]);
    const failed = rejection(client.campaigns.get(1), UnprocessableError);
    await isSent();
    await time.advance(1000);
    expect(await failed).toMatchObject({ status: 422, effect: 'none' });
    expect(time.pending).toBe(0);
  });

  test('aborts the request', async () => {
    const { client, time, sent, isSent } = setUp([silence]);
    const failed = rejection(client.campaigns.get(1), TimeoutError);
    await isSent();
    await time.advance(1000);
    await failed;
    expect(sent[0]?.signal.aborted).toBe(true);
  });

  test('may be set for one call', async () => {
    const { client, time, isSent } = setUp([silence]);
    const failed = rejection(client.campaigns.get(1, { timeoutMs: 5 }), TimeoutError);
    await isSent();
    await time.advance(5);
    await failed;
  });

  test('leaves no timer once the response has arrived', async () => {
    const { client, time } = setUp([found]);
    await client.campaigns.get(1);
    expect(time.pending).toBe(0);
  });

  test('does not change what a delete comes to, whose status alone decides', async () => {
    const { client, time, isSent } = setUp([halfBody(200)]);
    const failed = rejection(client.campaigns.delete(1), ResponseFormatError);
    await isSent();
    await until(() => time.pending === 1);
    await time.advance(1000);
    expect((await failed).effect).toBe('unknown');
  });

  test('is not changed by a response that comes later', async () => {
    let answer!: (response: Response) => void;
    const late: Turn = () => new Promise((resolve) => (answer = resolve));
    const { client, time, isSent } = setUp([late, found]);
    const failed = rejection(client.campaigns.get(1), TimeoutError);
    await isSent();
    await time.advance(1000);
    const error = await failed;
    const before = JSON.stringify(error);
    answer(Response.json({ data: { id: 'late' } }));
    expect(await client.campaigns.get(1)).toEqual({ id: 1 });
    expect(JSON.stringify(error)).toBe(before);
  });
});

describe('The deadline of a call', () => {
  test('ends a call in flight', async () => {
    const { client, time, isSent } = setUp([silence], { deadlineMs: 700 });
    const failed = rejection(client.campaigns.get(1), TimeoutError);
    await isSent();
    await time.advance(700);
    expect(await failed).toMatchObject({ kind: 'deadline', effect: 'unknown' });
    expect(time.pending).toBe(0);
  });

  test('may be set for one call, and replaces the client’s', async () => {
    const { client, time, isSent } = setUp([silence], { deadlineMs: 700_000 });
    const failed = rejection(client.campaigns.get(1, { deadlineMs: 50 }), TimeoutError);
    await isSent();
    await time.advance(50);
    expect((await failed).message).toBe(
      'campaigns.get did not finish within its deadline of 50 ms; it was connecting, or waiting for its response',
    );
  });

  test('ends a queued call, and the error says that it was queued', async () => {
    const throttle = { limits: { token: { requests: 1, perMs: 10_000 } } };
    const queued = setUp([found], { throttle, deadlineMs: 700 });
    await queued.client.campaigns.get(1);
    const second = rejection(queued.client.campaigns.get(1), TimeoutError);
    await queued.time.advance(700);
    expect(await second).toMatchObject({
      message: 'campaigns.get did not finish within its deadline of 700 ms; it was queued for the rate limit',
      effect: 'none',
    });
  });

  test('leaves no timer once the response has arrived', async () => {
    const { client, time } = setUp([found], { deadlineMs: 700 });
    await client.campaigns.get(1);
    expect(time.pending).toBe(0);
  });
});

describe('An abort', () => {
  const reason = new Error('not needed any more');

  test('before the call: nothing is sent', async () => {
    const { client, sent, time } = setUp([found]);
    const error = await rejection(
      client.campaigns.get(1, { signal: AbortSignal.abort(reason) }),
      AbortedError,
    );
    expect(error).toMatchObject({
      name: 'AbortError',
      cause: reason,
      effect: 'none',
      request: { attempts: 0 },
    });
    expect([sent.length, time.pending]).toEqual([0, 0]);
  });

  test.each(['get', 'start'] as const)(
    'just after campaigns.%s, as the first or a later call: nothing is sent',
    async (method) => {
      const { client, sent } = setUp([found]);
      for (const calls of [0, 0, 1, 1]) {
        if (calls > sent.length) await client.campaigns.get(1);
        const controller = new AbortController();
        const failed = rejection(client.campaigns[method](1, { signal: controller.signal }), AbortedError);
        controller.abort();
        expect(await failed).toMatchObject({ effect: 'none', request: { attempts: 0 } });
        expect(sent).toHaveLength(calls);
      }
    },
  );

  test("a moment before it is sent: nothing is sent, and the effect is 'none'", async () => {
    const controller = new AbortController();
    const onRequest = () => {
      queueMicrotask(() => controller.abort());
    };
    const { client, sent } = setUp([found], { hooks: { onRequest } });
    const error = await rejection(client.campaigns.get(1, { signal: controller.signal }), AbortedError);
    // Long enough for anything that is still to be sent.
    for (let turn = 0; turn < 20; turn += 1) await settle();
    expect([error.effect, error.request?.attempts, sent.length]).toEqual(['none', 0, 0]);
  });

  test.each<[string, Turn]>([
    ['in flight, even if fetch ignores it', silence],
    ['during the body', halfBody()],
  ])('%s: at once, with its reason, and the effect unknown', async (_, turn) => {
    const { client, time, sent, isSent } = setUp([turn]);
    const controller = new AbortController();
    const failed = rejection(client.campaigns.get(1, { signal: controller.signal }), AbortedError);
    await isSent();
    await settle();
    controller.abort(reason);
    expect(await failed).toMatchObject({ cause: reason, effect: 'unknown', request: { attempts: 1 } });
    expect(sent[0]?.signal.aborted).toBe(true);
    expect(time.pending).toBe(0);
  });

  test('while a retry waits ends the call at once, also after a late response to the attempt before', async () => {
    let answerLate!: (response: Response) => void;
    const late: Turn = () => new Promise((resolve) => (answerLate = resolve));
    const { client, time, isSent } = setUp([late, found], { retry: { maxRetries: 1 } });
    const controller = new AbortController();
    const failed = rejection(client.campaigns.get(1, { signal: controller.signal }), AbortedError);
    await isSent();
    await time.advance(1000);
    answerLate(Response.json({ data: { id: 'late' } }));
    for (let turn = 0; turn < 20; turn += 1) await settle();
    expect(time.pending).toBe(1);
    controller.abort(reason);
    expect(await failed).toMatchObject({ cause: reason, effect: 'unknown', request: { attempts: 1 } });
    expect(time.pending).toBe(0);
  });

  test('without a reason has the platform’s default one', async () => {
    const error = await rejection(
      setUp([found]).client.campaigns.get(1, { signal: AbortSignal.abort() }),
      AbortedError,
    );
    expect(error.cause).toMatchObject({ name: 'AbortError' });
  });

  test('while queued: the call leaves the queue at once, and is not sent', async () => {
    const waits: EmailPlatform.ThrottleEvent[] = [];
    const { client, sent, time } = setUp([empty(204)], {
      throttle: { limits: { token: { requests: 1, perMs: 10_000 } } },
      hooks: { onThrottle: (event) => void waits.push(event) },
    });
    await client.campaigns.delete(1);
    const controller = new AbortController();
    const failed = rejection(client.campaigns.delete(2, { signal: controller.signal }), AbortedError);
    await until(() => waits.length === 1);
    controller.abort(reason);
    expect(await failed).toMatchObject({ cause: reason, effect: 'none', request: { attempts: 0 } });
    expect(sent).toHaveLength(1);
    expect(client.limits.snapshot().token?.waiting).toBe(0);
    expect(time.pending).toBe(0);
  });

  test('after the result changes nothing', async () => {
    const { client } = setUp([found]);
    const controller = new AbortController();
    const promise = client.campaigns.get(1, { signal: controller.signal });
    await promise;
    controller.abort();
    expect(await promise).toEqual({ id: 1 });
  });
});

describe('A signal that outlives many calls', () => {
  test('keeps no listener of a thousand calls, however they end', async () => {
    const emulator = createEmulator({ limits: false });
    const { client } = virtualClient({ ...emulator.clientOptions(), retry: false, throttle: false });
    const { signal } = new AbortController();
    const listeners = new Set<unknown>();
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners.add(args[1]);
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners.delete(args[1]);
      remove(...args);
    };
    // In turn: found, not found, and not sent.
    const ids = [emulator.campaigns.add(), 7, 0];
    const calls = Array.from({ length: 1000 }, (_, call) =>
      client.campaigns.get(ids[call % 3] ?? 0, { signal }),
    );
    // One listener for all of them: Node would warn of a leak after the tenth.
    expect(listeners.size).toBe(1);
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(334);
    expect(listeners.size).toBe(0);
  });
});

describe.each(inMemoryAndOnAPort)('Against a service that stalls, %s', (_, connect) => {
  test.each(['stall', 'stall-body'] as const)('%s ends with the attempt’s timeout', async (kind) => {
    const { emulator, connect: clientWith } = await connect();
    const client = clientWith({ timeoutMs: 30, retry: false });
    const id = emulator.campaigns.add();
    emulator.faults.next({ kind });
    const error = await rejection(client.campaigns.get(id), TimeoutError);
    expect(error.kind).toBe('attempt');
    // On a busy machine, the attempt may have ended before its request reached the service.
    emulator.faults.clear();
    expect((await client.campaigns.get(id, { timeoutMs: 30_000 })).id).toBe(id);
  });

  test.each(['stall', 'stall-body'] as const)('%s ends with the caller’s signal', async (kind) => {
    const { emulator, client } = await connect();
    const id = emulator.campaigns.add();
    emulator.faults.next({ kind });
    const controller = new AbortController();
    const failed = rejection(client.campaigns.get(id, { signal: controller.signal }), AbortedError);
    await until(() => emulator.requests.length === 1);
    controller.abort();
    expect((await failed).effect).toBe('unknown');
  });
});
