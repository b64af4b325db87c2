import fc from 'fast-check';
import { expect } from 'vitest';
import { pick, position, steps, type Model } from './model.ts';
import { agree, Refused } from './verdict.ts';

const NO_ID = 99_999;

const listAccounts = steps('list accounts', fc.constant(''), async (_, __, { client, emulator }) => {
  const { accountId: id } = emulator.clientOptions();
  expect(await client.accounts.list().toArray()).toMatchObject([{ id }]);
  expect(await client.accounts.get(id)).toMatchObject({ id });
});

const addSubAccount = steps(
  'add sub account',
  fc.tuple(fc.constantFrom('Shop', 'Blog'), fc.boolean()),
  ([name, isOwn], { account }, { client, emulator }) =>
    agree(
      client.organizations.subAccounts(isOwn ? emulator.organizationId : NO_ID).create({ name }),
      () => account.checkOrganization(isOwn),
      ({ id, ...rest }) => {
        expect(rest).toEqual({ name });
        expect(account.subAccounts.has(id)).toBe(false);
        account.subAccounts.set(id, name);
      },
    ),
);

const listSubAccounts = steps('list sub accounts', fc.boolean(), (isOwn, { account }, { client, emulator }) =>
  agree(
    client.organizations
      .subAccounts(isOwn ? emulator.organizationId : NO_ID)
      .list()
      .toArray(),
    () => account.checkOrganization(isOwn),
    (real) => {
      const { accountId } = emulator.clientOptions();
      const added = real.filter(({ id }) => id !== accountId).map(({ id, name }) => [id, name] as const);
      expect(new Map(added)).toEqual(account.subAccounts);
      expect(real).toHaveLength(account.subAccounts.size + 1);
    },
  ),
);

const deleteSubAccount = steps(
  'delete sub account',
  fc.tuple(position, fc.boolean()),
  ([at, isOwn], { account }, { client, emulator }) => {
    const id = pick([...account.subAccounts.keys()], at) ?? NO_ID;
    return agree(
      client.organizations.subAccounts(isOwn ? emulator.organizationId : NO_ID).delete(id),
      () => {
        account.checkOrganization(isOwn);
        account.deleteSubAccount(id);
      },
      () => undefined,
    );
  },
);

const domainAt = ({ mail }: Model, at: number) => pick(mail.domains, at)?.id ?? NO_ID;

const company = {
  name: fc.constantFrom('Shop Ltd', 'Blog Inc'),
  address: fc.constantFrom('1 High Street', '2 Low Street'),
  city: fc.constantFrom('Rome', 'Oslo'),
  country: fc.constantFrom('Italy', 'Norway'),
  zip_code: fc.constantFrom('00100', '0150'),
  website_url: fc.constantFrom('https://shop.example.com', 'https://blog.example.com'),
  phone: fc.constantFrom(null, '+39 06 1'),
  info_level: fc.constantFrom('business' as const, 'individual' as const),
};

const addCompany = steps(
  'add company',
  fc.tuple(position, fc.record(company)),
  ([at, given], model, { client }) => {
    const id = domainAt(model, at);
    return agree(
      client.sendingDomains.companyInfo.create(id, given),
      () => {
        model.mail.domain(id);
        model.account.companies.set(id, { ...given });
      },
      (real) => expect(real).toMatchObject(given),
    );
  },
);

const changeCompany = steps(
  'change company',
  fc.tuple(
    position,
    fc
      .record({ city: company.city, phone: company.phone }, { requiredKeys: [] })
      .filter((given) => Object.keys(given).length > 0),
  ),
  ([at, changes], model, { client }) => {
    const id = domainAt(model, at);
    return agree(
      client.sendingDomains.companyInfo.update(id, changes),
      () => model.account.changeCompany(id, changes),
      (real, expected) => expect(real).toMatchObject(expected),
    );
  },
);

const readCompany = steps('read company', position, (at, model, { client }) => {
  const id = domainAt(model, at);
  return agree(
    client.sendingDomains.companyInfo.get(id),
    () => model.account.company(id),
    (real, expected) => expect(real).toMatchObject(expected),
  );
});

const sendSetup = steps('send setup instructions', position, (at, model, { client }) => {
  const id = domainAt(model, at);
  return agree(
    client.sendingDomains.sendSetupInstructions(id, { email: 'dev@example.com' }),
    () => model.mail.domain(id),
    (real) => expect(real).toBeUndefined(),
  );
});

const send = steps('send', fc.boolean(), async (isCaptured, model, { client }) => {
  const mail = {
    from: { email: `news@${model.mail.domains[0]?.name ?? ''}` },
    to: [{ email: 'ann@example.org' }, ...(isCaptured ? [] : [{ email: 'ben@example.org' }])],
    subject: 'Hi',
    text: 'Hello https://example.com/',
  };
  const { message_ids } = await client.sending.send(mail, {
    stream: isCaptured ? 'sandbox' : 'transactional',
  });
  const times = isCaptured ? model.account.captured : model.account.sent;
  times.push(...message_ids.map(() => model.now));
});

/** When a cycle begins is not published; what it counts is what was sent since. */
const readUsage = steps('read usage', fc.constant(''), async (_, { account, now }, { client }) => {
  const { billing, sending, testing } = await client.billing.usage();
  const start = Date.parse(billing.cycle_start);
  expect(start).toBeLessThanOrEqual(now);
  expect(Date.parse(billing.cycle_end)).toBeGreaterThanOrEqual(now);
  const since = (times: readonly number[]) => times.filter((at) => at >= start).length;
  expect(sending?.usage.sent_messages_count?.current).toBe(since(account.sent));
  expect(testing?.usage.sent_messages_count?.current).toBe(since(account.captured));
  return account.sent.length > since(account.sent) ? 'in another cycle' : 'in one cycle';
});

/** Whether somebody's access can be taken away: never that of the owner. */
const removeAccess = steps('remove access', position, async (at, _, { client }) => {
  const before = await client.accounts.accesses.list().toArray();
  const access = pick(before, at);
  const id = access?.id ?? NO_ID;
  const outcome = await agree(
    client.accounts.accesses.remove(id),
    () => {
      if (access === undefined) throw new Refused(404, 'NotFoundError');
      if (!access.permissions.can_destroy) throw new Refused(403, 'PermissionDeniedError');
    },
    (real) => expect(real).toEqual({ id }),
  );
  const after = await client.accounts.accesses.list().toArray();
  expect(after).toEqual(before.filter((one) => outcome === 'refused' || one.id !== id));
  return outcome;
});

/** A granted permission appears in the list; the other permissions stay. */
const grant = steps(
  'grant access',
  fc.tuple(position, position, fc.constantFrom(10, 100)),
  async ([at, domain, level], model, { client }) => {
    const resource_id = model.mail.domains[domain % model.mail.domains.length]?.id ?? 0;
    const find = async (id: number) =>
      (await client.accounts.accesses.list().toArray()).find((one) => one.id === id);
    const all = await client.accounts.accesses.list().toArray();
    const access = pick(
      all.filter(({ permissions }) => permissions.can_update),
      at,
    );
    const id = access?.id ?? NO_ID;
    const access_level = level === 100 ? 100 : 10;
    const outcome = await agree(
      client.accounts.permissions.updateAll(id, [{ resource_type: 'domain', resource_id, access_level }]),
      () => {
        if (access === undefined) throw new Refused(404, 'NotFoundError');
      },
      () => undefined,
    );
    const others = (access?.resources ?? []).filter((one) => one.resource_id !== resource_id);
    const expected = [...others, { resource_id, access_level }];
    if (outcome === 'done') {
      const { resources = [] } = (await find(id)) ?? {};
      const levels = (some: readonly { resource_id: number; access_level: number }[]) =>
        some.map((one) => `${one.resource_id} ${one.access_level}`).sort();
      expect(levels(resources)).toEqual(levels(expected));
    }
    return outcome;
  },
);

const listPermissions = steps('list permissions', fc.constant(''), async (_, __, { client, emulator }) => {
  const real = await client.accounts.permissions.list().toArray();
  expect(real.map(({ id, type }) => [id, type])).toContainEqual([
    emulator.clientOptions().accountId,
    'account',
  ]);
});

/** The steps on accounts, sub accounts, company information and billing. */
export const accountSteps = [
  ...[
    listAccounts,
    addSubAccount,
    listSubAccounts,
    deleteSubAccount,
    removeAccess,
    grant,
    grant,
    listPermissions,
  ],
  ...[addCompany, addCompany, changeCompany, readCompany, readCompany, sendSetup],
  ...[send, send, readUsage, readUsage],
];
