import {
  EmailPlatform,
  EmailPlatformError,
  InvalidRequestError,
  NotFoundError,
  PermissionDeniedError,
} from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { everythingOf } from '../../support/everything-of.ts';
import { inMemoryAndOnAPort } from '../../support/in-memory-and-on-a-port.ts';
import { empty, json, lost, scriptedFetch, text, type Turn } from '../../support/scripted-fetch.ts';
import { throughItsWaits, virtualClient } from '../../support/virtual-client.ts';

describe.each(inMemoryAndOnAPort)('Account management, %s', (_, connect) => {
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

test('the path of the permissions is remembered', async () => {
  const emulator = createEmulator({ accounts: { permissionsPath: 'resources' } });
  const client = new EmailPlatform(emulator.clientOptions());
  await client.accounts.permissions.list();
  await client.accounts.permissions.list();
  expect(emulator.requests.slice(1).map(({ path }) => path)).toEqual([
    '/api/accounts/1001/permissions/resources',
    '/api/accounts/1001/permissions/resources',
  ]);
});

describe('An account by its id', () => {
  const account = { id: 7, name: 'Seven', access_levels: [100] };
  const missing = json(404, { error: 'Not Found' });
  const list = json(200, [null, { ...account, id: 6 }, account]);
  const setUp = (...turns: [Turn, ...Turn[]]) => {
    const { fetch, sent } = scriptedFetch(...turns);
    const { client } = virtualClient({ fetch });
    const paths = () => sent.map(({ url }) => new URL(url).pathname);
    return { get: (id: number) => client.accounts.get(id), paths };
  };

  test('is looked up in the list where its own path returns 404, with the response of the list', async () => {
    const { get, paths } = setUp(missing, json(200, [account], { 'x-request-id': 'of the list' }));
    const { data, response } = await get(7).withResponse();
    expect(data).toEqual(account);
    expect([response.status, response.requestId]).toEqual([200, 'of the list']);
    expect(paths()).toEqual(['/api/accounts/7', '/api/accounts']);
  });

  test('and from then on in the list alone', async () => {
    const { get, paths } = setUp(missing, list);
    await get(7);
    expect(await get(6)).toMatchObject({ id: 6 });
    expect(paths()).toEqual(['/api/accounts/7', '/api/accounts', '/api/accounts']);
  });

  test('in neither: the 404 of its own path is thrown, and nothing is remembered', async () => {
    const { get, paths } = setUp(missing, list, missing, list);
    expect(await rejection(get(8), NotFoundError)).toMatchObject({ request: { path: '/api/accounts/8' } });
    await get(7);
    expect(paths()).toHaveLength(4);
  });

  test('not in the list either, once that is where accounts are: its own path says so', async () => {
    const { get, paths } = setUp(missing, list, list, missing);
    await get(7);
    await rejection(get(8), NotFoundError);
    expect(paths().slice(2)).toEqual(['/api/accounts', '/api/accounts/8']);
  });

  test('a path that has worked is believed when it returns 404', async () => {
    const { get, paths } = setUp(json(200, account), missing, list);
    await get(7);
    await rejection(get(8), NotFoundError);
    expect(paths()).toEqual(['/api/accounts/7', '/api/accounts/8']);
  });

  test('any other failure is thrown, of the path or of the list', async () => {
    const refused = json(403, { errors: 'Access forbidden' });
    const direct = setUp(refused, list);
    await rejection(direct.get(7), PermissionDeniedError);
    expect(direct.paths()).toHaveLength(1);
    await rejection(setUp(missing, refused).get(7), PermissionDeniedError);
  });

  test('an invalid id is refused, in each form of the call', async () => {
    const { get, paths } = setUp(missing, list);
    await rejection(get(0), InvalidRequestError);
    await get(7);
    await rejection(get(-1), InvalidRequestError);
    expect(paths()).toHaveLength(2);
  });
});

describe('A user with access to some resources', () => {
  test.each(inMemoryAndOnAPort)('lists only them, with an account and without, %s', async (_, connect) => {
    const { emulator, client, connect: again } = await connect();
    const [domain] = emulator.domains.list();
    const params = { domain_ids: [domain?.id ?? 0] };
    for (const each of [client, again({ accountId: undefined })]) {
      const found = await each.accounts.accesses.list(params).toArray();
      expect(found.map(({ specifier }) => specifier.email)).toEqual(['vera@example.com']);
      expect(await each.accounts.accesses.list({ inbox_ids: [1], project_ids: [2] }).toArray()).toEqual([]);
    }
  });

  test('an inbox is named as each form of the path has it', async () => {
    const { fetch, sent } = scriptedFetch(json(200, []));
    const { client } = virtualClient({ fetch });
    await client.accounts.accesses.list({ project_ids: [1, 2], inbox_ids: [3] });
    expect([...new URL(sent[0]?.url ?? '').searchParams]).toEqual([
      ['project_ids[]', '1'],
      ['project_ids[]', '2'],
      ['inbox_ids[]', '3'],
      ['sandbox_ids[]', '3'],
    ]);
  });

  test.each<[object, string]>([
    [{ project_ids: [] }, 'project_ids: must not be an empty list'],
    [{ domain_ids: ['3'] }, 'domain_ids[0]: must be a positive whole number'],
    [
      { accountId: 7 },
      'accountId: is not a known field; it is an option of a call: pass `{ accountId }` in the last argument',
    ],
    [
      { domain_ids: Array.from({ length: 400 }, (_, id) => 1e9 + id), project_ids: [1] },
      'domain_ids: makes the query longer than 6000 bytes: split it',
    ],
  ])('is refused before anything is sent: %#', async (params, message) => {
    const { fetch, sent } = scriptedFetch(json(200, []));
    const { client } = virtualClient({ fetch });
    const error = await rejection(client.accounts.accesses.list(params), InvalidRequestError);
    expect(error.message).toBe(`accounts.accesses.list was not sent: ${message}`);
    expect(sent).toHaveLength(0);
  });
});

describe('Tokens with access', () => {
  test.each([true, false])('are listed where the service lists them (account: %s)', async (hasAccount) => {
    const emulator = createEmulator({ accounts: { listsTokens: true } });
    const { accountId, ...options } = emulator.clientOptions();
    const client = new EmailPlatform({ ...options, ...(hasAccount && { accountId }), throttle: false });
    const resources = [{ resource_type: 'domain', resource_id: 301, access_level: 10 }] as const;
    const expires_at = new Date(emulator.clock.now() + 86_400_000).toISOString();
    const { id, token } = await client.apiTokens.create({ name: 'reports', resources, expires_at });
    const accesses = await client.accounts.accesses.list().toArray();
    const ofTokens = accesses.filter(({ specifier_type }) => specifier_type === 'ApiToken');
    expect(ofTokens.map(({ specifier }) => specifier)).toEqual([
      { id: 7001, name: 'Emulator', author_name: 'System', token: options.token, expires_at: null },
      { id, name: 'reports', author_name: 'Emulator', token, expires_at },
    ]);
    expect(ofTokens[1]?.resources).toEqual([
      { resource_type: hasAccount ? 'sending_domain' : 'domain', resource_id: 301, access_level: 10 },
    ]);
    const ofDomain = await client.accounts.accesses.list({ domain_ids: [301] }).toArray();
    expect(ofDomain.map(({ specifier }) => specifier.name)).toEqual(['Vera Viewer', 'reports']);
  });

  test('are not listed as recorded', async () => {
    const client = new EmailPlatform({ ...createEmulator().clientOptions(), throttle: false });
    const types = (await client.accounts.accesses.list().toArray()).map((one) => one.specifier_type);
    expect(types).toEqual(['User', 'User', 'Invite']);
  });

  test('are looked for as deeply as a response may be nested', async () => {
    const depth = 1_000;
    const body = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const { client } = virtualClient({ fetch: scriptedFetch(text(200, body, 'application/json')).fetch });
    expect((await client.accounts.accesses.list()).items).toHaveLength(1);
  });

  describe('have a value that is in the result only', () => {
    const secrets = Array.from({ length: 30 }, (_, index) => `v4lue-of-token/${String(index)}+0123456789`);
    const list = secrets.map((token, index) => ({
      id: index + 1,
      specifier_type: 'ApiToken',
      specifier: { id: index + 1, name: 'orders', author_name: 'Ann', token, expires_at: null },
      resources: [],
      permissions: { can_read: true, can_update: true, can_destroy: true, can_leave: true },
    }));
    const OWN = 'own-token-0123456789';
    const quoting: EmailPlatform.StandardSchema = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value) => ({ issues: [{ message: `refused: ${JSON.stringify(value)} and ${OWN}` }] }),
      },
    };

    test.each<[string, number, 'report' | 'throw']>([
      ['a schema quotes it', 200, 'report'],
      ['a schema quotes it and ends the call', 200, 'throw'],
      ['a refusal has it', 500, 'report'],
    ])('also where %s', async (_, status, validateResponses) => {
      const events: object[] = [];
      const keep = (event: object) => void events.push(event);
      const { client, time } = virtualClient({
        token: OWN,
        fetch: scriptedFetch(json(status, list)).fetch,
        schemas: { accountAccessList: quoting },
        validateResponses,
        retry: false,
        hooks: { onResponse: keep, onMismatch: keep },
      });
      const call = Promise.resolve(client.accounts.accesses.list());
      const outcome: unknown = await throughItsWaits(time, call).catch((error: unknown) => error);
      await new Promise((resolve) => setImmediate(resolve));
      const isResult = status === 200 && validateResponses === 'report';
      expect(outcome instanceof EmailPlatformError).toBe(!isResult);
      if (isResult) expect(outcome).toMatchObject({ items: list });
      const readable = everythingOf([events, client, isResult ? undefined : outcome]);
      expect(readable).toContain('[redacted]');
      expect(readable).not.toMatch(/v4lue|own-token/);
    });
  });
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
