import { EmailPlatform, NotFoundError, PermissionDeniedError } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { rejection } from '../support/caught.ts';
import { faces } from '../support/faces.ts';
import { empty, json, lost, scriptedFetch } from '../support/scripted-fetch.ts';
import { throughItsWaits, virtualClient } from '../support/virtual-client.ts';

describe.each(faces)('Account management, %s', (_, connect) => {
  test('GET /accounts: the accounts the token can see', async () => {
    const { emulator, client } = await connect();
    const { accountId } = emulator.clientOptions();
    const accounts = await client.accounts.list().toArray();
    expect(accounts).toEqual([{ id: accountId, name: expect.any(String) as string, access_levels: [100] }]);
    expect(emulator.requests[0]?.path).toBe('/api/accounts');
  });

  test('GET /accounts/{id}: one account, or 404', async () => {
    const { emulator, client } = await connect();
    const { accountId } = emulator.clientOptions();
    expect(await client.accounts.get(accountId)).toMatchObject({ id: accountId });
    await rejection(client.accounts.get(accountId + 1), NotFoundError);
  });

  test('GET /account_accesses and DELETE /account_accesses/{id}', async () => {
    const { emulator, client } = await connect();
    const { accountId } = emulator.clientOptions();
    const accesses = await client.accounts.accesses.list().toArray();
    const [removable] = accesses.filter(({ permissions }) => permissions.can_destroy);
    expect(await client.accounts.accesses.remove(removable?.id ?? 0)).toEqual({ id: removable?.id });
    const left = await client.accounts.accesses.list().toArray();
    expect(left.map(({ id }) => id)).not.toContain(removable?.id);
    expect(left).toHaveLength(accesses.length - 1);
    expect(emulator.requests[0]?.path).toBe(`/api/accounts/${accountId}/account_accesses`);
  });

  test('GET /permissions', async () => {
    const { emulator, client } = await connect();
    const { accountId } = emulator.clientOptions();
    const [first] = await client.accounts.permissions.list().toArray();
    expect(first).toMatchObject({
      type: expect.any(String) as string,
      resources: expect.any(Array) as unknown,
    });
    expect(emulator.requests.map(({ path, status }) => `${path} ${String(status)}`)).toEqual([
      `/api/accounts/${accountId}/permissions 200`,
    ]);
  });

  test('without an account, the paths without an account are used', async () => {
    const { emulator, connect: again } = await connect();
    const client = again({ accountId: undefined });
    await client.accounts.accesses.list();
    await client.accounts.permissions.list();
    expect(emulator.requests.map(({ path }) => path)).toEqual(['/api/account_accesses', '/api/permissions']);
  });

  test('a token without permission is refused', async () => {
    const { emulator, connect: again } = await connect();
    const client = again({ token: emulator.createToken({ permissions: { account: 'none' } }) });
    await rejection(client.accounts.accesses.list(), PermissionDeniedError);
  });
});

test('permissions at the path in the specification take one request', async () => {
  const { fetch, sent } = scriptedFetch(json(200, []));
  const { client } = virtualClient({ fetch });
  const { data, response } = await client.accounts.permissions.list().withResponse();
  expect(data.items).toEqual([]);
  expect(response.status).toBe(200);
  expect(sent).toHaveLength(1);
});

test('GET /permissions is read from its other path where the specified one returns 404', async () => {
  const emulator = createEmulator({ accounts: { permissionsPath: 'resources' } });
  const client = new EmailPlatform(emulator.clientOptions());
  expect(await client.accounts.permissions.list().toArray()).not.toEqual([]);
  expect(emulator.requests.map(({ path, status }) => `${path} ${String(status)}`)).toEqual([
    '/api/accounts/1001/permissions 404',
    '/api/accounts/1001/permissions/resources 200',
  ]);
});

test('a removal whose response was lost and whose retry returns 404 succeeds', async () => {
  const { fetch, sent } = scriptedFetch(lost, json(404, { error: 'Not Found' }));
  const { client, time } = virtualClient({ fetch });
  expect(await throughItsWaits(time, client.accounts.accesses.remove(5))).toEqual({ id: 5 });
  // The specification shows no payload.
  const { client: other } = virtualClient({ fetch: scriptedFetch(empty(204)).fetch, accountId: 1 });
  expect(await other.accounts.accesses.remove(6)).toEqual({ id: 6 });
  expect(sent).toHaveLength(2);
});

test('a group of methods is created once', () => {
  const { accounts } = virtualClient({}).client;
  expect(accounts.accesses).toBe(accounts.accesses);
  expect(accounts.permissions).toBe(accounts.permissions);
});
