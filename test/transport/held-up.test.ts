/**
 * A process that is held up runs its timers before it reads its sockets. So the client lets the event loop read before
 * it sends what must not be repeated, and before it calls a response late.
 */
import { AbortedError, TimeoutError } from 'email-platform';
import { EmailPlatform, type RequestOptions } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { rejection } from '../support/expect-error.ts';
import { json, scriptedFetch, type Turn } from '../support/scripted-fetch.ts';
import { until, virtualRuntime } from '../support/virtual-client.ts';
import { settle, VirtualTime } from '../support/virtual-time.ts';

const mail = { from: 'a@example.com', to: 'b@example.com', subject: 'Hi', text: 'Hi' };
const accepted = { success: true, message_ids: ['1'], data: { id: 1 } };

/** A client whose event loop reads only when the test lets it. */
function setUp(...turns: [Turn, ...Turn[]]) {
  const time = new VirtualTime();
  const { fetch, sent } = scriptedFetch(...turns);
  const waiting: (() => void)[] = [];
  const afterReading = (callback: () => void) => void waiting.push(callback);
  const hosts = { api: 'https://api.test', send: 'https://send.test' };
  const client = new EmailPlatform(
    { token: 'token', hosts, fetch, throttle: false, retry: false },
    { ...virtualRuntime(time), afterReading },
  );
  const read = () => waiting.splice(0).forEach((callback) => callback());
  return { client, time, sent, waiting, read };
}

/** Waits until the loop is asked to read. */
const asked = ({ waiting }: ReturnType<typeof setUp>) => until(() => waiting.length > 0);

describe('Before a request that must not be repeated, the event loop reads', () => {
  test('a send', async () => {
    const world = setUp(json(200, accepted));
    const call = world.client.sending.send(mail);
    await asked(world);
    await settle();
    expect(world.sent).toHaveLength(0);
    world.read();
    await asked(world);
    world.read();
    expect((await call).message_ids).toEqual(['1']);
  });

  test('and once more after its response, which an abort or the deadline no longer changes', async () => {
    const world = setUp(json(200, accepted));
    const abort = new AbortController();
    const call = world.client.sending.send(mail, { signal: abort.signal, deadlineMs: 1_000 });
    await asked(world);
    world.read();
    await asked(world);
    expect(world.sent).toHaveLength(1);
    abort.abort();
    world.time.stall(1_000);
    world.read();
    expect((await call).message_ids).toEqual(['1']);
  });

  test.each([
    [1, 3],
    [2, 4],
  ])(
    'for two sends %i ms apart %i times: between the sends of a loop no process is held up',
    async (laterMs, times) => {
      const world = setUp(json(200, accepted), json(200, accepted));
      let asks = 0;
      const send = async () => {
        const over = new AbortController();
        const call = world.client.sending.send(mail).finally(() => over.abort());
        while (!over.signal.aborted) {
          await settle();
          asks += world.waiting.length;
          world.read();
        }
        return call;
      };
      await send();
      world.time.stall(laterMs);
      await send();
      expect(asks).toBe(times);
    },
  );

  test.each<[string, (client: EmailPlatform) => Promise<unknown>]>([
    ['a read', (client) => client.campaigns.get(1)],
    ['a send that may be repeated', (client) => client.sending.send(mail, { repeatable: true })],
  ])('not before %s', async (_, run) => {
    const { client, sent } = setUp(json(200, accepted));
    await run(client);
    expect(sent).toHaveLength(1);
  });

  test.each<[string, RequestOptions, (world: ReturnType<typeof setUp>, abort: AbortController) => void]>([
    ['abort', {}, (_, abort) => abort.abort()],
    ['deadline', { deadlineMs: 1_000 }, ({ time }) => time.stall(1_000)],
  ])('an %s meanwhile ends the call, and nothing is sent', async (_, options, end) => {
    const world = setUp(json(200, accepted));
    const abort = new AbortController();
    const call = world.client.sending.send(mail, { ...options, signal: abort.signal });
    call.catch(() => undefined);
    await asked(world);
    end(world, abort);
    world.read();
    const error: unknown = await call.catch((reason: unknown) => reason);
    expect([AbortedError, TimeoutError].some((type) => error instanceof type)).toBe(true);
    expect(error).toMatchObject({ effect: 'none', request: { attempts: 0 } });
    expect(world.sent).toHaveLength(0);
  });
});

describe.each<[string, RequestOptions]>([
  ['timeout', { timeoutMs: 1_000 }],
  ['deadline', { deadlineMs: 1_000 }],
])('When its %s passes, a call', (_, options) => {
  test('that is answered already has its result', async () => {
    let answer!: (response: Response) => void;
    const world = setUp(() => new Promise((resolve) => (answer = resolve)));
    const call = world.client.campaigns.get(1, options);
    await until(() => world.sent.length === 1);
    world.time.fireNext();
    // Read by the turn of the loop that the timer waits for.
    answer(Response.json(accepted));
    expect(await call).toEqual({ id: 1 });
    world.read();
    expect(world.time.pending).toBe(0);
  });

  test('that is not answered then fails', async () => {
    const world = setUp(() => new Promise(() => undefined));
    const call = rejection(world.client.campaigns.get(1, options), TimeoutError);
    await until(() => world.sent.length === 1);
    world.time.fireNext();
    await settle();
    expect(world.waiting).toHaveLength(1);
    world.read();
    expect(await call).toMatchObject({ effect: 'unknown' });
  });
});
