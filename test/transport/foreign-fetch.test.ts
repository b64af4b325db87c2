import { inspect } from 'node:util';
import { ConnectionError, EmailPlatform, type EmailPlatformOptions } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { rejection } from '../support/expect-error.ts';
import { broken, empty, failure, scriptedFetch, text, type Turn } from '../support/scripted-fetch.ts';
import { portWith } from '../support/sockets.ts';
import { throughItsWaits, virtualClient } from '../support/virtual-client.ts';

const TOKEN = 's3cr3t-t0k3n';

const client = (fetch: EmailPlatform.Fetch, options: EmailPlatformOptions = {}) =>
  virtualClient({ fetch, token: TOKEN, retry: false, ...options }).client;
const failed = (fetch: EmailPlatform.Fetch) => rejection(client(fetch).campaigns.get(1), ConnectionError);

describe('A fetch supplied by the caller', () => {
  const nothingToString = Object.create(null) as object;
  const brokenString = {
    toString() {
      throw new Error('no');
    },
  };

  test.each<[string, unknown]>([
    ['a string', 'offline'],
    ['undefined', undefined],
    ['null', null],
    ['a number', 7],
    ['a symbol', Symbol('x')],
    ['an object', { status: 500 }],
    ['an object without a prototype', nothingToString],
    ['an object that cannot be written as text', brokenString],
    ['an error without a message', new Error('')],
  ])('that rejects with %s causes a ConnectionError', async (_, reason) => {
    const error = await failed(scriptedFetch(failure(reason)).fetch);
    expect(error).toMatchObject({ phase: 'unknown', effect: 'unknown', code: 'connection_failed' });
    expect(error.cause).toBeInstanceOf(Error);
  });

  test('that throws synchronously causes a ConnectionError', async () => {
    const error = await failed(() => {
      throw new Error('sync');
    });
    expect(error.message).toContain('sync');
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['something that is not a response', {}],
    ['null', null],
  ])('that resolves to %s causes a ConnectionError', async (_, value) => {
    await failed(() => Promise.resolve(value as Response));
  });

  test('may reject with an error that is its own cause', async () => {
    const loop: Error & { cause?: unknown } = new Error('loop');
    loop.cause = loop;
    expect((await failed(scriptedFetch(failure(loop)).fetch)).effect).toBe('unknown');
  });

  test('may reject with an error whose properties cannot be read', async () => {
    const hostile = Object.defineProperty(new Error('x'), 'cause', {
      get: () => {
        throw new Error('no');
      },
    });
    expect((await failed(scriptedFetch(failure(hostile)).fetch)).effect).toBe('unknown');
  });

  test('whose response body breaks off causes a ConnectionError', async () => {
    const turn: Turn = () =>
      new Response(new ReadableStream({ pull: (stream) => stream.error(broken('UND_ERR_SOCKET')) }));
    const error = await failed(scriptedFetch(turn).fetch);
    expect(error).toMatchObject({ phase: 'exchange', effect: 'unknown' });
  });
});

describe('A result of fetch that is not a response', () => {
  /** A response with a status or a type that the constructor refuses. */
  const odd = (fields: Record<string, unknown>) =>
    Object.defineProperties(
      new Response('{"success":true,"message_ids":["a"],"data":{"id":1}}'),
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { value }])),
    );
  const mail = {
    from: { email: 'a@example.com' },
    to: [{ email: 'b@example.com' }],
    subject: 'Hi',
    text: 'Hi',
  };
  const found: [string, () => unknown][] = [
    ['a network error', () => Response.error()],
    ['an opaque response, of mode no-cors', () => odd({ status: 0, ok: false, type: 'opaque' })],
    ...[0, 1, 99, 100, 101, 102, 103, 199, -200, NaN].map((status): [string, () => unknown] => [
      `status ${status}`,
      () => odd({ status, ok: false }),
    ]),
    ['a status of undefined', () => odd({ status: undefined, ok: true })],
    ['nothing', () => undefined],
    ['null', () => null],
    ['a number', () => 200],
    ['a text', () => 'OK'],
    ['parsed JSON', () => ({ success: true, message_ids: ['a'] })],
    ['a status without headers', () => ({ status: 200, ok: true, text: () => Promise.resolve('{}') })],
    ['a 429 without headers', () => ({ status: 429, ok: false, text: () => Promise.resolve('') })],
    ['a 429 with a list for headers', () => ({ status: 429, headers: [], text: () => Promise.resolve('') })],
    ['a 500 with a list for headers', () => ({ status: 500, headers: [], text: () => Promise.resolve('') })],
    ['a 404 with an object for headers', () => ({ status: 404, headers: { get: () => null } })],
    ['a function', () => () => new Response('{}')],
    [
      'a getter that throws',
      () => ({
        get status() {
          throw new Error('no');
        },
      }),
    ],
  ];

  const calls: [string, (client: EmailPlatform) => Promise<unknown>, number][] = [
    ['sending.send', ({ sending }) => sending.send(mail), 1],
    ['sending.batch', ({ sending }) => sending.batch({ requests: [mail] }), 1],
    ['campaigns.get', ({ campaigns }) => campaigns.get(1), 4],
    ['campaigns.delete', ({ campaigns }) => campaigns.delete(1), 4],
  ];

  describe.each(found)('such as %s', (_, resolved) => {
    test.each(calls)('leaves open what %s did', async (_operation, call, attempts) => {
      let sent = 0;
      const fetch = () => {
        sent += 1;
        return Promise.resolve(resolved() as Response);
      };
      const hosts = { api: 'https://api.test', send: 'https://send.test' };
      const hooks = { onResponse: () => expect.unreachable('There was none.') };
      const { client: retrying, time } = virtualClient({ fetch, token: TOKEN, hosts, hooks });
      const error = await rejection(throughItsWaits(time, call(retrying)), ConnectionError);
      expect(error).toMatchObject({ phase: 'unknown', effect: 'unknown', request: { attempts } });
      // A send goes out once; what may be repeated is, as after any failure of the network.
      expect(sent).toBe(attempts);
    });
  });

  test('says what it is', async () => {
    const error = await failed(() => Promise.resolve(Response.error()));
    expect(error.message).toBe('campaigns.get: the request failed (fetch returned no response: status 0)');
  });

  test.each([
    [200, { id: 1 }],
    [299, { id: 1 }],
  ])('does not include status %i', async (status, expected) => {
    expect(await client(() => Promise.resolve(odd({ status }))).campaigns.get(1)).toEqual(expected);
  });
});

describe('From the errors of a fetch, everything that may hold secrets is removed', () => {
  const secrets = () => {
    const request = { headers: { authorization: `Bearer ${TOKEN}` } };
    const inner = Object.assign(new Error(`401 for Bearer ${TOKEN}`), {
      config: request,
      code: 'ECONNRESET',
    });
    const outer = new Error(`failed with ${TOKEN}`, { cause: inner });
    return Object.assign(outer, { request, options: { token: TOKEN }, hostname: `${TOKEN}.test` });
  };

  test.each<[string, unknown]>([
    ['an error with its request', secrets()],
    ['several errors in one', new AggregateError([secrets(), secrets()], `all of ${TOKEN}`)],
    ['a text', `could not send ${TOKEN}`],
    ['an object', { token: TOKEN, toString: () => TOKEN }],
  ])('%s', async (_, reason) => {
    const error = await failed(scriptedFetch(failure(reason)).fetch);
    const everything =
      inspect(error, { depth: 20, showHidden: true }) + JSON.stringify(error) + String(error.stack);
    expect(everything).not.toContain(TOKEN);
    expect(everything).toContain('[redacted]');
  });

  test('the fields that distinguish failures are kept', async () => {
    const error = await failed(scriptedFetch(failure(broken('ECONNRESET', 'read'))).fetch);
    expect(error.cause).toMatchObject({
      name: 'TypeError',
      message: 'fetch failed',
      cause: { code: 'ECONNRESET', syscall: 'read', message: 'read ECONNRESET' },
    });
    expect(error.message).toBe('campaigns.get: the request failed (read ECONNRESET)');
  });
});

describe('Redirects are never followed', () => {
  const elsewhere = { location: 'https://elsewhere.test/' };

  test.each([300, 301, 302, 303, 307, 308])('%i', async (status) => {
    const { fetch, sent } = scriptedFetch(empty(status, elsewhere));
    const error = await client(fetch, { retry: {} })
      .campaigns.get(1)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'ApiError', code: 'redirect_refused', status, effect: 'unknown' });
    expect(sent.map(({ redirect }) => redirect)).toEqual(['manual']);
  });

  test.each([301, 302, 307])(
    '%i, over a real network: the token is not sent to another host',
    async (status) => {
      let visits = 0;
      const elsewherePort = await portWith(() => (visits += 1));
      const location = `http://127.0.0.1:${elsewherePort}/`;
      const port = await portWith((socket) => {
        socket.once('data', () => {
          socket.end(`HTTP/1.1 ${status} Moved\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`);
        });
      });
      const hosts = { api: `http://127.0.0.1:${port}` };
      const error: unknown = await new EmailPlatform({ token: TOKEN, hosts }).campaigns
        .start(1)
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'redirect_refused', status, request: { attempts: 1 } });
      expect(visits).toBe(0);
    },
  );

  test('as browsers report them: opaque, with status 0', async () => {
    const opaque: Turn = () =>
      Object.defineProperties(new Response(null), {
        status: { value: 0 },
        ok: { value: false },
        type: { value: 'opaqueredirect' },
      });
    const { fetch, sent } = scriptedFetch(opaque);
    const error = await client(fetch, { retry: {} })
      .campaigns.get(1)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'ApiError', code: 'redirect_refused', status: 0 });
    expect(sent).toHaveLength(1);
  });

  test('the body of a redirect is kept, and not taken for a message of the service', async () => {
    const { fetch } = scriptedFetch(text(302, '<a href="https://elsewhere.test">moved</a>', 'text/html'));
    const error = await client(fetch)
      .campaigns.get(1)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ messages: [], body: '<a href="https://elsewhere.test">moved</a>' });
  });
});
