/** The emulator's control API, attacked from outside: other tokens, other hosts, other origins, large bodies, many who wait. */
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createEmulator, type Emulator } from 'email-platform/testing';
import { Waiters } from '../../src/testing/common/waiters.ts';
import { sized } from '../support/extent.ts';

const origin = 'http://localhost:5173';

let emulator: Emulator;
let server: Emulator.Server;
beforeEach(async () => {
  emulator = createEmulator({ limits: false });
  server = await emulator.listen({
    control: true,
    allowedHosts: ['mail.example.com'],
    cors: { origins: [origin], expose: ['date'] },
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await server.close();
});

const controlUrl = () => server.control?.url ?? '';
const bearer = () => ({ authorization: `Bearer ${server.control?.token ?? ''}` });

/** Sends a request with exactly these headers. Resolves with what came back. */
function ask(
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(server.url);
    const options = { host: '127.0.0.1', port, method, path, headers, agent: false };
    httpRequest(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    })
      .on('error', reject)
      .end();
  });
}

/** A browser that was let in: its cookie, and the path that this is for. */
async function session() {
  const response = await fetch(server.control?.browserUrl() ?? '', { redirect: 'manual' });
  const [cookie = '', path = ''] = (response.headers.get('set-cookie') ?? '').split('; ');
  return { cookie, base: path.replace(/^Path=(.*)\/$/, '$1'), location: response.headers.get('location') };
}
const ownPage = { 'sec-fetch-site': 'same-origin' };
const addressBar = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' };

describe('Access is refused', () => {
  test.each<[what: string, headers: () => Record<string, string>]>([
    ['an API token', () => ({ authorization: `Bearer ${server.clientOptions().token}` })],
    ['an API token with less access', () => ({ authorization: `Bearer ${emulator.createToken()}` })],
    ['an API token in its own header', () => ({ 'api-token': server.clientOptions().token })],
    ['the control token in the header of API tokens', () => ({ 'api-token': server.control?.token ?? '' })],
    [
      'the control token as a password',
      () => ({ authorization: `Basic ${btoa(`:${server.control?.token ?? ''}`)}` }),
    ],
    ['a part of the token', () => ({ authorization: bearer().authorization.slice(0, -1) })],
    ['more than the token', () => ({ authorization: `${bearer().authorization}0` })],
    ['the token twice', () => ({ authorization: `${bearer().authorization}, ${bearer().authorization}` })],
    [
      'the token as a cookie',
      () => ({ cookie: `email-platform=${server.control?.token ?? ''}`, ...ownPage }),
    ],
    ['a cookie without a value', () => ({ cookie: 'email-platform', ...ownPage })],
  ])('with %s', async (_, headers) => {
    for (const [method, path] of [
      ['GET', '/messages'],
      ['GET', '/snapshot'],
      ['POST', '/reset'],
      ['GET', '/nowhere'],
    ] as const) {
      const { status } = await ask(method, `/_emulator${path}`, { host: '127.0.0.1', ...headers() });
      expect(status).toBe(401);
    }
  });

  test.each<[what: string, headers: Record<string, string>]>([
    ['nothing about where it comes from', {}],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port', { 'sec-fetch-site': 'same-site' }],
    ['the address bar, but no navigation', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'cors' }],
  ])('with the cookie and %s', async (_, headers) => {
    const { cookie, base } = await session();
    const host = new URL(server.url).host;
    const all = { host, cookie, ...headers };
    expect((await ask('GET', `${base}/messages`, all)).status).toBe(403);
    expect((await ask('POST', `${base}/reset`, { ...all, origin: server.url })).status).toBe(403);
  });

  test('with a code that is not exactly that of the server, which stays good', async () => {
    const url = new URL(server.control?.browserUrl() ?? '');
    const code = url.searchParams.get('code') ?? '';
    expect(code).toMatch(/^[\w-]{22}$/);
    const open = (given: string) =>
      fetch(`${url.origin}${url.pathname}?code=${encodeURIComponent(given)}`, { redirect: 'manual' });
    const wrong = ['', 'guess', `${code}x`, code.slice(0, -1), code.toLowerCase() + code, ` ${code}`];
    for (const given of [...wrong, server.control?.token ?? '']) {
      const response = await open(given);
      expect([given, response.status, response.headers.get('set-cookie')]).toEqual([given, 403, null]);
    }
    for (const again of [await open(code), await open(code)]) expect(again.status).toBe(303);
  });

  test('a person gets a page for an error, and what the path says is text', async () => {
    const response = await fetch(`${server.control?.url}/<script>alert(1)</script>`, {
      headers: { accept: 'text/html', authorization: `Bearer ${server.control?.token}` },
    });
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await response.text()).not.toMatch(/<script/i);
    const json = await fetch(`${server.control?.url}/nowhere`, { headers: { accept: '*/*' } });
    expect(json.headers.get('content-type')).toContain('application/json');
  });

  test('with the cookie anywhere but below the path of its session', async () => {
    const { cookie, base } = await session();
    const other = `/_emulator/s/${'a'.repeat(48)}`;
    const host = new URL(server.url).host;
    const get = async (path: string, headers = {}) =>
      (await ask('GET', path, { host, cookie, ...ownPage, ...headers })).status;
    expect(base).toMatch(/^\/_emulator\/s\/[\da-f]{48}$/);
    expect(await get(`${base}/messages`)).toBe(200);
    expect(await get(`${base}/`, addressBar)).toBe(200);
    for (const path of ['/_emulator', '/_emulator/s', '/_emulator/s/', other, base.slice(0, -1)])
      for (const what of ['/messages', '/snapshot', '/connection', '/health', '/open', '/nowhere'])
        expect([path, what, await get(path + what)]).toEqual([
          path,
          what,
          path === '/_emulator' ? ({ '/health': 200, '/open': 400 }[what] ?? 401) : 401,
        ]);
    // The path alone is not enough, and the token is for programs.
    expect((await ask('GET', `${base}/messages`, { host, ...ownPage })).status).toBe(401);
    expect((await ask('GET', `${base}/messages`, { host, ...bearer() })).status).toBe(401);
    expect((await ask('GET', `${base}/health`, { host })).status).toBe(401);
  });

  test('with a signature, to the email that comes to have the same id', async () => {
    const { token, hosts } = server.clientOptions();
    const shown = async () => {
      await fetch(`${hosts.send}/api/send`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          from: { email: 'a@mail.example.com' },
          to: [{ email: 'ann@example.org' }],
          subject: 'a',
          html: '<p>secret</p>',
        }),
      });
      const answer = await fetch(`${controlUrl()}/messages`, { headers: bearer() });
      const { messages } = (await answer.json()) as { messages: { id: string; html_url: string }[] };
      return messages[0] ?? { id: '', html_url: '' };
    };
    const first = await shown();
    expect((await fetch(first.html_url)).status).toBe(200);
    const snapshot = emulator.snapshot();
    for (const again of [() => emulator.reset(), () => emulator.restore(snapshot)]) {
      again();
      const { id, html_url } = await shown();
      expect(id).toBe(first.id);
      expect(html_url).not.toBe(first.html_url);
      expect((await fetch(html_url)).status).toBe(200);
      expect((await fetch(first.html_url)).status).toBe(401);
    }
  });

  test('with the cookie, a change needs the own origin', async () => {
    const { cookie, base } = await session();
    const headers = { host: new URL(server.url).host, cookie, ...ownPage };
    const change = (more: Record<string, string>) =>
      ask('POST', `${base}/clock/pause`, { ...headers, ...more });
    expect((await change({})).status).toBe(403);
    expect((await change({ origin: 'null' })).status).toBe(403);
    expect((await change({ origin: 'http://127.0.0.1:1' })).status).toBe(403);
    expect((await change({ origin: server.url })).status).toBe(200);
    expect((await ask('GET', `${base}/clock`, headers)).status).toBe(200);
  });

  test('a person who has signed in is not locked out by a cookie of another port', async () => {
    const { cookie, base, location } = await session();
    expect(location).toBe(`${base}/`);
    for (const cookies of [`email-platform=x; ${cookie}`, `${cookie}; email-platform=x`, `a=b;${cookie};c`]) {
      const headers = { host: new URL(server.url).host, cookie: cookies, ...ownPage };
      expect((await ask('GET', `${base}/messages`, headers)).status).toBe(200);
    }
  });

  test('with a Host header that is not a host', async () => {
    for (const host of ['127.0.0.1:99999', '127.0.0.1:65536', '[::g]', '[1]'])
      for (const path of ['/_emulator/messages', '/_emulator/health', '/account/api/accounts'])
        expect([host, (await ask('GET', path, { host, ...bearer() })).status]).toEqual([host, 400]);
  });

  test('through a name that points at this machine', async () => {
    const { status, text } = await ask('GET', '/_emulator/messages', {
      host: 'rebound.example.net',
      ...bearer(),
    });
    expect([status, text]).toEqual([
      403,
      expect.stringContaining('does not respond to requests for the host'),
    ]);
    expect((await ask('GET', '/_emulator/health', { host: 'rebound.example.net' })).status).toBe(403);
    expect((await ask('GET', '/_emulator/clock', { host: 'mail.example.com', ...bearer() })).status).toBe(
      200,
    );
  });

  test('from a page that may call the service: CORS is not for the control API', async () => {
    const host = new URL(server.url).host;
    const preflight = { host, origin, 'access-control-request-method': 'POST' };
    const service = await ask('OPTIONS', '/account/api/accounts', preflight);
    expect(service.headers['access-control-allow-origin']).toBe(origin);
    const answers = [
      await ask('OPTIONS', '/_emulator/reset', {
        ...preflight,
        'access-control-request-headers': 'authorization',
      }),
      await ask('OPTIONS', '/_emulator', preflight),
      await ask('GET', '/_emulator/health', { host, origin }),
      await ask('GET', '/_emulator/messages', { host, origin, ...bearer() }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 200, 200]);
    for (const { headers } of answers)
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('by other spellings of the path', async () => {
    for (const path of [
      '/_emulator/../_emulator/messages',
      '/x/../_emulator/messages',
      '//_emulator/messages',
    ]) {
      const { status } = await ask('GET', path, { host: '127.0.0.1', authorization: 'Bearer x' });
      expect([401, 404, 501]).toContain(status);
    }
    expect((await ask('GET', '/_emulator%2fmessages', { host: '127.0.0.1', ...bearer() })).status).toBe(501);
  });
});

describe('A body', () => {
  /** Sends a head, and then as many bytes as the other side takes. Resolves with the status. */
  const pour = (head: readonly string[], bytes: number): Promise<number> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      let answer = '';
      let left = bytes;
      const piece = Buffer.alloc(64 * 1024, ' ');
      const write = () => {
        while (left > 0 && !socket.destroyed) {
          left -= piece.length;
          if (!socket.write(piece)) return;
        }
      };
      socket.on('drain', write).on('data', (data: Buffer) => {
        answer += data.toString('latin1');
        const [, status] = /^HTTP\/1\.1 (\d+)/.exec(answer) ?? [];
        if (status === undefined) return;
        socket.destroy();
        resolve(Number(status));
      });
      socket.on('error', reject);
      socket.write([...head, '', ''].join('\r\n'));
      write();
    });

  const HUNDRED_MB = 100 * 1024 ** 2;

  test.each<[what: string, authorization: () => string, status: number]>([
    ['with the token', () => bearer().authorization, 413],
    ['without one', () => 'Bearer nobody', 401],
  ])('of 100 MB %s is not kept', async (_, authorization, status) => {
    const head = (length: string) => [
      'PUT /_emulator/snapshot HTTP/1.1',
      'Host: 127.0.0.1',
      `Authorization: ${authorization()}`,
      length,
    ];
    const before = process.memoryUsage().arrayBuffers;
    expect(await pour(head(`Content-Length: ${HUNDRED_MB}`), HUNDRED_MB)).toBe(status);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(90 * 1024 ** 2);
    expect((await fetch(`${controlUrl()}/health`)).status).toBe(200);
  });

  test('that is nested too deep, or is not JSON, is a 400', async () => {
    const post = async (body: string | Uint8Array<ArrayBuffer>) => {
      const response = await fetch(`${controlUrl()}/faults`, { method: 'POST', headers: bearer(), body });
      return [response.status, ((await response.json()) as { error: string }).error];
    };
    expect(await post('['.repeat(100_000))).toEqual([400, expect.stringContaining('nested more than 1000')]);
    expect(await post(new Uint8Array([0xff, 0xfe]))).toEqual([400, 'The request body is not valid JSON']);
    expect(await post('{"__proto__":{"kind":"slow"}}')).toEqual([400, expect.stringContaining('__proto__')]);
    expect(await post('{"constructor":{}}')).toEqual([
      400,
      expect.stringContaining('`body.constructor` is unknown'),
    ]);
  });
});

const MANY = sized(10_000, 2_000);

test(`${MANY} who wait are all answered, and leave nothing behind`, async () => {
  const wait = vi.spyOn(Waiters.prototype as Waiters<unknown>, 'wait');
  // A hundred requests on each connection: a process has not as many connections as that everywhere.
  const EACH = 100;
  const head = `GET /_emulator/messages?wait_ms=60000&to=ann@example.org HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${bearer().authorization}\r\n\r\n`;
  const received: string[] = [];
  const answers = () => received.join('').split('HTTP/1.1 200 OK').length - 1;
  const sockets = Array.from({ length: MANY / EACH }, () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const index = received.push('') - 1;
    socket.on(
      'data',
      (data: Buffer) => (received[index] = (received[index] ?? '') + data.toString('latin1')),
    );
    socket.on('error', () => undefined);
    socket.write(head.repeat(EACH));
    return socket;
  });
  await expect.poll(() => wait.mock.calls.length, { timeout: 120_000 }).toBe(MANY);
  const [waiters] = wait.mock.contexts as Waiters<unknown>[];
  expect(waiters?.count).toBe(MANY);
  const { token, hosts } = server.clientOptions();
  const send = (to: string) =>
    fetch(`${hosts.send}/api/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        from: { email: 'a@mail.example.com' },
        to: [{ email: to }],
        subject: 'a',
        text: 'a',
      }),
    });
  expect((await send('bo@example.org')).status).toBe(200);
  expect(waiters?.count).toBe(MANY);
  expect((await send('ann@example.org')).status).toBe(200);
  expect(waiters?.count).toBe(0);
  await expect.poll(answers, { timeout: 120_000 }).toBe(MANY);
  for (const socket of sockets) socket.destroy();
});
