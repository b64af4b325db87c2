import { afterEach, describe, expect, test } from 'vitest';
import type { Emulator } from 'email-platform/testing';
import { campaigns, sendable, still, wire, type Wire } from '../../tools/wire.ts';

let server: Emulator.Server | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function overTheSocket(emulator: Emulator): Promise<Wire> {
  server = await emulator.listen();
  return wire(emulator, { fetch, origin: server.url });
}

const inMemoryAndOnAPort: [string, (emulator: Emulator) => Wire | Promise<Wire>][] = [
  ['in memory', (emulator) => wire(emulator)],
  ['over a socket', overTheSocket],
];

/** The messages of a failed call and of its causes. */
async function failure(
  call: Promise<unknown>,
): Promise<{ message: string; code: unknown; syscall: unknown }> {
  const error: unknown = await call.then(
    () => {
      throw new Error('The call did not fail');
    },
    (reason: unknown) => reason,
  );
  if (!(error instanceof TypeError)) throw error;
  const { code, syscall } = error.cause as { code: unknown; syscall?: unknown };
  return { message: error.message, code, syscall };
}

describe.each(inMemoryAndOnAPort)('Faults, %s', (_, face) => {
  async function setUp(fault: Emulator.Fault) {
    const emulator = still();
    const call = await face(emulator);
    emulator.faults.next(fault);
    const create = () => call('POST', campaigns, { body: sendable(emulator) });
    const count = async () => (await call('GET', campaigns)).list.length;
    return { emulator, call, create, count };
  }

  test('reset-before: the connection is reset and the service did not act', async () => {
    const { create, count, emulator } = await setUp({ kind: 'reset-before' });
    const { message, code, syscall } = await failure(create());
    expect({ message, code, syscall }).toEqual({
      message: 'fetch failed',
      code: 'ECONNRESET',
      syscall: 'read',
    });
    expect(await count()).toBe(0);
    expect(emulator.requests[0]).toMatchObject({ method: 'POST', path: campaigns, status: null });
  });

  test('reset-after: the connection is reset and the service acted', async () => {
    const { create, count } = await setUp({ kind: 'reset-after' });
    expect((await failure(create())).code).toBe('ECONNRESET');
    expect(await count()).toBe(1);
  });

  test('truncate: the headers and half of the body arrive, then the connection closes', async () => {
    const { create, count } = await setUp({ kind: 'truncate' });
    expect(await failure(create())).toMatchObject({ message: 'terminated', code: 'UND_ERR_SOCKET' });
    expect(await count()).toBe(1);
  });

  test('status: a response of your own, and the service does not act', async () => {
    const { create, count } = await setUp({
      kind: 'status',
      status: 503,
      headers: { 'retry-after': '7' },
      body: { errors: 'Unexpected error' },
    });
    const answer = await create();
    expect([answer.status, answer.json, answer.headers.get('retry-after')]).toEqual([
      503,
      { errors: 'Unexpected error' },
      '7',
    ]);
    expect(await count()).toBe(0);
  });

  test('status with acts: an error response, although the service acted', async () => {
    const { create, count } = await setUp({ kind: 'status', status: 504, acts: true });
    const answer = await create();
    expect([answer.status, answer.text]).toEqual([504, '']);
    expect(await count()).toBe(1);
  });

  test.each([204, 205, 304])('status %i has no body, also where one is planned', async (status) => {
    const { create } = await setUp({ kind: 'status', status, body: 'no' });
    expect(await create()).toMatchObject({ status, text: '' });
  });

  test("html: a gateway's page", async () => {
    const { create } = await setUp({ kind: 'html' });
    const answer = await create();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([502, 'text/html; charset=UTF-8']);
    expect(answer.text).toContain('<h1>502</h1>');
  });

  test('a 3xx is returned as it is if redirects are not followed', async () => {
    const { create } = await setUp({
      kind: 'status',
      status: 302,
      headers: { location: '/account/elsewhere' },
    });
    const answer = await create();
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/account/elsewhere']);
  });

  test('slow: the service acts at once and responds when the clock has advanced', async () => {
    const { emulator, create } = await setUp({ kind: 'slow', delayMs: 3_600_000 });
    const answer = create();
    await until(() => emulator.requests.length === 1);
    await until(() => emulator.clock.now() > 0 && campaignsOf(emulator) === 1);
    expect(emulator.requests[0]?.status).toBeNull();
    emulator.clock.advance(3_600_000);
    expect((await answer).status).toBe(201);
  });

  test.each(['stall', 'stall-body'] as const)(
    '%s: the request ends only when the caller aborts it',
    async (kind) => {
      const emulator = still();
      await face(emulator);
      const { token } = emulator.clientOptions();
      const target = server === undefined ? emulator.clientOptions() : { ...server.clientOptions(), fetch };
      emulator.faults.next({ kind });
      const gone = new AbortController();
      const exchange = target
        .fetch(target.hosts.api + campaigns, { headers: { 'api-token': token }, signal: gone.signal })
        .then((response) => response.text());
      await until(() => emulator.requests.length === 1);
      gone.abort(new Error('enough'));
      await expect(exchange).rejects.toThrow('enough');
    },
  );
});

describe('Which requests a fault applies to', () => {
  test.each([
    [{}, true],
    [{ method: 'get' }, true],
    [{ method: 'POST' }, false],
    [{ host: 'api' as const }, true],
    [{ host: 'send' as const }, false],
    [{ path: '/api/email_campaigns/7' }, true],
    [{ path: '/api/email_campaigns' }, false],
    [{ path: '/api/*/7' }, true],
    [{ path: '/api/email.campaigns/7' }, false],
    [{ path: /campaigns\/\d+$/g }, true],
    [{ path: /campaigns\/\d+$/y }, true],
    [{ path: /templates/ }, false],
  ])('%j: %s', async (match, hit) => {
    const emulator = still();
    emulator.faults.next({ kind: 'status', status: 418, match });
    const { status } = await wire(emulator)('GET', `${campaigns}/7`);
    expect(status).toBe(hit ? 418 : 404);
  });

  test('times: the number of requests; faults are used in the order in which they were added', async () => {
    const emulator = still();
    emulator.faults.next({ kind: 'status', status: 500, times: 2 });
    emulator.faults.next({ kind: 'status', status: 503 });
    const statuses: number[] = [];
    for (let index = 0; index < 4; index += 1) statuses.push((await wire(emulator)('GET', campaigns)).status);
    expect(statuses).toEqual([500, 500, 503, 200]);
  });

  test('probability: about one request in ten; with the same seed the same ones, and each counts for times', async () => {
    const failed = async (
      fault: Partial<Emulator.Fault> = {},
      often: Partial<Emulator.Fault> = { always: true },
    ) => {
      const emulator = still();
      const get = wire(emulator);
      emulator.faults.next({ kind: 'status', status: 500, probability: 0.1, ...often, ...fault });
      const found: number[] = [];
      for (let index = 0; index < 300; index += 1)
        if ((await get('GET', campaigns)).status === 500) found.push(index);
      return found;
    };
    const first = await failed();
    expect(first.length).toBeGreaterThan(15);
    expect(first.length).toBeLessThan(50);
    expect(await failed({ seed: 1 })).toEqual(first);
    expect(await failed({ seed: 2 })).not.toEqual(first);
    expect(await failed({}, { times: 3 })).toEqual(first.slice(0, 3));
  });

  test('probability: the same requests fail, whatever else is requested between them', async () => {
    const failed = async (others: number) => {
      const emulator = still();
      const get = wire(emulator);
      const match = { path: '/api/email_campaigns' };
      emulator.faults.next({ kind: 'status', status: 500, probability: 0.3, always: true, match });
      const found: number[] = [];
      for (let index = 0; index < 40; index += 1) {
        if ((await get('GET', campaigns)).status === 500) found.push(index);
        for (let other = 0; other < others; other += 1) await get('GET', '/api/accounts');
      }
      return found;
    };
    const alone = await failed(0);
    expect(alone.length).toBeGreaterThan(2);
    expect(await failed(1)).toEqual(alone);
  });

  test('clear removes them', async () => {
    const emulator = still();
    emulator.faults.next({ kind: 'stall', times: Number.POSITIVE_INFINITY });
    emulator.faults.clear();
    expect((await wire(emulator)('GET', campaigns)).status).toBe(200);
  });

  test('a planned fault does not change with the object that was passed', async () => {
    const emulator = still();
    const match = { method: 'GET' };
    emulator.faults.next({ kind: 'status', status: 418, match });
    match.method = 'POST';
    expect((await wire(emulator)('GET', campaigns)).status).toBe(418);
  });

  test.each<Partial<Emulator.Fault>>([
    { times: 0 },
    { probability: 0 },
    { probability: 1.1 },
    { kind: 'status', status: 199 },
    { kind: 'status', status: 600 },
  ])('%j is out of its range', (fault) => {
    expect(() => still().faults.next({ kind: 'stall', ...fault })).toThrow(RangeError);
  });

  test('a seed needs a probability', () => {
    expect(() => still().faults.next({ kind: 'stall', seed: 7 })).toThrow(TypeError);
  });
});

function campaignsOf(emulator: Emulator): number {
  try {
    emulator.campaigns.stateOf(1001);
    return 1;
  } catch {
    return 0;
  }
}

/** Waits until a condition holds. */
async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await new Promise((resolve) => setImmediate(resolve));
}
