import { ConfigurationError } from 'email-platform';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { resolveOptions } from '../../src/client/resolve-options.ts';
import { thrown } from '../support/expect-error.ts';

const page = 'https://shop.test/admin/';
const elsewhere = { api: 'https://api.test' };

function beInAPage(href: string): void {
  const document = {};
  vi.stubGlobal('window', { document });
  vi.stubGlobal('document', document);
  vi.stubGlobal('location', { href, origin: new URL(href).origin });
}

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

describe('In a browser page', () => {
  beforeEach(() => {
    beInAPage(page);
  });

  test.each([
    ['a string', 'token'],
    ['a function', () => 'token'],
  ])('a token is refused: %s', (_, token) => {
    const error = thrown(() => resolveOptions({ token, hosts: elsewhere }), ConfigurationError);
    expect(error.option).toBe('token');
    expect(error.message).toContain('dangerouslyAllowBrowser');
    expect(resolveOptions({ token, hosts: elsewhere, dangerouslyAllowBrowser: true }).token).toBe(token);
  });

  test('a token in the environment, put there by a bundler, is refused as well', () => {
    vi.stubEnv('EMAIL_PLATFORM_TOKEN', 'bundled');
    expect(thrown(() => resolveOptions({ hosts: elsewhere }), ConfigurationError).option).toBe('token');
  });

  test('no token is needed if every host is on the page’s own origin', () => {
    const hosts = { api: '/proxy/api/', send: 'https://shop.test/proxy/send' };
    expect(resolveOptions({ hosts })).toMatchObject({
      token: undefined,
      hosts: { api: 'https://shop.test/proxy/api', send: 'https://shop.test/proxy/send' },
    });
  });

  test('without a token, the proxy retries and keeps to the limits, unless the client is told to', () => {
    const hosts = { api: '/proxy' };
    expect(resolveOptions({ hosts })).toMatchObject({
      retry: { maxRetries: 0, maxWaitMs: -1 },
      throttle: undefined,
    });
    const told = resolveOptions({ hosts, retry: { maxRetries: 1 }, throttle: {} });
    expect(told.retry).toMatchObject({ maxRetries: 1 });
    expect(told.throttle).toBeDefined();
    const holding = resolveOptions({ hosts, token: 'token', dangerouslyAllowBrowser: true });
    expect(holding.retry).toMatchObject({ maxRetries: 3 });
    expect(holding.throttle).toBeDefined();
  });

  test.each([
    ['one host is elsewhere', { api: '/proxy', send: 'https://api.test' }],
    ['a host is on another port', { api: 'https://shop.test:8443' }],
    ['there are no hosts', {}],
  ])('a token is needed if %s', (_, hosts) => {
    expect(thrown(() => resolveOptions({ hosts }), ConfigurationError).option).toBe('token');
  });

  test('hosts are relative to the page', () => {
    expect(resolveOptions({ hosts: { api: 'proxy' } }).hosts.api).toBe('https://shop.test/admin/proxy');
    expect(resolveOptions({ hosts: { api: '/' } }).hosts.api).toBe('https://shop.test');
  });

  test('plain http is allowed to the origin of a page loaded over http, and to no other host', () => {
    beInAPage('http://intranet.test/');
    expect(resolveOptions({ hosts: { api: '/proxy' } }).hosts.api).toBe('http://intranet.test/proxy');
    const hosts = { api: 'http://other.test' };
    const error = thrown(
      () => resolveOptions({ hosts, token: 't', dangerouslyAllowBrowser: true }),
      ConfigurationError,
    );
    expect(error.option).toBe('hosts.api');
  });

  test('User-Agent is not set', () => {
    expect(resolveOptions({ hosts: { api: '/' }, appInfo: { name: 'shop' } }).userAgent).toBeUndefined();
  });
});

describe('In a web worker', () => {
  test('a token is refused', () => {
    vi.stubGlobal('importScripts', () => undefined);
    expect(thrown(() => resolveOptions({ token: 't', hosts: elsewhere }), ConfigurationError).option).toBe(
      'token',
    );
  });
});

describe('Not taken for a browser', () => {
  test.each<[string, Record<string, unknown>]>([
    ['a runtime with a window but no document (Deno)', { window: {} }],
    ['a runtime with a location (an edge)', { location: { href: page } }],
    ['a runtime with a document but no window', { document: {} }],
  ])('%s', (_, globals) => {
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
    expect(resolveOptions({ token: 't', hosts: elsewhere }).token).toBe('t');
  });
});

test('workerd is not a browser, although it had importScripts until 2024', () => {
  vi.stubGlobal('importScripts', () => undefined);
  expect(() => resolveOptions({ token: 'token', hosts: elsewhere })).toThrow('must not be used in a browser');
  vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' });
  const { token, userAgent, runtimeFetch } = resolveOptions({ token: 'token', hosts: elsewhere });
  expect({ token, follows: runtimeFetch.follows }).toEqual({ token: 'token', follows: false });
  expect(userAgent).toContain('email-platform/');
  // Its `fetch` repeats nothing, so the body stays as it is.
  const request = { method: 'POST', isRepeatable: false, signedUrl: undefined } as const;
  expect(runtimeFetch.sendable(request, 'body', () => undefined).init.body).toBe('body');
});
