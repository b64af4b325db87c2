import { EmailPlatform } from 'email-platform';
import { type Emulator, createEmulator } from 'email-platform/testing';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { surface } from '../../../spec/surface.ts';
import { errorOf, type Loose } from '../../tools/refused.ts';
import { start, still, wire } from '../../tools/wire.ts';

const emulator = still({ limits: false });
const call = wire(emulator);
const LIST = '/api/templates';

beforeEach(() => emulator.reset());

describe('A handler takes the place of an endpoint', () => {
  test('it gets the arguments of the path, the request with its body, and answers it', async () => {
    const seen: unknown[] = [];
    emulator.on('PATCH /api/templates/{templateId}', async ({ params, request }) => {
      seen.push(params.templateId, request.method, await request.json());
      return Response.json({ data: { id: Number(params.templateId) } }, { status: 202 });
    });
    const answer = await call('PATCH', `${LIST}/a%2Fb`, { body: { name: 'x' } });
    expect([answer.status, answer.value]).toEqual([202, { data: { id: null } }]);
    expect(seen).toEqual(['a/b', 'PATCH', { name: 'x' }]);
  });

  test('a client asks in either form of the path; both reach it', async () => {
    emulator.on('GET /api/templates/{id}', ({ params }) =>
      Response.json({ data: { id: Number(params.id), name: 'Ours', params } }),
    );
    const { accountId, ...options } = emulator.clientOptions();
    for (const client of [new EmailPlatform({ ...options, accountId }), new EmailPlatform(options)]) {
      expect(await client.templates.paginated.get(7)).toMatchObject({ name: 'Ours', params: { id: '7' } });
    }
  });

  test('the form that names the account has the account, with any token', async () => {
    emulator.on('GET /api/accounts/{account_id}/inboxes/{inbox}', ({ params }) => Response.json(params));
    for (const path of ['/api/accounts/1001/inboxes/5', '/api/sandboxes/5'])
      expect((await call('GET', path)).value).toEqual({ account_id: '1001', inbox: '5' });
  });

  test('a handler of a PATCH gets the PUT, and one of a GET the HEAD', async () => {
    emulator.on('PATCH /api/templates/{id}', ({ request }) => Response.json({ by: request.method }));
    emulator.on('GET /api/templates/{id}', ({ request }) => Response.json({ by: request.method }));
    expect((await call('PUT', `${LIST}/1`, { body: {} })).value).toEqual({ by: 'PUT' });
    const head = await call('HEAD', `${LIST}/1`);
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', '13']);
  });

  test.each(['in memory', 'on a port'])(
    'its response keeps each cookie and its stream, %s',
    async (place) => {
      emulator.on('GET /api/templates', () => {
        const headers = new Headers({ 'content-type': 'text/plain' });
        for (const cookie of ['a=1', 'b=2']) headers.append('set-cookie', cookie);
        return new Response(new Blob(['in ', 'pieces']).stream(), { headers });
      });
      const server = place === 'on a port' ? await emulator.listen() : undefined;
      try {
        const asked = server ? wire(emulator, { fetch, origin: server.url }) : call;
        const { text, headers } = await asked('GET', LIST);
        expect([text, headers.getSetCookie()]).toEqual(['in pieces', ['a=1', 'b=2']]);
      } finally {
        await server?.close();
      }
    },
  );

  test('next() is the own answer, on which the emulator acts; without it, it does not act', async () => {
    const handler: Emulator.Handler = async ({ next }) => {
      const own = await next();
      return Response.json({ own: own.status, id: own.headers.has('x-request-id') });
    };
    emulator.on('POST /api/templates', handler);
    const body = { name: 'A', subject: 'B', category: 'C' };
    expect((await call('POST', LIST, { body })).value).toEqual({ own: 201, id: true });
    expect((await call('GET', LIST)).list).toHaveLength(1);
    emulator.on('POST /api/templates', () => new Response(null, { status: 204 }));
    expect((await call('POST', LIST, { body })).status).toBe(204);
    expect((await call('GET', LIST)).list).toHaveLength(1);
  });

  test('the one that was added last answers, and its next() is the one before', async () => {
    const adding =
      (name: string): Emulator.Handler =>
      async ({ next }) =>
        new Response(`${name} ${await (await next()).text()}`);
    emulator.on('GET /api/templates', () => new Response('first'));
    const removeSecond = emulator.on('GET /api/templates', adding('second'));
    const removeThird = emulator.on('GET /api/templates', adding('third'));
    const text = async () => (await call('GET', LIST)).text;
    expect(await text()).toBe('third second first');
    removeSecond();
    removeSecond();
    expect(await text()).toBe('third first');
    removeThird();
    expect(await text()).toBe('first');
  });

  test('one Response may be returned for many requests', async () => {
    const response = Response.json({ data: [] });
    emulator.on('GET /api/templates', () => response);
    expect((await call('GET', LIST)).text).toBe('{"data":[]}');
    expect((await call('GET', LIST)).text).toBe('{"data":[]}');
  });
});

describe('A handler is removed', () => {
  const isOurs = async () => (await call('GET', LIST)).text === 'ours';

  test('by the function that is returned', async () => {
    const remove = emulator.on('GET /api/templates', () => new Response('ours'));
    expect(await isOurs()).toBe(true);
    remove();
    expect(await isOurs()).toBe(false);
  });

  test('at the end of a block, as `using` does', async () => {
    const remove = emulator.on('GET /api/templates', () => new Response('ours'));
    remove[Symbol.dispose]();
    expect(await isOurs()).toBe(false);
  });

  test('by a reset, and by no restore', async () => {
    const snapshot = emulator.snapshot();
    emulator.on('GET /api/templates', () => new Response('ours'));
    emulator.restore(snapshot);
    expect(await isOurs()).toBe(true);
    emulator.reset();
    expect(await isOurs()).toBe(false);
  });
});

describe('Its answer goes the way of the emulator’s own', () => {
  test('after the token, its permissions and its account', async () => {
    let calls = 0;
    emulator.on('GET /api/accounts/{account_id}/templates', () => {
      calls += 1;
      return new Response();
    });
    const viewer = emulator.createToken({ permissions: { templates: 'none' } });
    expect((await call('GET', LIST, { token: 'unknown' })).status).toBe(401);
    expect((await call('GET', LIST, { token: viewer })).status).toBe(403);
    expect((await call('GET', '/api/accounts/7/templates')).status).toBe(404);
    expect(calls).toBe(0);
    expect((await call('GET', LIST)).status).toBe(200);
    expect(calls).toBe(1);
  });

  test('through the limits, with the headers that state them, a date and an id, unless it has its own', async () => {
    const limited = createEmulator({ now: () => start, limits: { token: { requests: 2, perMs: 60_000 } } });
    const ask = wire(limited);
    limited.on('GET /api/templates', () => Response.json({}, { headers: { 'x-ratelimit-limit': '9' } }));
    const { headers } = await ask('GET', LIST);
    expect(headers.get('x-ratelimit-limit')).toBe('9');
    expect(headers.get('x-ratelimit-remaining')).toBe('1');
    expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    expect(headers.get('date')).toBe(new Date(start).toUTCString());
    const answers = [await ask('GET', LIST), await ask('GET', LIST)];
    expect(answers.map(({ status }) => status)).toEqual([200, 429]);
  });

  test('through the faults: one that acts first lets the handler act, one in its place does not', async () => {
    let calls = 0;
    emulator.on('GET /api/templates', () => {
      calls += 1;
      return Response.json({});
    });
    emulator.faults.next({ kind: 'reset-after' });
    await expect(call('GET', LIST)).rejects.toThrow();
    emulator.faults.next({ kind: 'status', status: 503 });
    expect([(await call('GET', LIST)).status, calls]).toEqual([503, 1]);
  });

  test('into the list of requests', async () => {
    emulator.on('GET /api/templates', () => new Response('', { status: 418 }));
    await call('GET', LIST);
    expect(emulator.requests).toMatchObject([{ method: 'GET', path: LIST, status: 418 }]);
  });

  test('over a port, and on the sending hosts', async () => {
    emulator.on('POST /api/send', async ({ request, next }) => {
      const { subject } = (await request.json()) as { subject: string };
      return subject === 'No' ? Response.json({ errors: ['No'] }, { status: 400 }) : next();
    });
    const server = await emulator.listen();
    afterAll(() => server.close());
    const client = new EmailPlatform(server.clientOptions());
    const email = { from: 'a@mail.example.com', to: 'b@example.org', text: 'Hello' };
    await expect(client.sending.send({ ...email, subject: 'No' })).rejects.toThrow('No');
    await client.sending.send({ ...email, subject: 'Yes' });
    expect(emulator.messages().map(({ subject }) => subject)).toEqual(['Yes']);
  });

  test('Response.error() breaks the connection', async () => {
    emulator.on('GET /api/templates', () => Response.error());
    await expect(call('GET', LIST)).rejects.toThrow('fetch failed');
    expect(emulator.requests).toMatchObject([{ status: null }]);
  });
});

describe('Errors', () => {
  test.each<[what: string, handler: Loose, message: string]>([
    ['throws', () => Promise.reject(new Error('Lost')), 'Error: Lost'],
    ['returns nothing', () => undefined, 'TypeError: it must return a Response; `next()` returns the one'],
    ['returns an object', () => ({ status: 200 }), 'TypeError: it must return a Response'],
    [
      'calls next() twice',
      async (given) => {
        const { next } = given as { next: () => Promise<Response> };
        await next();
        return next();
      },
      'Error: `next` of GET /api/templates was called twice',
    ],
  ])('a handler that %s is a 500 that says so', async (_, handler, message) => {
    emulator.on('GET /api/templates', handler as unknown as Emulator.Handler);
    const { status, json } = await call('GET', LIST);
    expect([status, json.error]).toEqual([
      500,
      expect.stringContaining(`The handler of GET /api/templates failed: ${message}`),
    ]);
  });

  test.each<[values: unknown[], message: string]>([
    [[], 'TypeError: `endpoint` must be a method and a path'],
    [['templates', () => new Response()], 'RangeError: `endpoint` must be a method and a path'],
    [['GET /api/templates'], 'TypeError: `handler` must be a function'],
    [['GET /api/templates', 'x'], 'TypeError: `handler` must be a function'],
    [
      ['GET /api/template', () => new Response()],
      'RangeError: `endpoint` must be an endpoint of the emulator, not GET /api/template; did you mean `GET /api/templates`?',
    ],
    [['PUT /api/templates/{id}', () => new Response()], 'RangeError: `endpoint` must be an endpoint'],
    [['GET /api/templates', () => new Response(), {}], 'TypeError: `on` takes only'],
  ])('%#: it is refused when it is added', (values, message) => {
    expect(errorOf(() => (emulator.on as Loose)(...values))).toContain(message);
  });

  test('every endpoint that is published can be replaced, by each of its paths', () => {
    expect(surface.length).toBeGreaterThan(100);
    for (const { verb, path, accountPath } of surface) {
      for (const one of [path, accountPath].filter((given) => given !== undefined)) {
        emulator.on(`${verb} ${one}` as Emulator.Endpoint, () => new Response())();
      }
    }
  });
});
