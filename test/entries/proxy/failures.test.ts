import { EmailPlatform, type EmailPlatformOptions } from 'email-platform';
import type { ProxyOptions } from 'email-platform/proxy';
import { createServer } from 'node:http';
import { toNodeListener } from 'email-platform/proxy';
import { describe, expect, onTestFinished, test } from 'vitest';
import { rawResponse, rawServer } from '../../attack/raw-server.ts';
import { listen } from '../../support/ports.ts';
import {
  empty,
  json,
  lost,
  refusedConnection,
  scriptedFetch,
  silence,
  type Turn,
} from '../../support/scripted-fetch.ts';
import { throughItsWaits, until, virtualClient } from '../../support/virtual-client.ts';
import { fromPage, pageClient, proxyOf } from './harness.ts';

const CAMPAIGN = '/api/api/email_campaigns/7';
const EML = '/api/api/sandboxes/1/messages/2/body.eml';
const hosts = { api: 'https://service.test' };

function behind(turn: Turn, options: EmailPlatformOptions = {}, more: Partial<ProxyOptions> = {}) {
  const { fetch, sent } = scriptedFetch(turn);
  const client = new EmailPlatform({
    token: 'token-7',
    hosts,
    fetch,
    throttle: false,
    retry: false,
    ...options,
  });
  return { sent, ...proxyOf(client, more) };
}

describe('It never rejects', () => {
  const withStatus =
    (status: number): Turn =>
    () =>
      Object.defineProperty(new Response('{"a":1}', { headers: { 'x-request-id': '1' } }), 'status', {
        value: status,
      });

  test.each([199, 101, 0, 300, 302, 600, 700, 999, 1000, NaN, -1])(
    'at the status %d of the service: 502',
    async (status) => {
      const { proxy, failures } = behind(withStatus(status));
      const response = await proxy(fromPage(CAMPAIGN));
      expect([response.status, await response.text()]).toEqual([502, '{"errors":["Not passed on"]}']);
      expect(failures).toMatchObject([{ status: 502, operation: 'campaigns.get' }]);
    },
  );

  test.each(['600 Odd', '700 Odd', '999 Odd'])('at the status %s over a real connection', async (status) => {
    const service = await rawServer(
      rawResponse(status, '{"errors":["no"]}', ['content-type: application/json']),
    );
    const client = new EmailPlatform({
      token: 'token-7',
      hosts: { api: service.url },
      throttle: false,
      retry: false,
    });
    const { proxy, failures } = proxyOf(client);
    expect((await proxy(fromPage(CAMPAIGN))).status).toBe(502);
    expect(failures).toHaveLength(1);
    await service.close();
  });

  const circular: Record<string, unknown> = { status: 422, headers: new Headers() };
  circular.body = circular;
  const throwing = new Proxy(
    {},
    {
      get: () => {
        throw new Error('no');
      },
    },
  );
  const thrown: [string, unknown][] = [
    [
      'with a status and plain headers',
      Object.assign(new Error('x'), { status: 404, headers: { a: 'b' }, body: {} }),
    ],
    ['with a circular body', Object.assign(new Error('x'), circular)],
    [
      'that is a response of another service',
      { status: 500, headers: new Headers(), body: 'db.internal is down' },
    ],
    [
      'that is an ApiError of another call',
      Object.assign(new Error('x'), {
        code: 'not_found',
        status: 404,
        headers: new Headers(),
        body: { error: 'db.internal' },
        effect: 'none',
      }),
    ],
    ['that is a Response', new Response('db.internal', { status: 418 })],
    ['whose getters throw', throwing],
    ['undefined', undefined],
    ['a text', 'db.internal'],
    ['an abort', new DOMException('db.internal', 'AbortError')],
  ];
  test.each(thrown)(
    'when authorize throws something %s: an empty 500, and the server is told',
    async (_, error) => {
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- it may reject with anything
      const authorize = () => Promise.reject(error);
      const { proxy, failures, sent } = behind(json(200, {}), {}, { authorize });
      const response = await proxy(fromPage(CAMPAIGN));
      expect([response.status, await response.text()]).toEqual([500, '']);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(failures).toHaveLength(1);
      expect(failures[0]?.error).toBe(error);
      expect(failures[0]).toMatchObject({ operation: 'campaigns.get', status: 500 });
      expect(sent).toEqual([]);
    },
  );

  test('also when the visitor has left meanwhile: the server is told', async () => {
    const left = new AbortController();
    const authorize = () => {
      left.abort();
      throw new Error('no');
    };
    const { proxy, failures } = behind(json(200, {}), {}, { authorize });
    expect((await proxy(fromPage(CAMPAIGN, { signal: left.signal }))).status).toBe(500);
    expect(failures).toHaveLength(1);
  });

  test.each<[string, unknown]>([
    ['getters that throw', throwing],
    [
      'nothing',
      {
        get visitor() {
          throw new Error('no');
        },
      },
    ],
  ])('when authorize returns %s', async (_, visit) => {
    const { proxy, failures } = behind(json(200, {}), {}, { authorize: () => visit as never });
    expect((await proxy(fromPage(CAMPAIGN))).status).toBe(500);
    expect(failures).toHaveLength(1);
  });

  test.each<[string, unknown]>([
    ['undefined', undefined],
    ['an address', 'https://app.test/api/email'],
    ['an invalid address', { url: 'no address', method: 'GET', headers: new Headers() }],
    ['no headers', { url: 'https://app.test/api/email/api/api/email_campaigns/7', method: 'GET' }],
  ])('when it is given %s in place of a request', async (_, request) => {
    const { proxy, failures } = behind(json(200, {}));
    expect((await proxy(request as Request)).status).toBe(500);
    expect(failures).toHaveLength(1);
  });

  test('when a body has been read before', async () => {
    const { proxy, failures } = behind(json(200, {}));
    const headers = { 'content-type': 'application/json' };
    const request = fromPage(CAMPAIGN, { method: 'PATCH', headers, body: '{}' });
    await request.text();
    expect((await proxy(request)).status).toBe(500);
    expect(failures).toHaveLength(1);
  });
});

describe('The page hears it where the service may have acted', () => {
  test.each([
    ['403', json(403, { errors: 'Access forbidden' })],
    ['401', json(401, { error: 'Incorrect API token' })],
    ['429', json(429, { errors: 'Throttled' })],
    ['422', json(422, { errors: { base: ['no'] } })],
    ['501', empty(501)],
  ])('although the retry of a deletion was refused with %s', async (_, refusal) => {
    const { fetch, sent } = scriptedFetch(lost, refusal);
    const { client, time } = virtualClient({ fetch, retry: { maxRetries: 1, maxWaitMs: 60_000 } });
    const { proxy, failures } = proxyOf(client);
    const gone = throughItsWaits(time, pageClient(proxy).campaigns.delete(7));
    await expect(gone).rejects.toMatchObject({ status: 502, effect: 'unknown' });
    expect(sent.length).toBeGreaterThan(1);
    expect(failures).toMatchObject([
      { operation: 'campaigns.delete', status: 502, error: { effect: 'unknown' } },
    ]);
  });

  test('and the refusal itself where the first attempt did nothing', async () => {
    const { fetch } = scriptedFetch(refusedConnection, json(403, { errors: 'Access forbidden' }));
    const { client, time } = virtualClient({ fetch, retry: { maxRetries: 1, maxWaitMs: 60_000 } });
    const gone = throughItsWaits(time, pageClient(proxyOf(client).proxy).campaigns.delete(7));
    await expect(gone).rejects.toMatchObject({ status: 403, effect: 'none' });
  });
});

describe('A file', () => {
  const stalling =
    (bytes: number): Turn =>
    () =>
      new Response(
        new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array(bytes)) }),
      );

  test('that does not begin is a 502 after the timeout of an attempt', async () => {
    const { proxy, failures } = behind(stalling(1), { timeoutMs: 20 });
    expect((await proxy(fromPage(EML))).status).toBe(502);
    expect(failures).toMatchObject([{ status: 502 }]);
  });

  test('that stands still breaks off, and the server is told', async () => {
    const { proxy, failures } = behind(stalling(300_000), { timeoutMs: 20 });
    const response = await proxy(fromPage(EML));
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow('Nothing more of the file came within 20 ms.');
    expect(failures).toMatchObject([{ operation: 'sandbox.messages.eml', status: 200 }]);
  });

  test('that the page wants no more of is not read on, and gives the visitor’s place back', async () => {
    let isCancelled = false;
    const endless: Turn = () =>
      new Response(
        new ReadableStream<Uint8Array>({
          pull: (controller) => controller.enqueue(new Uint8Array(100_000)),
          cancel: () => void (isCancelled = true),
        }),
      );
    const { proxy, failures } = behind(endless);
    for (let n = 0; n < 60; n += 1) {
      const response = await proxy(fromPage(EML));
      expect(response.status).toBe(200);
      await response.body?.cancel();
    }
    expect(isCancelled).toBe(true);
    expect(failures).toEqual([]);
  });

  test('that the page leaves is not a failure, and neither is a call that it leaves', async () => {
    const left = new AbortController();
    let body!: ReadableStreamDefaultController<Uint8Array>;
    const file = behind(
      () => new Response(new ReadableStream<Uint8Array>({ start: (controller) => void (body = controller) })),
    );
    const opened = file.proxy(fromPage(EML, { signal: left.signal }));
    await until(() => file.sent.length === 1);
    body.enqueue(new Uint8Array(300_000));
    const response = await opened;
    const call = behind(silence);
    const answered = call.proxy(fromPage(CAMPAIGN, { signal: left.signal }));
    await until(() => call.sent.length === 1);
    left.abort();
    body.error(left.signal.reason);
    await expect(response.arrayBuffer()).rejects.toThrow();
    await answered;
    expect([file.failures, call.failures]).toEqual([[], []]);
  });

  test('with the token in it breaks off, also if the token arrives in two parts', async () => {
    const token = 'token-of-the-server';
    const parts = [`${'x'.repeat(200_000)} ${token.slice(0, 9)}`, `${token.slice(9)} ${'x'.repeat(200_000)}`];
    const { proxy, failures } = behind(
      () =>
        new Response(
          new ReadableStream<Uint8Array>({
            pull: (controller) => {
              const part = parts.shift();
              if (part === undefined) controller.close();
              else controller.enqueue(new TextEncoder().encode(part));
            },
          }),
        ),
      { token },
    );
    await expect((await proxy(fromPage(EML))).arrayBuffer()).rejects.toThrow('The file contains the token.');
    expect(failures).toHaveLength(1);
  });

  test('keeps the visitor’s place while it is read', async () => {
    const { proxy, refusals } = behind(stalling(300_000));
    const open: Response[] = [];
    for (let n = 0; n < 50; n += 1) open.push(await proxy(fromPage(EML)));
    expect((await proxy(fromPage(EML))).status).toBe(429);
    expect(refusals).toMatchObject([{ reason: 'share' }]);
    await open[0]?.body?.cancel();
    expect((await proxy(fromPage(EML))).status).toBe(200);
  });

  test('without content is a response without content', async () => {
    const response = await behind(empty(200)).proxy(fromPage(EML));
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      null,
      '',
    ]);
  });

  test('that breaks off breaks the connection to the page', async () => {
    const { proxy } = behind(() => {
      let sent = 0;
      return new Response(
        new ReadableStream<Uint8Array>({
          pull: (controller) => {
            sent += 1;
            if (sent < 10) controller.enqueue(new Uint8Array(100_000));
            else controller.error(new Error('broke off'));
          },
        }),
      );
    });
    const server = await listen(createServer(toNodeListener(proxy)));
    onTestFinished(() => server.close().then(() => undefined));
    const address = `http://127.0.0.1:${server.port}/api/email${EML}`;
    const response = await fetch(address, { headers: { 'sec-fetch-site': 'same-origin' } });
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });
});

test('a call has what is left of the deadline once its visitor is known', async () => {
  const { fetch, sent } = scriptedFetch(silence);
  const { client, time } = virtualClient({ fetch, deadlineMs: 1_000 });
  const { proxy, failures } = proxyOf(client, {
    authorize: () => time.sleep(400).then(() => ({ visitor: 'ann' })),
  });
  const answered = proxy(fromPage(CAMPAIGN));
  await time.advance(400);
  await until(() => sent.length === 1);
  await time.advance(599);
  expect(failures).toEqual([]);
  await time.advance(1);
  expect((await answered).status).toBe(504);
  expect(failures).toMatchObject([{ error: { code: 'timeout', kind: 'deadline' } }]);
});

test('a call whose deadline passes before its visitor is known is not sent', async () => {
  const { fetch, sent } = scriptedFetch(json(200, {}));
  const { client, time } = virtualClient({ fetch, deadlineMs: 1_000 });
  const { proxy, failures } = proxyOf(client, {
    authorize: () => time.sleep(1_500).then(() => ({ visitor: 'ann' })),
  });
  const answered = proxy(fromPage(CAMPAIGN));
  await time.advance(1_500);
  expect((await answered).status).toBe(503);
  expect(failures).toMatchObject([{ error: { code: 'timeout', effect: 'none' } }]);
  expect(sent).toEqual([]);
});
