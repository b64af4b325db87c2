import { describe, expect, test } from 'vitest';
import { surface } from '../../../../spec/surface.ts';
import { still, wire } from '../../../tools/wire.ts';

const forms = ['/api', '/api/accounts/1001'];

interface Access {
  id: number;
  specifier_type: string;
  resources: { resource_type: string }[];
}

describe('Accounts', () => {
  test('GET /api/accounts: a bare array of id, name and access_levels', async () => {
    const emulator = still();
    const call = wire(emulator);
    const { status, value } = await call('GET', '/api/accounts');
    const account = { id: 1001, name: 'Account 1001', access_levels: [100] };
    expect([status, value]).toEqual([200, [account]]);
    expect((await call('GET', '/api/accounts/1001')).value).toEqual(account);
    const viewer = emulator.createToken({ permissions: { account: 'viewer' } });
    expect((await call('GET', '/api/accounts', { token: viewer })).value).toMatchObject([
      { access_levels: [10] },
    ]);
  });

  test.each(
    surface.flatMap(({ verb, accountPath }) =>
      accountPath === undefined ? [] : [[verb, accountPath.replace('{account_id}', '77')] as const],
    ),
  )('%s %s: another account than that of the token → 404', async (method, path) => {
    const at = path.replace(/\{\w+\}/g, '301');
    const { status, text } = await wire(still())(method, at, method === 'GET' ? {} : { body: {} });
    expect([status, text]).toEqual([404, '{"error":"Not Found"}']);
  });

  test('GET /api/accounts/{id} of another account → 404', async () => {
    const { status, text } = await wire(still())('GET', '/api/accounts/1');
    expect([status, text]).toEqual([404, '{"error":"Not Found"}']);
  });
});

describe.each(forms)('Account accesses and permissions: %s', (base) => {
  const accesses = `${base}/account_accesses`;

  test('list: a bare array of users and invites, with their access', async () => {
    const { status, value } = await wire(still())('GET', accesses);
    expect(status).toBe(200);
    expect(value).toMatchObject([
      {
        specifier_type: 'User',
        specifier: { id: 6001, email: 'owner@example.com', two_factor_authentication_enabled: true },
        resources: [
          { resource_type: 'account', resource_id: 1001, access_level: 1000 },
          { resource_type: 'organization', resource_id: 901, access_level: 1000 },
        ],
        permissions: { can_read: true, can_update: false, can_destroy: false, can_leave: false },
      },
      { resources: [{ resource_type: base === '/api' ? 'domain' : 'sending_domain', access_level: 10 }] },
      { specifier_type: 'Invite', permissions: { can_destroy: true } },
    ]);
    expect((value as { specifier: unknown }[])[2]?.specifier).toEqual({
      id: 6003,
      email: 'invited@example.com',
    });
  });

  test('filters by resource', async () => {
    const call = wire(still());
    const ids = async (query: string) =>
      ((await call('GET', `${accesses}?${query}`)).value as Access[]).map(({ id }) => id);
    expect(await ids('domain_ids[]=301')).toEqual([5002]);
    expect(await ids('domain_ids[]=302&domain_ids[]=301')).toEqual([5002]);
    expect(await ids('project_ids[]=1')).toEqual([]);
  });

  test('remove: 200 with the id, then 404; the owner cannot be removed', async () => {
    const emulator = still();
    const call = wire(emulator);
    const removed = await call('DELETE', `${accesses}/5002`);
    expect([removed.status, removed.value]).toEqual([200, { id: 5002 }]);
    expect((await call('DELETE', `${accesses}/5002`)).text).toBe('{"error":"Not Found"}');
    expect((await call('GET', accesses)).value).toHaveLength(2);
    expect((await call('DELETE', `${accesses}/5001`)).value).toEqual({
      errors: 'The account owner cannot be removed',
    });
    const token = emulator.createToken({ permissions: { account: 'viewer' } });
    expect((await call('DELETE', `${accesses}/5003`, { token })).status).toBe(403);
  });

  test('permissions are a tree, at the specified path and at the recorded one', async () => {
    const call = wire(still());
    const { status, value } = await call('GET', `${base}/permissions`);
    expect((await call('GET', `${base}/permissions/resources`)).value).toEqual(value);
    expect(status).toBe(200);
    const leaf = (type: string) => ({ type, access_level: 100, resources: [] });
    const token = base === '/api';
    expect(value).toMatchObject([
      {
        id: 1001,
        type: 'account',
        access_level: 100,
        resources: [
          leaf('billing'),
          { id: 301, name: 'mail.example.com', ...leaf(token ? 'domain' : 'sending_domain') },
          { id: 302 },
          { type: 'project', resources: [{ id: 2001, ...leaf(token ? 'sandbox' : 'inbox') }] },
          leaf('email_campaign_permission_scope'),
          leaf('email_template_permission_scope'),
        ],
      },
    ]);
  });

  test.each([
    ['permissions', 200, 404],
    ['resources', 404, 200],
    ['both', 200, 200],
  ] as const)(
    'permissionsPath: %s → %i at the specified address, %i at the recorded',
    async (permissionsPath, specified, recorded) => {
      const call = wire(still({ accounts: { permissionsPath } }));
      expect((await call('GET', `${base}/permissions`)).status).toBe(specified);
      expect((await call('GET', `${base}/permissions/resources`)).status).toBe(recorded);
    },
  );
});
