import { describe, expect, test } from 'vitest';
import type { Emulator } from 'email-platform/testing';
import { isOrigin } from '../../../../src/testing/common/cors.ts';
import { served } from '../../tools/raw.ts';
import { campaigns, still, wire } from '../../tools/wire.ts';

const origin = 'http://localhost:5173';

async function setUp(options?: Emulator.ListenOptions) {
  const emulator = still();
  const port = await served(emulator, options);
  const url = `http://127.0.0.1:${port}`;
  const preflight = (from: string) =>
    fetch(`${url}/account${campaigns}`, {
      method: 'OPTIONS',
      headers: {
        origin: from,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'authorization,api-token,content-type',
      },
    });
  return { emulator, preflight, call: wire(emulator, { fetch, origin: url }) };
}

const corsOf = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control')));

describe('Access of a browser page', () => {
  test('a preflight of a named origin gets a 204 with the methods and headers of the service', async () => {
    const { emulator, preflight } = await setUp({ cors: { origins: ['https://other.test', origin] } });
    const { status, headers } = await preflight(origin);
    expect(status).toBe(204);
    expect(corsOf(headers)).toEqual({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': 'authorization,api-token,content-type',
      'access-control-max-age': '600',
    });
    expect(emulator.requests).toEqual([]);
  });

  test.each([
    [origin, undefined],
    [origin, { origins: [] }],
    ['http://localhost:5174', { origins: [origin] }],
    ['https://localhost:5173', { origins: [origin] }],
    ['http://localhost:5173.evil.test', { origins: [origin] }],
    ['null', { origins: [origin] }],
  ])('a preflight of %s with cors %j gets a 403 that says what to set', async (from, cors) => {
    const { emulator, preflight } = await setUp(cors === undefined ? {} : { cors });
    const response = await preflight(from);
    expect(response.status).toBe(403);
    expect(corsOf(response.headers)).toEqual({});
    expect(await response.json()).toEqual({
      error:
        `The emulator does not respond to pages of the origin ${from}. To allow them: ` +
        `listen({ cors: { origins: ['${from}'] } }), or --cors ${from} on the command line.`,
    });
    expect(emulator.requests).toEqual([]);
  });

  test('only pages of a named origin may read, errors as well; headers are exposed only by option', async () => {
    const { call } = await setUp({ cors: { origins: [origin] } });
    for (const path of [campaigns, `${campaigns}/0`, '/api/nothing']) {
      const { headers } = await call('GET', path, { headers: { origin } });
      expect(corsOf(headers)).toEqual({ 'access-control-allow-origin': origin });
      expect(headers.get('vary')).toBe('Origin');
    }
    for (const headers of [{ origin: 'http://evil.test' }, { origin: 'null' }, {}]) {
      const answer = await call('GET', campaigns, { headers });
      expect(answer.status).toBe(200);
      expect(corsOf(answer.headers)).toEqual({});
      // A cache must not give this response to a page of the named origin, nor the other way round.
      expect(answer.headers.get('vary')).toBe('Origin');
    }
  });

  test('headers are exposed by option', async () => {
    const { call } = await setUp({ cors: { origins: [origin], expose: ['x-ratelimit-reset', 'Date'] } });
    const { headers } = await call('GET', campaigns, { headers: { origin } });
    expect(headers.get('access-control-expose-headers')).toBe('x-ratelimit-reset, Date');
  });

  test('by default no page may read, whatever its origin', async () => {
    const { call } = await setUp();
    for (const from of [origin, 'http://127.0.0.1', 'null']) {
      const { headers } = await call('GET', campaigns, { headers: { origin: from } });
      expect([corsOf(headers), headers.get('vary')]).toEqual([{}, null]);
    }
  });

  test('OPTIONS without preflight headers is handled like any other request', async () => {
    const { emulator, call } = await setUp({ cors: { origins: [origin] } });
    expect((await call('OPTIONS', campaigns, { headers: { origin } })).status).toBe(501);
    expect(emulator.requests).toHaveLength(1);
  });

  test.each([
    ['http://localhost:5173', true],
    ['https://shop.example.com', true],
    ['http://[::1]:8080', true],
    ['capacitor://localhost', true],
    ['chrome-extension://abcdefghijklmnop', true],
    ['*', false],
    ['null', false],
    ['', false],
    ['http://', false],
    ['http://*.example.com', false],
    ['https://EXAMPLE.com', false],
    ['http://localhost:80', false],
    ['http://localhost:99999', false],
    ['file:///index.html', false],
    ['javascript:alert(1)', false],
  ])('%j as the origin of a page: %s', (text, expected) => {
    expect(isOrigin(text)).toBe(expected);
  });
});
