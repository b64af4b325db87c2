/**
 * The proxy, attacked from raw sockets. Whatever is sent here must not reach the service; and what comes back says
 * nothing of the token, the service's address or why.
 */
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { EmailPlatform } from 'email-platform';
import {
  createProxy,
  toNodeListener,
  type OperationName,
  type ProxyOptions,
  type Refusal,
} from 'email-platform/proxy';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { allRoutes } from '../../src/entries/proxy/routes.ts';
import { listen, type Listening } from '../support/ports.ts';
import { rawExchange, rawRequest, type RawAnswer } from './raw-client.ts';
import { rawResponse, rawServer, type RawServer } from './raw-server.ts';

const TOKEN = 's3cr3t-t0k3n-of-the-server';
const ALLOWED: OperationName[] = [
  'campaigns.list',
  'campaigns.get',
  'campaigns.update',
  'templates.list',
  'contacts.get',
];
const CAMPAIGN = '/email/api/api/email_campaigns/7';
const TEMPLATES = '/email/api/api/email_templates';

let service: RawServer;
let server: Listening;
const refusals: Refusal[] = [];
const onRefused = (refusal: Refusal) => refusals.push(refusal);

/** Visitors by their cookie; each has an account, but for Ann, who has that of the client. */
const authorize: ProxyOptions['authorize'] = (request) => {
  const [, name] = /(?:^|; )session=(\w+)/.exec(request.headers.get('cookie') ?? '') ?? [];
  if (name === 'ann') return { visitor: name };
  return name === 'ben' && { visitor: name, accountId: 8 };
};

beforeAll(async () => {
  service = await rawServer(rawResponse('200 OK', '{"data":{"id":7}}', ['content-type: application/json']));
  const client = new EmailPlatform({
    token: TOKEN,
    accountId: 7,
    hosts: { api: service.url, send: service.url },
    throttle: false,
  });
  const proxy = createProxy({
    client,
    basePath: '/email',
    allow: ALLOWED,
    authorize,
    onRefused,
    maxBodyBytes: 1_000,
  });
  server = await listen(createServer(toNodeListener(proxy)));
});
afterAll(async () => {
  await server.close();
  await service.close();
});

const ann = { cookie: 'session=ann' };
const ben = { cookie: 'session=ben' };
const send = (...parts: (string | Uint8Array)[]) => rawExchange(server.port, parts);

/** How many requests the service has had before a test. */
let before = 0;
beforeAll(() => (before = 0));
afterEach(() => (before = service.requests.length));
const reached = () => service.requests.slice(before);

/** It was refused, reached nobody, and says nothing. */
function expectRefused({ status, text }: RawAnswer, ...statuses: number[]): void {
  expect(statuses).toContain(status);
  expect(reached()).toEqual([]);
  expect(text).not.toMatch(/s3cr3t|Bearer|127\.0\.0\.1|email-platform/);
  expect(text).not.toContain(new URL(service.url).port);
}

test('an allowed request reaches the service, as a new request', async () => {
  const { status, text } = await send(
    rawRequest(
      `PATCH ${CAMPAIGN}`,
      {
        ...ann,
        authorization: 'Bearer of-the-page',
        'api-token': 'of-the-page',
        'x-forwarded-for': '10.0.0.1',
        'x-http-method-override': 'DELETE',
        'x-original-url': '/api/accounts',
        'accept-encoding': 'br',
        'user-agent': 'a page',
        referer: 'https://app.test/secret',
      },
      '{ "name": "x" }',
    ),
  );
  expect(status).toBe(200);
  expect(text).toContain('{"data":{"id":7}}');
  const [request = ''] = reached();
  expect(request).toMatch(/^PATCH \/api\/email_campaigns\/7 HTTP\/1\.1\r\n/);
  expect(request).toMatch(/\r\nauthorization: Bearer s3cr3t-t0k3n-of-the-server\r\n/i);
  expect(request.endsWith('\r\n\r\n{"name":"x"}')).toBe(true);
  expect(request).not.toMatch(/of-the-page|session|10\.0\.0\.1|override|original|referer|a page|\bbr\b.*$/im);
});

describe('other origins', () => {
  test.each<[string, Record<string, string | undefined>]>([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }],
    ['another site, without an origin', { 'sec-fetch-site': 'cross-site' }],
    ['a subdomain', { 'sec-fetch-site': 'same-site', origin: 'http://www.app.test' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['an old browser, elsewhere', { 'sec-fetch-site': undefined, origin: 'https://evil.test' }],
    ['an old browser, by another scheme', { 'sec-fetch-site': undefined, origin: 'https://app.test' }],
    ['an old browser, by another port', { 'sec-fetch-site': undefined, origin: 'http://app.test:8080' }],
    ['a sandboxed frame', { 'sec-fetch-site': undefined, origin: 'null' }],
    ['no header of the origin', { 'sec-fetch-site': undefined }],
    ['an invented word', { 'sec-fetch-site': 'same-origin, cross-site' }],
    ['a word in capitals', { 'sec-fetch-site': 'SAME-ORIGIN' }],
  ])('%s', async (_, headers) => {
    for (const line of [`GET ${CAMPAIGN}`, `PATCH ${CAMPAIGN}`]) {
      expectRefused(
        await send(rawRequest(line, { ...ann, ...headers }, line.startsWith('GET') ? '' : '{}')),
        403,
      );
    }
    expect(refusals.at(-1)?.reason).toBe('origin');
  });

  test('an old browser on the page itself has the same origin', async () => {
    const headers = { ...ann, 'sec-fetch-site': undefined, origin: 'http://app.test' };
    expect((await send(rawRequest(`GET ${CAMPAIGN}`, headers))).status).toBe(200);
  });
});

describe('with the pages’ origin set', () => {
  let own: Listening;
  beforeAll(async () => {
    const client = new EmailPlatform({
      token: TOKEN,
      accountId: 7,
      hosts: { api: service.url },
      throttle: false,
    });
    const origin = 'https://app.test';
    own = await listen(
      createServer(
        toNodeListener(
          createProxy({ client, basePath: '/email', allow: ALLOWED, authorize, onRefused, origin }),
        ),
      ),
    );
  });
  afterAll(() => own.close());
  const get = (headers: Record<string, string | undefined>) =>
    rawExchange(own.port, [rawRequest(`GET ${CAMPAIGN}`, { ...ann, ...headers })]);

  test.each<[string, Record<string, string | undefined>]>([
    ['a name that was made to lead here', { host: 'evil.test' }],
    [
      'a name that was made to lead here, which says its origin',
      { host: 'evil.test', origin: 'http://evil.test' },
    ],
    ['a name that begins alike', { host: 'app.test.evil.test' }],
    ['a subdomain', { host: 'www.app.test' }],
    ['another port', { host: 'app.test:8080' }],
    ['the address of the server', { host: '127.0.0.1' }],
    ['another origin, on the name', { origin: 'http://app.test' }],
    [
      'a header that claims the name was forwarded',
      { host: 'evil.test', 'x-forwarded-host': 'app.test', forwarded: 'host=app.test' },
    ],
  ])('%s reads nothing', async (_, headers) => {
    expectRefused(await get(headers), 403);
    expect(refusals.at(-1)?.reason).toBe('origin');
  });

  test('the page itself does, also where TLS ends before the server', async () => {
    expect((await get({})).status).toBe(200);
    expect((await get({ origin: 'https://app.test', host: 'APP.test' })).status).toBe(200);
    expect((await get({ origin: 'https://app.test', 'sec-fetch-site': undefined })).status).toBe(200);
  });
});

describe('paths', () => {
  const list = '/email/api/api/email_campaigns';
  test.each([
    '/email/api/api/accounts',
    '/email/api/api/email_campaigns/7/start',
    '/email/api/api/email_campaigns/../accounts',
    '/email/api/api/email_campaigns/%2e%2e/accounts',
    '/email/api/api/email_campaigns/..%2faccounts',
    '/email/api/api/email_campaigns/%2e%2e%2faccounts',
    '/email/api/api/email_campaigns/7%2f..%2f..%2faccounts',
    '/email/api/api/email_campaigns/7%5cstart',
    '/email/api/api/email_campaigns/7;/start',
    '/email/api/api/email_campaigns/7%00',
    '/email/api/api/email_campaigns/7%0d%0aHost:%20evil.test',
    '/email/api/api/email_campaigns/7%20HTTP/1.1',
    '/email/api/api/email_campaigns/%37%2e0',
    '/email/api/api/email_campaigns/07',
    '/email/api/api/email_campaigns/7e0',
    '/email/api/api/email_campaigns/0x7',
    '/email/api/api/email_campaigns/+7',
    '/email/api/api/email_campaigns/-7',
    '/email/api/api/email_campaigns/0',
    '/email/api/api/email_campaigns/%D9%A7',
    '/email/api/api/email_campaigns/7/',
    '/email/api/api/email_campaigns/',
    '/email/api/api//email_campaigns',
    '/email/api/api/%65mail_campaigns/',
    '/email/api/api/email_campaign%73',
    '/email/api/API/email_campaigns',
    '/email/api/api/email_campaigns/%',
    '/email/api/api/email_campaigns/%c3',
    '/email/api/api/contacts/lists',
    '/email/api/api/contacts/a@b.test%2f..%2flists',
    '/email/api/api/contacts/..',
    '/email/send/api/email_campaigns',
    '/email/storage/api/email_campaigns',
    '/email/__proto__/api/email_campaigns',
    '/email/constructor/x',
    '/emails/api/api/email_campaigns',
    '/Email/api/api/email_campaigns',
    '/email',
    '/email/api',
    '//email/api/api/email_campaigns',
    '/x/../email//api/api/email_campaigns',
    '/',
    `${list}${'/7'.repeat(2_000)}`,
  ])('GET %s', async (path) => {
    expectRefused(await send(rawRequest(`GET ${path}`, ann)), 403, 400);
  });

  test.each([
    ['an address of another host', 'GET http://evil.test/email/api/api/email_campaigns'],
    ['an address of this host', `GET http://app.test${CAMPAIGN}`],
    ['an address with a password', `GET http://a:b@app.test${CAMPAIGN}`],
    ['an asterisk', 'OPTIONS *'],
    ['no slash', 'GET email/api/api/email_campaigns'],
    ['a tunnel', 'CONNECT evil.test:443'],
  ])('%s', async (_, line) => {
    expectRefused(await send(rawRequest(line, ann)), 400, 403, 0);
  });

  test('dots that lead back to an allowed path do not get around the list', async () => {
    expect((await send(rawRequest(`GET /email/api/x/../api/email_campaigns/7`, ann))).status).toBe(200);
    expect(reached()[0]).toMatch(/^GET \/api\/email_campaigns\/7 /);
  });
});

test.each(['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'get', 'patch', 'GET\t', 'X'])(
  'the method %s',
  async (method) => {
    expectRefused(await send(rawRequest(`${method} ${CAMPAIGN}`, ann)), 403, 400, 405);
  },
);

describe('operations that are not allowed', () => {
  const others = allRoutes().filter(({ operation }) => !ALLOWED.includes(operation));
  test.each(others.map((route) => [`${route.operation} (${route.host})`, route] as const))(
    '%s',
    async (_, route) => {
      const values = new Map([
        ['uuid', 'f2b1c7de-0f5c-4a53-9d3b-6f1d2a7c9e10'],
        ['contact', 'a@b.test'],
      ]);
      for (const [prefix, word] of [
        ['/api', '$1'],
        ['/api/accounts/7', '$2'],
      ] as const) {
        const path = route.template
          .replace(/^\{account\??\}/, prefix)
          .replace(/\{(\w+)\|(\w+)\}/g, word)
          .replace(/\{\w+(?::(\w+))?\}/g, (_all, kind = '') => values.get(kind as string) ?? '7');
        const known = refusals.length;
        expectRefused(
          await send(
            rawRequest(
              `${route.method} /email/${route.host}${path}`,
              ann,
              route.method === 'GET' ? '' : '{}',
            ),
          ),
          403,
        );
        expect(refusals.slice(known)).toMatchObject([{ reason: 'operation', operation: route.operation }]);
      }
    },
  );

  test('are most of them', () => {
    expect(others.length).toBeGreaterThan(50);
  });
});

describe('another visitor', () => {
  test.each<[string, string, Record<string, string>]>([
    ['no visitor', CAMPAIGN, {}],
    ['an unknown session', CAMPAIGN, { cookie: 'session=eve' }],
    ['a session in another cookie', CAMPAIGN, { cookie: 'xsession=ann' }],
    ["another account than the client's", '/email/api/api/accounts/8/email_templates', ann],
    ['another account than the visitor’s', '/email/api/api/accounts/7/email_templates', ben],
    ['an account of many digits', '/email/api/api/accounts/8.0/email_templates', ben],
    ['an account in another script', '/email/api/api/accounts/%EF%BC%98/email_templates', ben],
    ['an account and its brother', '/email/api/api/accounts/8,7/email_templates', ben],
    ['an account below an account', '/email/api/api/accounts/8/accounts/7/email_templates', ben],
    ['what is of no account', CAMPAIGN, ben],
    ['the account in the query', `${TEMPLATES}?account_id=7`, ben],
  ])('%s', async (_, path, headers) => {
    expectRefused(await send(rawRequest(`GET ${path}`, headers)), 403, 400);
  });

  test('has the account of theirs, whatever they ask for', async () => {
    for (const path of [TEMPLATES, '/email/api/api/accounts/8/email_templates'])
      expect((await send(rawRequest(`GET ${path}`, ben))).status).toBe(200);
    expect(reached().map((request) => request.split(' ')[1])).toEqual(
      Array(2).fill('/api/accounts/8/email_templates'),
    );
  });
});

describe('queries', () => {
  test.each([
    'unknown=1',
    'search=a&search=b',
    'search=a&%73earch=b',
    'search[]=a&search=b',
    'search=a&search[]=b',
    'search[=a',
    'search]=a',
    'search[a]b=c',
    '__proto__=a',
    'constructor=a',
    'token[]=1&token=1',
    '=a',
    '[]=a',
    '[a]=a',
    'search=a;unknown=1&x',
    `search=${'a'.repeat(7_000)}`,
  ])('%s', async (query) => {
    expectRefused(await send(rawRequest(`GET /email/api/api/email_campaigns?${query}`, ann)), 400);
    expect(refusals.at(-1)).toMatchObject({ reason: 'query', operation: 'campaigns.list' });
  });

  test('for an operation without a query', async () => {
    for (const query of ['a=1', '=1', '[]=1', 'search=a'])
      expectRefused(await send(rawRequest(`GET ${CAMPAIGN}?${query}`, ann)), 400);
  });

  test('are written anew', async () => {
    const query = 'search=a+b%26token%3D9%0d%0ax&token=2&per_page=';
    expect((await send(rawRequest(`GET /email/api/api/email_campaigns?${query}#x`, ann))).status).toBe(200);
    expect(reached()[0]).toMatch(
      /^GET \/api\/email_campaigns\?search=a%20b%26token%3D9%0D%0Ax&token=2&per_page= HTTP/,
    );
  });
});

describe('bodies', () => {
  const patch = (headers: Record<string, string | undefined>, body: string) =>
    rawRequest(`PATCH ${CAMPAIGN}`, { ...ann, ...headers }, body);

  test.each<[string, Record<string, string>, string, number]>([
    ['that is no JSON', {}, '{"name":', 400],
    ['that is a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'name=x', 415],
    ['that a form can send', { 'content-type': 'text/plain' }, '{"name":"x"}', 415],
    ['of a type that begins alike', { 'content-type': 'application/jsonp' }, '{"name":"x"}', 415],
    ['of parts', { 'content-type': 'multipart/form-data; boundary=x' }, '--x--', 415],
    ['that is too large', {}, JSON.stringify({ name: 'x'.repeat(2_000) }), 413],
    ['that says it is too large', { 'content-length': '999999999' }, '{}', 413],
  ])('%s', async (_, headers, body, status) => {
    expectRefused(await send(patch(headers, body)), status);
    expect(refusals.at(-1)).toMatchObject({ reason: 'body', status });
  });

  test('without an end, in chunks', async () => {
    let chunks = 0;
    function* endless() {
      yield patch(
        { 'content-length': undefined, 'transfer-encoding': 'chunked', 'content-type': 'application/json' },
        '',
      );
      for (; chunks < 100_000; chunks += 1) yield `400\r\n${' '.repeat(1_024)}\r\n`;
    }
    expectRefused(await rawExchange(server.port, endless()), 413);
    expect(chunks).toBeLessThan(100_000);
  });

  test('that are compressed are not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(2 ** 20, 32));
    const small = gzipSync('{"name":"x"}');
    for (const [content, status] of [
      [bomb, 413],
      [small, 400],
    ] as const) {
      const head = patch(
        {
          'content-encoding': 'gzip',
          'content-type': 'application/json',
          'content-length': String(content.length),
        },
        '',
      );
      expectRefused(await send(head, content), status);
    }
  });

  test('nested as deeply as one can', async () => {
    expectRefused(await send(patch({}, '['.repeat(999))), 400);
    const { status } = await send(patch({}, '['.repeat(499) + ']'.repeat(499)));
    expect(status).toBe(200);
  });

  test('with a field twice: the service reads the same value as JSON.parse', async () => {
    await send(patch({}, '{"name":"one","name":"two","__proto__":{"a":1}}'));
    expect(reached()[0]?.endsWith('\r\n\r\n{"name":"two","__proto__":{"a":1}}')).toBe(true);
  });

  test('are not passed on with a GET', async () => {
    await send(rawRequest(`GET ${CAMPAIGN}`, ann, '{"a":1}'));
    expect(reached()).toHaveLength(1);
    expect(reached()[0]).not.toContain('{"a":1}');
  });
});

describe('smuggling', () => {
  const hidden = rawRequest('GET /email/api/api/accounts', ann);

  test.each<[string, string]>([
    [
      'two lengths',
      `GET ${CAMPAIGN} HTTP/1.1\r\nhost: app.test\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabcd`,
    ],
    [
      'a length and chunks',
      rawRequest(`PATCH ${CAMPAIGN}`, { ...ann, 'content-length': '4', 'transfer-encoding': 'chunked' }) +
        '0\r\n\r\n' +
        hidden,
    ],
    [
      'chunks by another name',
      rawRequest(`PATCH ${CAMPAIGN}`, { ...ann, 'transfer-encoding': 'xchunked' }) + '0\r\n\r\n',
    ],
    [
      'a folded header',
      `GET ${CAMPAIGN} HTTP/1.1\r\nhost: app.test\r\ncookie: session=ann\r\nx-a: b\r\n sec-fetch-site: same-origin\r\n\r\n`,
    ],
    ['a header without a colon', `GET ${CAMPAIGN} HTTP/1.1\r\nhost: app.test\r\ncookie session=ann\r\n\r\n`],
    [
      'a space before the colon',
      `GET ${CAMPAIGN} HTTP/1.1\r\nhost: app.test\r\nsec-fetch-site : same-origin\r\n\r\n`,
    ],
    ['a line feed alone', `GET ${CAMPAIGN} HTTP/1.1\nhost: app.test\nsec-fetch-site: same-origin\n\n`],
    ['a null byte', `GET ${CAMPAIGN} HTTP/1.1\r\nhost: app.test\r\ncookie: session=ann\0\r\n\r\n`],
    ['no host', `GET ${CAMPAIGN} HTTP/1.1\r\nsec-fetch-site: same-origin\r\ncookie: session=ann\r\n\r\n`],
    ['a host with a path', rawRequest(`GET ${CAMPAIGN}`, { ...ann, host: 'app.test/email' })],
    ['a host with a query', rawRequest(`GET ${CAMPAIGN}`, { ...ann, host: 'app.test?' })],
    ['a host with a user', rawRequest(`GET ${CAMPAIGN}`, { ...ann, host: 'a@app.test' })],
    ['an empty host', rawRequest(`GET ${CAMPAIGN}`, { ...ann, host: '' })],
    ['a host that is an address', rawRequest('GET /', { ...ann, host: `app.test${CAMPAIGN}?` })],
    ['a host that is none', rawRequest(`GET ${CAMPAIGN}`, { ...ann, host: 'a b' })],
  ])('%s', async (_, bytes) => {
    expectRefused(await send(bytes), 400, 403, 0);
  });

  test('a request in the body of another is a body', async () => {
    const headers = { ...ann, connection: 'keep-alive', 'content-type': 'text/plain' };
    const last = rawRequest(`GET ${CAMPAIGN}`, { 'sec-fetch-site': 'cross-site' });
    const answer = await send(rawRequest(`PATCH ${CAMPAIGN}`, headers, hidden) + last);
    expectRefused(answer, 415);
    expect(answer.text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 415', 'HTTP/1.1 403']);
  });

  test('a second request on the connection is judged by itself', async () => {
    const first = rawRequest(`GET ${CAMPAIGN}`, { ...ann, connection: 'keep-alive' });
    const { text } = await send(first + rawRequest(`GET ${CAMPAIGN}`, { 'sec-fetch-site': 'cross-site' }));
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 403']);
    expect(reached()).toHaveLength(1);
  });
});

test('the server goes on as before', async () => {
  expect((await send(rawRequest(`GET ${CAMPAIGN}`, ann))).status).toBe(200);
});
