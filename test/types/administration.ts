import type { ApiPromise, EmailPlatform, Pager } from 'email-platform';
import type { Same } from './same.ts';

export async function tokens({ apiTokens, accounts }: EmailPlatform): Promise<unknown[]> {
  const resource = { resource_type: 'domain', resource_id: 1, access_level: 100 } as const;
  const all = apiTokens.list({ accountId: 1 });
  const made = apiTokens.create({ name: 'a', resources: [resource], expires_at: new Date() });
  const endless = apiTokens.create({ name: 'a', expires_at: null });
  const one = apiTokens.get(1);
  const reset = apiTokens.reset(1, { expires_at: '2027-01-01T00:00:00Z' }, { timeoutMs: 1 });
  const deleted = apiTokens.delete(1);
  const changes: EmailPlatform.PermissionChange[] = [
    resource,
    { resource_type: 'a kind the service has added since', resource_id: 2, _destroy: true },
    { resource_type: 'domain', resource_id: '9007199254740993', access_level: 'admin' },
    { resource_type: 'inbox', resource_id: 3, access_level: 'viewer' },
  ];
  const permissions = accounts.permissions.updateAll(1, changes);
  const checks: [
    Same<typeof all, Pager<EmailPlatform.ApiToken>>,
    Same<typeof made, ApiPromise<EmailPlatform.NewApiToken>>,
    Same<typeof one, ApiPromise<EmailPlatform.ApiToken>>,
    Same<typeof reset, ApiPromise<EmailPlatform.NewApiToken>>,
    Same<typeof deleted, ApiPromise<void>>,
    Same<typeof permissions, ApiPromise<EmailPlatform.PermissionsUpdated>>,
  ] = [true, true, true, true, true, true];
  const value: string = (await made).token;
  const expires: string | null = (await one).expires_at;
  // @ts-expect-error the value is only in the results of create and reset
  const again: unknown = (await one).token;
  return [...checks, endless, value, expires, again];
}

export async function rest(client: EmailPlatform): Promise<unknown[]> {
  const usage = client.billing.usage({ accountId: 1 });
  const { companyInfo } = client.sendingDomains;
  const info = companyInfo.get(1);
  const updated = companyInfo.update(1, { phone: null, info_level: 'individual' });
  const subAccounts = client.organizations.subAccounts(1);
  const list = subAccounts.list();
  const made = subAccounts.create({ name: 'a' });
  const gone = subAccounts.delete(1101);
  const checks: [
    Same<typeof usage, ApiPromise<EmailPlatform.BillingUsage>>,
    Same<typeof info, ApiPromise<EmailPlatform.CompanyInfo>>,
    Same<typeof updated, ApiPromise<EmailPlatform.CompanyInfo>>,
    Same<typeof list, Pager<EmailPlatform.SubAccount>>,
    Same<typeof made, ApiPromise<EmailPlatform.SubAccount>>,
    Same<typeof gone, ApiPromise<void>>,
  ] = [true, true, true, true, true, true];
  const { sending } = await usage;
  const current: number | undefined = sending?.usage.sent_messages_count?.current;
  // @ts-expect-error an account may have no plan for a product
  const certain: unknown = sending.plan;
  const level: string = (await info).info_level;
  return [...checks, current, certain, level];
}

export const wrong = ({
  apiTokens,
  accounts,
  billing,
  organizations,
  sendingDomains,
}: EmailPlatform): unknown[] => [
  // @ts-expect-error a name is required
  apiTokens.create({}),
  apiTokens.create({
    name: 'a',
    // @ts-expect-error 1000 cannot be granted
    resources: [{ resource_type: 'domain', resource_id: 1, access_level: 1000 }],
  }),
  // @ts-expect-error an id is a number
  apiTokens.reset('1'),
  // @ts-expect-error tokens cannot be changed
  apiTokens.update,
  // @ts-expect-error an access level, or that it is taken away
  accounts.permissions.updateAll(1, [{ resource_type: 'domain', resource_id: 1 }]),
  accounts.permissions.updateAll(1, [
    // @ts-expect-error an owner cannot be made
    { resource_type: 'domain', resource_id: 1, access_level: 'owner' },
  ]),
  apiTokens.create({
    name: 'a',
    // @ts-expect-error the level of a token is a number
    resources: [{ resource_type: 'domain', resource_id: 1, access_level: 'admin' }],
  }),
  accounts.permissions.updateAll(1, [
    // @ts-expect-error not both at once
    { resource_type: 'domain', resource_id: 1, access_level: 10, _destroy: true },
  ]),
  // @ts-expect-error options are not parameters
  billing.usage({ month: 1 }),
  // @ts-expect-error an organization is required
  organizations.subAccounts(),
  // @ts-expect-error every required field
  sendingDomains.companyInfo.create(1, { name: 'a' }),
  // @ts-expect-error a domain cannot lose its name
  sendingDomains.companyInfo.update(1, { name: null }),
];
