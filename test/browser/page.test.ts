import { ApiError, ConfigurationError, ConnectionError, EmailPlatform, RateLimitError } from 'email-platform';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startEmulator, type RemoteEmulator } from './remote-emulator.ts';

let emulator: RemoteEmulator;

beforeEach(async () => {
  emulator = await startEmulator({ window: 'fixed', limits: { token: { requests: 2, perMs: 60_000 } } });
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await emulator.stop();
});

const connect = () =>
  new EmailPlatform({ ...emulator.connection, dangerouslyAllowBrowser: true, retry: false, throttle: false });

test('a token is refused in a page, unless dangerouslyAllowBrowser is set', () => {
  expect(() => new EmailPlatform(emulator.connection)).toThrow(ConfigurationError);
  expect(() => new EmailPlatform(emulator.connection)).toThrow('dangerouslyAllowBrowser');
  expect(connect()).toBeInstanceOf(EmailPlatform);
});

test('no token is required behind a proxy on the page’s own origin, and its address may be relative', async () => {
  const { port } = new URL(emulator.url);
  const client = new EmailPlatform({ hosts: { api: `/same-origin/${port}/account` } });
  expect((await client.campaigns.list()).items).toEqual([]);
  expect(await emulator.requests()).toMatchObject([{ path: '/api/email_campaigns', status: 200 }]);
});

test('without a token, hosts on other origins are refused, even if one host is on the page’s own', () => {
  const { hosts } = emulator.connection;
  expect(() => new EmailPlatform({ hosts })).toThrow("point hosts at a proxy on the page's own origin");
  expect(() => new EmailPlatform({ hosts: { ...hosts, api: '/same-origin/1/account' } })).toThrow(
    "point hosts at a proxy on the page's own origin",
  );
});

test('the client works without headers that the service does not expose', async () => {
  const client = connect();
  const { response } = await client.campaigns.list().withResponse();
  expect([...response.headers.keys()].filter((name) => /ratelimit|date|request-id/.test(name))).toEqual([]);
  expect(response.requestId).toBeUndefined();
  await client.campaigns.list();
  const refused = await client.campaigns.list().then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(refused).toBeInstanceOf(RateLimitError);
  expect((refused as RateLimitError).resetAt).toBeUndefined();
});

test('headers that the service exposes are read', async () => {
  await emulator.stop();
  emulator = await startEmulator(
    { window: 'fixed', limits: { token: { requests: 1, perMs: 60_000 } } },
    { expose: ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'date'] },
  );
  const client = connect();
  await client.campaigns.list();
  const refused = await client.campaigns.list().then(
    () => undefined,
    (error: unknown) => error,
  );
  expect((refused as RateLimitError).resetAt).toBeInstanceOf(Date);
});

test('a page that the emulator does not know can neither read a response nor send a token', async () => {
  const stranger = await startEmulator({}, { origins: ['http://localhost:1'] });
  try {
    await expect(fetch(`${stranger.connection.hosts.api}/api/email_campaigns`)).rejects.toThrow(TypeError);
    const options = { ...stranger.connection, dangerouslyAllowBrowser: true, retry: false } as const;
    const failure = await new EmailPlatform(options).campaigns.list().then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(ConnectionError);
    // Only the request without a token arrived.
    expect(await stranger.requests()).toMatchObject([{ status: 401 }]);
  } finally {
    await stranger.stop();
  }
});

test('a redirect, which is opaque in a page, is refused', async () => {
  await emulator.fault({ kind: 'status', status: 302, headers: { location: '/elsewhere' } });
  const refused = await connect()
    .campaigns.get(1)
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({ status: 0, code: 'redirect_refused' });
});

test('only the headers accept and authorization are set', async () => {
  const sent = new Set<string>();
  // Chromium silently drops some headers, so the test reads those passed to it.
  const note = (init?: RequestInit) => {
    for (const name of new Headers(init?.headers).keys()) sent.add(name);
  };
  class WatchedRequest extends Request {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(input, init);
      note(init);
    }
  }
  vi.stubGlobal('Request', WatchedRequest);
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) => {
    note(init);
    return fetch(input, init);
  });
  const appInfo = { name: 'shop', version: '1.0.0' };
  const client = new EmailPlatform({ ...emulator.connection, dangerouslyAllowBrowser: true, appInfo });
  await client.campaigns.list();
  expect([...sent].sort()).toEqual(['accept', 'authorization']);
});
