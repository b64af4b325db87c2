import { describe, expect, test } from 'vitest';
import { still, wire } from '../../../tools/wire.ts';

interface Made {
  id: number;
  token: string;
  last_4_digits: string;
}

const HOUR_MS = 3_600_000;
const domain = (level: number) => [{ resource_type: 'domain', resource_id: 301, access_level: level }];

function setUp() {
  const emulator = still();
  const call = wire(emulator);
  const make = async (body: object) => (await call('POST', '/api/api_tokens', { body })).value as Made;
  const status = async (token: string, method: string, path: string, body?: unknown) =>
    (await call(method, path, { token, body })).status;
  return { emulator, call, make, status };
}

describe.each([
  ['/api', ['domain', 'sandbox']],
  ['/api/accounts/1001', ['sending_domain', 'inbox']],
])('API tokens: %s', (base, [domainType, inboxType]) => {
  const path = `${base}/api_tokens`;

  test('create: 200, a bare record with the resources first, and the value', async () => {
    const { call } = setUp();
    const resources = [
      { resource_type: domainType, resource_id: '301', access_level: 100 },
      { resource_type: inboxType, resource_id: 2001, access_level: 10 },
    ];
    const { status, value } = await call('POST', path, { body: { name: 'orders', resources } });
    expect(status).toBe(200);
    expect(Object.keys(value as object)).toEqual([
      ...['resources', 'id', 'name', 'last_4_digits', 'created_by', 'expires_at', 'token'],
    ]);
    expect(value).toMatchObject({
      resources: [{ ...resources[0], resource_id: 301 }, resources[1]],
      expires_at: null,
    });
    const { token, ...rest } = value as Made;
    expect(token).toMatch(/^[\da-f]{32}$/);
    expect(token.endsWith(rest.last_4_digits)).toBe(true);
    expect((await call('GET', `${path}/${rest.id}`)).value).toEqual(rest);
    expect((await call('GET', path)).value).toMatchObject([{ name: 'Emulator' }, rest]);
  });

  test('reset: 200 with another id, the id in the name, and the value; delete: 204', async () => {
    const { call, make } = setUp();
    const old = await make({ name: 'orders', resources: domain(10) });
    const { status, value } = await call('POST', `${path}/${old.id}/reset`);
    expect(status).toBe(200);
    const made = value as Made;
    expect(made).toMatchObject({ name: `orders ${made.id}`, resources: [{ resource_type: domainType }] });
    const removed = await call('DELETE', `${path}/${made.id}`);
    expect([removed.status, removed.text]).toEqual([204, '']);
    for (const method of ['GET', 'DELETE'])
      expect((await call(method, `${path}/${made.id}`)).text).toBe('{"error":"Not Found"}');
    expect((await call('POST', `${path}/9/reset`)).status).toBe(404);
  });

  test('the names of the other form, an unknown resource and an unknown level → 422 under base', async () => {
    const { call } = setUp();
    const [other] = base === '/api' ? ['sending_domain'] : ['domain'];
    const good = { resource_type: domainType, resource_id: 301, access_level: 10 };
    for (const change of [
      { resource_type: other },
      { resource_id: 999 },
      { access_level: 1000 },
      { access_level: undefined },
    ]) {
      const body = { name: 'a', resources: [{ ...good, ...change }] };
      const { status, value } = await call('POST', path, { body });
      expect([status, value]).toEqual([422, { errors: { base: ['Permissions are invalid'] } }]);
    }
  });
});

describe('Permissions of an API token', () => {
  test('with one domain as admin: that domain, and nothing else', async () => {
    const { make, status } = setUp();
    const { token } = await make({ name: 'a', resources: domain(100) });
    const body = { domain: { click_tracking_enabled: false } };
    expect(await status(token, 'PATCH', '/api/domains/301', body)).toBe(200);
    expect(await status(token, 'PATCH', '/api/domains/302', body)).toBe(404);
    expect(await status(token, 'GET', '/api/email_logs')).toBe(200);
    expect(await status(token, 'GET', '/api/email_campaigns')).toBe(403);
    expect(await status(token, 'GET', '/api/billing/usage')).toBe(403);
  });

  test('with one domain as viewer, and another as admin: it reads one and changes the other', async () => {
    const { make, status } = setUp();
    const resources = [
      ...domain(10),
      { resource_type: 'domain', resource_id: 302, access_level: 100 },
      { resource_type: 'billing', resource_id: 1001, access_level: 10 },
    ];
    const { token } = await make({ name: 'a', resources });
    const body = { domain: { click_tracking_enabled: false } };
    expect(await status(token, 'GET', '/api/domains/301')).toBe(200);
    expect(await status(token, 'PATCH', '/api/domains/301', body)).toBe(403);
    expect(await status(token, 'PATCH', '/api/domains/302', body)).toBe(200);
    expect(await status(token, 'GET', '/api/billing/usage')).toBe(200);
  });

  test.each([
    [100, 200, 200],
    [10, 200, 403],
  ])('with the account at level %i', async (access_level, read, write) => {
    const { make, status } = setUp();
    const resources = [{ resource_type: 'account', resource_id: 1001, access_level }];
    const { token } = await make({ name: 'a', resources });
    const body = { domain: { click_tracking_enabled: false } };
    expect(await status(token, 'GET', '/api/email_campaigns')).toBe(read);
    expect(await status(token, 'GET', '/api/domains/302')).toBe(read);
    expect(await status(token, 'PATCH', '/api/domains/302', body)).toBe(write);
    expect(await status(token, 'GET', '/api/api_tokens')).toBe(read);
  });

  test('with nothing: it is known, and may do nothing', async () => {
    const { make, status } = setUp();
    const { token } = await make({ name: 'a' });
    expect(await status(token, 'GET', '/api/domains')).toBe(403);
    expect(await status('unknown', 'GET', '/api/domains')).toBe(401);
  });

  test('campaigns as viewer: it reads campaigns, contacts and templates', async () => {
    const { make, status } = setUp();
    const type = 'email_campaign_permission_scope';
    const resources = [{ resource_type: type, resource_id: 1001, access_level: 10 }];
    const { token } = await make({ name: 'a', resources });
    for (const path of ['email_campaigns', 'contacts/lists', 'email_templates'])
      expect(await status(token, 'GET', `/api/${path}`)).toBe(200);
    expect(await status(token, 'POST', '/api/contacts/lists', { name: 'a' })).toBe(403);
  });
});

test('no two tokens ever have the same value, not even after some were deleted', async () => {
  const { emulator, call, make } = setUp();
  const values = new Set<string>();
  for (let count = 0; count < 5; count += 1) {
    const made = await make({ name: 'a' });
    values.add(made.token).add(emulator.createToken());
    await call('DELETE', `/api/api_tokens/${made.id}`);
  }
  expect(values.size).toBe(10);
});

test('the list drops expired tokens; an expiry in the body of a reset is for the new token', async () => {
  const { emulator, call, make, status } = setUp();
  const at = (ms: number) => new Date(emulator.clock.now() + ms).toISOString();
  const old = await make({ name: 'a', resources: domain(10), expires_at: at(HOUR_MS) });
  const body = { expires_at: at(2 * HOUR_MS) };
  const made = (await call('POST', `/api/api_tokens/${old.id}/reset`, { body })).value as Made;
  expect(await status(old.token, 'GET', '/api/domains')).toBe(200);
  emulator.clock.advance(HOUR_MS);
  expect(await status(old.token, 'GET', '/api/domains')).toBe(401);
  expect((await call('GET', `/api/api_tokens/${old.id}`)).status).toBe(404);
  expect(await status(made.token, 'GET', '/api/domains')).toBe(200);
  emulator.clock.advance(HOUR_MS);
  expect((await call('GET', '/api/api_tokens')).value).toHaveLength(1);
});

test('an account sees no token of another', async () => {
  const { emulator, call, make } = setUp();
  const { id } = await make({ name: 'a' });
  const token = emulator.createToken({ accountId: 1002, domains: [] });
  expect((await call('GET', '/api/api_tokens', { token })).value).toMatchObject([{ resources: [] }]);
  expect((await call('DELETE', `/api/api_tokens/${id}`, { token })).status).toBe(404);
});

test('permissions in bulk: an empty or missing list → an empty 400', async () => {
  const { call } = setUp();
  for (const body of [{}, { permissions: [] }, { permissions: {} }]) {
    const { status, text } = await call('PUT', '/api/account_accesses/5002/permissions/bulk', { body });
    expect([status, text]).toEqual([400, '']);
  }
});
