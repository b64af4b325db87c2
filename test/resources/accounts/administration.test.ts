import {
  AuthenticationError,
  BadRequestError,
  InvalidRequestError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ValidationError,
} from 'email-platform';
import type { Emulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { examples } from '../../entries/schemas/examples.ts';
import { rejection } from '../../support/expect-error.ts';
import { inMemoryAndOnAPort } from '../../support/in-memory-and-on-a-port.ts';
import { json, lost, scriptedFetch } from '../../support/scripted-fetch.ts';
import { throughItsWaits, virtualClient } from '../../support/virtual-client.ts';

const info = {
  name: 'The Gardeners',
  address: 'Via Roma 1',
  city: 'Rome',
  country: 'Italy',
  zip_code: '00100',
  website_url: 'https://example.com',
};
const sent = (emulator: Pick<Emulator, 'requests'>) =>
  emulator.requests.map(({ method, path, status }) => `${method} ${path} ${String(status)}`);

describe.each(inMemoryAndOnAPort)('Company info, %s', (_, connect) => {
  test.each([
    ['with', '/api/accounts/1001/sending_domains'],
    ['without', '/api/domains'],
  ])('is created, read and updated, %s an account', async (how, domains) => {
    const { emulator, client, connect: again } = await connect();
    const { companyInfo } = (how === 'with' ? client : again({ accountId: undefined })).sendingDomains;
    await rejection(companyInfo.get(301), NotFoundError);
    const made = await companyInfo.create(301, info);
    const nothing = { phone: null, privacy_policy_url: null, terms_of_service_url: null };
    expect(made).toEqual({ ...info, ...nothing, info_level: 'business' });
    const changed = await companyInfo.update(301, { city: 'Oslo', phone: '+47 1', info_level: 'individual' });
    expect(changed).toEqual({ ...made, city: 'Oslo', phone: '+47 1', info_level: 'individual' });
    expect(await companyInfo.get(301)).toEqual(changed);
    const error = await rejection(companyInfo.create(302, { ...info, name: ' ' }), ValidationError);
    expect(error.fieldErrors).toEqual({ name: ["can't be blank"] });
    expect(sent(emulator)).toEqual([
      `GET ${domains}/301/company_info 404`,
      `POST ${domains}/301/company_info 200`,
      `PATCH ${domains}/301/company_info 200`,
      `GET ${domains}/301/company_info 200`,
      `POST ${domains}/302/company_info 422`,
    ]);
  });
});

describe.each(inMemoryAndOnAPort)('Permissions, all at once, %s', (_, connect) => {
  test.each([['with'], ['without']])('are granted, changed and taken away, %s an account', async (how) => {
    const { emulator, client, connect: again } = await connect();
    const { accounts } = how === 'with' ? client : again({ accountId: undefined });
    const vera = async () => {
      const all = await accounts.accesses.list().toArray();
      return all.find(({ specifier }) => specifier.email === 'vera@example.com');
    };
    const access = await vera();
    const { message } = await accounts.permissions.updateAll(access?.id ?? 0, [
      { resource_type: 'domain', resource_id: 301, access_level: 100 },
      { resource_type: 'inbox', resource_id: 2001, access_level: 10 },
    ]);
    expect(message).toBe('Permissions have been updated!');
    const names = how === 'with' ? ['sending_domain', 'inbox'] : ['domain', 'sandbox'];
    expect((await vera())?.resources).toEqual([
      { resource_type: names[0], resource_id: 301, access_level: 100 },
      { resource_type: names[1], resource_id: 2001, access_level: 10 },
    ]);
    await accounts.permissions.updateAll(access?.id ?? 0, [
      { resource_type: 'sending_domain', resource_id: 301, _destroy: true },
    ]);
    expect((await vera())?.resources).toMatchObject([{ resource_type: names[1] }]);

    await accounts.permissions.updateAll(access?.id ?? 0, [
      { resource_type: 'domain', resource_id: '301', access_level: 'admin' },
      { resource_type: 'inbox', resource_id: '2001', access_level: 'viewer' },
    ]);
    const resources = (await vera())?.resources.map(({ resource_id, access_level }) => [
      resource_id,
      access_level,
    ]);
    expect(resources).toEqual([
      [301, 100],
      [2001, 10],
    ]);
    await accounts.permissions.updateAll(access?.id ?? 0, [
      { resource_type: 'domain', resource_id: '301', _destroy: true },
    ]);

    await rejection(
      accounts.permissions.updateAll(access?.id ?? 0, [
        { resource_type: 'domain', resource_id: 999, access_level: 10 },
      ]),
      ValidationError,
    );
    const grant = { resource_type: 'domain', resource_id: 301, access_level: 10 } as const;
    await rejection(accounts.permissions.updateAll(1, [grant]), NotFoundError);
    await rejection(accounts.permissions.updateAll(5001, [grant]), PermissionDeniedError);
    expect((await vera())?.resources).toMatchObject([{ resource_type: names[1] }]);
    expect(emulator.requests.some(({ method }) => method === 'PUT')).toBe(true);
  });
});

describe('Permissions are refused before they are sent', () => {
  const one = { resource_type: 'domain', resource_id: 1 };
  test.each<[unknown, string]>([
    [undefined, 'permissions: is required'],
    [one, 'permissions: must be an array'],
    [[], 'permissions: must not be an empty list'],
    [[null], 'permissions[0]: must be an object with resource_type, resource_id, access_level'],
    [[one], 'permissions[0].access_level: is required'],
    [
      [{ ...one, access_level: 'owner' }],
      "permissions[0].access_level: must be 100, 10, 'admin' or 'viewer'",
    ],
    ...['', '0', '01', '1.5', 'x1', '-1', 0].map(
      (resource_id) =>
        [
          [{ ...one, resource_id, access_level: 10 }],
          'permissions[0].resource_id: must be a positive whole number, or its digits',
        ] as [unknown, string],
    ),
    [[{ ...one, _destroy: true, access_level: 10 }], 'permissions[0].access_level: is not a known field'],
    [[{ resource_type: 'domain', _destroy: true }], 'permissions[0].resource_id: is required'],
  ])('%j', async (permissions, message) => {
    const { fetch, sent } = scriptedFetch(json(200, {}));
    const { accounts } = virtualClient({ fetch }).client;
    const error = await rejection(
      accounts.permissions.updateAll(1, permissions as never),
      InvalidRequestError,
    );
    expect(error.message).toBe(`accounts.permissions.updateAll was not sent: ${message}`);
    expect(sent).toHaveLength(0);
  });
});

test('permissions are sent again when their response was lost: they are set, not added', async () => {
  const { fetch, sent } = scriptedFetch(lost, json(200, examples.permissionsUpdated));
  const { client, time } = virtualClient({ fetch });
  const grant = { resource_type: 'domain', resource_id: 1, access_level: 10 } as const;
  await throughItsWaits(time, client.accounts.permissions.updateAll(1, [grant]));
  expect(sent.map(({ body }) => JSON.parse(body) as unknown)).toEqual(
    [1, 2].map(() => ({ permissions: [{ ...grant, resource_id: '1' }] })),
  );
});

describe.each(inMemoryAndOnAPort)('Billing, %s', (_, connect) => {
  test.each([
    ['with', '/api/accounts/1001/billing/usage'],
    ['without', '/api/billing/usage'],
  ])('counts what was sent and captured in the month, %s an account', async (how, path) => {
    const now = Date.parse('2026-03-31T23:59:00Z');
    const { emulator, client, connect: again } = await connect({ now: () => now });
    const { billing } = how === 'with' ? client : again({ accountId: undefined });
    const mail = { from: { email: 'hello@mail.example.com' }, subject: 'Hi', text: 'Hello' };
    await client.sending.send({ ...mail, to: [{ email: 'a@example.org' }, { email: 'b@example.org' }] });
    await client.sending.send({ ...mail, to: [{ email: 'c@example.org' }] }, { stream: 'sandbox' });
    emulator.logs.add({ sent_at: '2026-02-28T12:00:00Z' });
    expect(await billing.usage()).toEqual({
      billing: { cycle_start: '2026-03-01T00:00:00.000Z', cycle_end: '2026-03-31T23:59:59.999Z' },
      testing: {
        plan: { name: 'Individual' },
        usage: {
          sent_messages_count: { current: 1, limit: 5000 },
          forwarded_messages_count: { current: 0, limit: 100 },
        },
      },
      sending: {
        plan: { name: 'Basic 10K' },
        usage: { sent_messages_count: { current: 2, limit: 10_000 } },
      },
    });
    emulator.setBilling('exceeded');
    expect((await billing.usage()).sending?.usage.sent_messages_count?.current).toBe(10_000);
    emulator.clock.advance(60_000);
    const { testing } = await billing.usage();
    expect(testing?.usage.sent_messages_count?.current).toBe(0);
    expect(emulator.requests.at(-1)?.path).toBe(path);
    const token = emulator.createToken({ permissions: { billing: 'none' } });
    await rejection(again({ token }).billing.usage(), PermissionDeniedError);
  });
});

describe.each(inMemoryAndOnAPort)('Organizations, %s', (_, connect) => {
  test('an account is added, and a token of it works', async () => {
    const { emulator, client, connect: again } = await connect();
    const subAccounts = client.organizations.subAccounts(emulator.organizationId);
    const made = await subAccounts.create({ name: 'Shop in Rome' });
    expect(await subAccounts.list().toArray()).toEqual([{ id: 1001, name: 'Account 1001' }, made]);
    const tenant = again({ token: emulator.createToken({ accountId: made.id }), accountId: made.id });
    expect(await tenant.accounts.list().toArray()).toEqual([{ ...made, access_levels: [100] }]);
    const { organizations } = tenant;
    // Neither a token of an account that does not manage the organization, nor another organization.
    for (const foreign of [
      organizations.subAccounts(emulator.organizationId),
      client.organizations.subAccounts(1),
    ]) {
      for (const call of [
        () => foreign.list(),
        () => foreign.create({ name: 'a' }),
        () => foreign.delete(made.id),
      ]) {
        const { body } = await rejection(Promise.resolve<unknown>(call()), PermissionDeniedError);
        expect(body).toEqual({ errors: 'Access forbidden' });
      }
    }
    await rejection(subAccounts.create({ name: ' ' }), ValidationError);
    const path = `/api/organizations/${emulator.organizationId}/sub_accounts`;
    expect(sent(emulator).slice(0, 2)).toEqual([`POST ${path} 200`, `GET ${path} 200`]);
  });

  test('a deleted account is gone, with its tokens; the last one takes the organization along', async () => {
    const { emulator, client, connect: again } = await connect();
    const subAccounts = client.organizations.subAccounts(emulator.organizationId);
    const { id } = await subAccounts.create({ name: 'Shop in Rome' });
    const tenant = again({ token: emulator.createToken({ accountId: id }) });
    await subAccounts.delete(id);
    expect(sent(emulator).at(-1)).toMatch(/^DELETE .* 204$/);
    await rejection(subAccounts.delete(id), NotFoundError);
    await rejection(Promise.resolve(tenant.templates.list()), AuthenticationError);
    expect(await subAccounts.list().toArray()).toHaveLength(1);
    await subAccounts.delete(1001);
    await rejection(Promise.resolve(subAccounts.list()), AuthenticationError);
    const late = again({ token: emulator.createToken() }).organizations;
    await rejection(Promise.resolve(late.subAccounts(emulator.organizationId).list()), PermissionDeniedError);
  });

  test('a 404 after a lost response means that the account is deleted', async () => {
    const { emulator, client } = await connect();
    const subAccounts = client.organizations.subAccounts(emulator.organizationId);
    const { id } = await subAccounts.create({ name: 'Shop in Rome' });
    emulator.faults.next({ match: { method: 'DELETE' }, kind: 'reset-after' });
    await subAccounts.delete(id);
    expect(sent(emulator).at(-1)).toMatch(/^DELETE .* 404$/);
  });

  test('the eleventh deletion of a minute is refused, and the client would wait for it', async () => {
    const { emulator, client, connect: again } = await connect({ limits: { token: false } });
    const { organizationId } = emulator;
    emulator.clock.pause();
    for (let count = 0; count < 10; count += 1)
      await rejection(client.organizations.subAccounts(organizationId).delete(7), NotFoundError);
    expect(client.limits.estimate(1, 'subAccountsDelete')).toBeGreaterThan(50_000);
    const unpaced = again({ throttle: false, retry: false }).organizations.subAccounts(organizationId);
    const error = await rejection(unpaced.delete(7), RateLimitError);
    expect([error.pool, error.body]).toEqual(['subAccountsDelete', { errors: 'Rate limit exceeded' }]);
    expect(await unpaced.list().toArray()).toHaveLength(1);
    emulator.clock.advance(60_000);
    await rejection(unpaced.delete(7), NotFoundError);
  });

  test('the empty 400 of a request without a name is a BadRequestError', async () => {
    const { emulator, client } = await connect();
    const path = `/api/organizations/${emulator.organizationId}/sub_accounts`;
    const call = client.request({ method: 'POST', path, body: { account: {} } });
    const error = await rejection(call, BadRequestError);
    expect(error.messages).toEqual([]);
  });

  test('an invalid organization or name is refused before anything is sent', async () => {
    const { emulator, client } = await connect();
    const thrower = () => {
      throw new Error('from a getter');
    };
    for (const id of ['1', 0, undefined, {}, { toString: thrower }] as never[]) {
      const subAccounts = client.organizations.subAccounts(id);
      for (const call of [
        () => subAccounts.list(),
        () => subAccounts.create({ name: 'a' }),
        () => subAccounts.delete(1),
      ]) {
        const error = await rejection(Promise.resolve<unknown>(call()), InvalidRequestError);
        expect(error.issues).toEqual([
          { path: 'organizationId', message: 'must be a positive whole number' },
        ]);
      }
    }
    const { message } = await rejection(
      client.organizations.subAccounts(1).create({} as never),
      InvalidRequestError,
    );
    expect(message).toBe('organizations.subAccounts.create was not sent: name: is required');
    expect(emulator.requests).toEqual([]);
  });
});

describe('Company info is refused before it is sent', () => {
  const { fetch, sent } = scriptedFetch(json(200, {}));
  const { companyInfo } = virtualClient({ fetch }).client.sendingDomains;
  const { website_url: _, ...incomplete } = info;
  test.each<[string, () => PromiseLike<unknown>]>([
    ['create was not sent: website_url: is required', () => companyInfo.create(1, incomplete as never)],
    ['create was not sent: domainId: must be a positive whole number', () => companyInfo.create(0, info)],
    [
      'update was not sent: info_level: must be a string',
      () => companyInfo.update(1, { info_level: 1 as never }),
    ],
    ['update was not sent: params: must change something', () => companyInfo.update(1, {})],
    ['update was not sent: city: must be a string', () => companyInfo.update(1, { city: null as never })],
  ])('%s', async (message, call) => {
    const error = await rejection(Promise.resolve(call()), InvalidRequestError);
    expect(error.message).toBe(`sendingDomains.companyInfo.${message}`);
    expect(sent).toHaveLength(0);
  });

  test('and the group is created once', () => {
    const { sendingDomains } = virtualClient({}).client;
    expect(sendingDomains.companyInfo).toBe(sendingDomains.companyInfo);
  });
});

test('a list with billions of holes is refused at once', async () => {
  const { accounts, apiTokens } = virtualClient({ fetch: scriptedFetch(json(200, {})).fetch }).client;
  const holes = Object.assign([], { length: 2 ** 32 - 1 }) as never[];
  const startedAt = performance.now();
  await rejection(accounts.permissions.updateAll(1, holes), InvalidRequestError);
  await rejection(apiTokens.create({ name: 'a', resources: holes }), InvalidRequestError);
  // A walk through all of them takes minutes.
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
