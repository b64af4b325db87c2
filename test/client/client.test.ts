import { ConfigurationError, createThrottle, EmailPlatform, type EmailPlatformOptions } from 'email-platform';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { empty, json, scriptedFetch } from '../support/scripted-fetch.ts';
import { until, virtualClient } from '../support/virtual-client.ts';

const found = json(200, { data: { id: 1 } });

function setUp(options: EmailPlatformOptions = {}) {
  const { fetch, sent } = scriptedFetch(found);
  return { ...virtualClient({ fetch, ...options }), sent };
}

afterEach(() => vi.unstubAllEnvs());

describe('A request', () => {
  test('has its method, address, headers and body, and nothing else', async () => {
    const { client, sent } = setUp({
      hosts: { api: 'https://api.test/some/prefix/' },
      appInfo: { name: 'shop' },
    });
    await client.campaigns.update(7, { name: 'Grüße' });
    const [request] = sent;
    expect([request?.method, request?.url, request?.body, request?.redirect]).toEqual([
      'PATCH',
      'https://api.test/some/prefix/api/email_campaigns/7',
      '{"name":"Grüße"}',
      'manual',
    ]);
    expect(Object.fromEntries(request?.headers ?? [])).toEqual({
      accept: 'application/json',
      authorization: 'Bearer token',
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^email-platform\/\d\S+ shop$/) as unknown,
    });
  });

  test('without a body has no content type', async () => {
    const { client, sent } = setUp();
    await client.campaigns.start(7);
    expect([sent[0]?.body, sent[0]?.headers.has('content-type')]).toEqual(['', false]);
  });

  test('is sent by globalThis.fetch as it is at the time of the call, unless the option names another', async () => {
    const { fetch: scripted, sent } = scriptedFetch(found);
    const client = new EmailPlatform({ token: 't', hosts: { api: 'https://api.test' } });
    const original = globalThis.fetch;
    globalThis.fetch = scripted;
    try {
      await client.campaigns.get(1);
    } finally {
      globalThis.fetch = original;
    }
    expect(sent).toHaveLength(1);
  });
});

describe('Making a client', () => {
  test('keeps the class name EmailPlatform when printed', () => {
    const { client } = setUp();
    expect([client.constructor.name, client.campaigns.get(1).constructor.name]).toEqual([
      'EmailPlatform',
      'ApiPromise',
    ]);
  });

  test('sends nothing and sets no timer', () => {
    const { sent, time } = setUp({ throttle: {} });
    expect([sent.length, time.pending]).toEqual([0, 0]);
  });

  test('is not affected by later changes to its options', async () => {
    const { fetch, sent } = scriptedFetch(found);
    const options = { token: 'first', hosts: { api: 'https://first.test' }, fetch, throttle: false as const };
    const client = new EmailPlatform(options);
    options.token = 'second';
    options.hosts.api = 'https://second.test';
    await client.campaigns.get(1);
    expect(sent[0]?.url).toMatch(/^https:\/\/first\.test/);
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer first');
  });
});

describe('withOptions', () => {
  test('changes what it is given and keeps the rest', async () => {
    const { client, sent } = setUp({ auth: 'api-token', appInfo: { name: 'shop' } });
    const tenant = client.withOptions({ token: 'tenant' });
    await tenant.campaigns.get(1);
    await client.campaigns.get(1);
    expect(sent.map(({ headers }) => headers.get('api-token'))).toEqual(['tenant', 'token']);
    expect(sent.map(({ headers }) => headers.get('user-agent'))[0]).toContain('shop');
  });

  test('keeps the hosts it is not given', async () => {
    const { client, sent } = setUp();
    await client.withOptions({ hosts: { send: 'https://send.test' } }).campaigns.get(1);
    await client.withOptions({ hosts: { api: 'https://other.test' } }).campaigns.get(1);
    expect(sent.map(({ url }) => new URL(url).host)).toEqual(['api.test', 'other.test']);
  });

  test('keeps the values read from the environment', async () => {
    const { fetch, sent } = scriptedFetch(json(200, []));
    vi.stubEnv('EMAIL_PLATFORM_TOKEN', 'first');
    vi.stubEnv('EMAIL_PLATFORM_API_URL', 'https://first.test');
    vi.stubEnv('EMAIL_PLATFORM_ACCOUNT_ID', '1');
    const client = new EmailPlatform({ fetch });
    vi.stubEnv('EMAIL_PLATFORM_TOKEN', undefined);
    vi.stubEnv('EMAIL_PLATFORM_API_URL', 'https://second.test');
    vi.stubEnv('EMAIL_PLATFORM_ACCOUNT_ID', '2');
    await client.withOptions({ timeoutMs: 50_000 }).accounts.permissions.list();
    expect(sent[0]?.url).toBe('https://first.test/api/accounts/1/permissions');
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer first');
  });

  test('refuses what the constructor refuses', () => {
    const { client } = setUp();
    expect(() => client.withOptions(undefined as never)).toThrow('options must be an object');
    expect(() => client.withOptions(null as never)).toThrow('options must be an object');
    const tenant: { readonly token?: string } = {};
    expect(() => client.withOptions({ token: tenant.token })).toThrow(
      'token is undefined: leave it out to keep the token of this client',
    );
    expect(() => client.withOptions({ accountId: -1 })).toThrow('accountId must be a positive whole number');
    expect(() => client.withOptions({ tokne: 'x' } as object)).toThrow('tokne is not a known field');
  });

  test('shares the throttle: the same token, the same limit', async () => {
    const { client } = setUp({ throttle: {} });
    const same = client.withOptions({ timeoutMs: 50_000 });
    const other = client.withOptions({ token: 'other' });
    await client.campaigns.get(1);
    expect(same.limits.snapshot().token?.used).toBe(1);
    expect(other.limits.snapshot().token?.used).toBe(0);
  });

  test('keeps the throttle switched off, and accepts a new throttle', () => {
    const { client } = setUp();
    expect(client.withOptions({ timeoutMs: 50_000 }).limits.snapshot()).toEqual({});
    const throttle = createThrottle({ limits: { token: { requests: 5, perMs: 1000 } } });
    expect(client.withOptions({ throttle }).limits.snapshot().token).toMatchObject({ requests: 5 });
  });
});

describe('The throttle of a client', () => {
  test('refuses an estimate for an invalid count or an unknown pool', () => {
    const { client } = setUp({ throttle: {} });
    for (const [count, pool] of [
      [Infinity, 'token'],
      [NaN, 'token'],
      [-1, 'token'],
      ['3', 'token'],
      [3, 'nope'],
    ] as [number, EmailPlatform.PoolName][])
      expect(() => client.limits.estimate(count, pool)).toThrow(ConfigurationError);
    expect(client.limits.estimate(3)).toBe(0);
  });

  test('keeps to its limit: calls without room are queued until there is room', async () => {
    const { fetch, sent } = scriptedFetch(empty(204));
    const throttle = { limits: { token: { requests: 2, perMs: 10_000 } } };
    const { client, time } = virtualClient({ fetch, throttle });
    const calls = Promise.all([1, 2, 3].map((id) => client.campaigns.delete(id)));
    await until(() => sent.length === 2 && time.pending > 0);
    expect(client.limits.snapshot().token).toMatchObject({ requests: 2, used: 2, waiting: 1 });
    expect(client.limits.estimate(1)).toBeGreaterThan(0);
    await time.advance(9_999);
    expect(sent).toHaveLength(2);
    await time.advance(1);
    await calls;
    expect(sent).toHaveLength(3);
  });

  test('reports nothing when it is off', () => {
    const { client } = setUp({ throttle: false });
    expect([client.limits.snapshot(), client.limits.estimate(1000)]).toEqual([{}, 0]);
  });

  test('can be shared by several clients, and counts each token separately', async () => {
    const throttle = createThrottle();
    const { fetch } = scriptedFetch(found);
    const clientOf = (token: string) => virtualClient({ fetch, token, throttle }).client;
    const [a, sameAsA, b] = [clientOf('a'), clientOf('a'), clientOf('b')];
    await a.campaigns.get(1);
    const used = [a, sameAsA, b].map((client) => client.limits.snapshot().token?.used);
    expect(used).toEqual([1, 1, 0]);
  });
});
