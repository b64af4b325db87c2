import type { ApiPromise, EmailPlatform, Pager } from 'email-platform';
import type { Same } from './same.ts';

export async function accounts({ accounts }: EmailPlatform): Promise<unknown[]> {
  const all = accounts.list();
  const one = accounts.get(1);
  const accesses = accounts.accesses.list(
    { project_ids: [1], domain_ids: [2], inbox_ids: [3] },
    { accountId: 1 },
  );
  const removed = accounts.accesses.remove(1);
  const permissions = accounts.permissions.list();
  const checks: [
    Same<typeof all, Pager<EmailPlatform.Account>>,
    Same<typeof one, ApiPromise<EmailPlatform.Account>>,
    Same<typeof accesses, Pager<EmailPlatform.AccountAccess>>,
    Same<typeof removed, ApiPromise<EmailPlatform.RemovedAccess>>,
    Same<typeof permissions, Pager<EmailPlatform.PermissionResource>>,
  ] = [true, true, true, true, true];
  const [access] = (await accesses).items;
  const kind: EmailPlatform.SpecifierType | undefined = access?.specifier_type;
  const added: EmailPlatform.AccessResourceType = 'a kind the service has added since';
  const email: string | undefined = access?.specifier.email;
  const token: (string | null | undefined)[] = [
    access?.specifier.author_name,
    access?.specifier.token,
    access?.specifier.expires_at,
  ];
  // @ts-expect-error a token has no email
  const certain: string = access?.specifier.email;
  for await (const resource of permissions) checks.push(...resource.resources.map(() => true as const));
  return [...checks, kind, added, email, token, certain];
}

export const wrongAccounts = ({ accounts }: EmailPlatform): unknown[] => [
  // @ts-expect-error an id is a number
  accounts.get('1'),
  // @ts-expect-error an id is required
  accounts.accesses.remove(),
  // @ts-expect-error options are the last argument
  accounts.accesses.list({ accountId: 1 }),
  // @ts-expect-error accounts cannot be created
  accounts.create,
];

interface ContactList {
  id: number;
  name: string;
}

export async function anyRequest(
  client: EmailPlatform,
  schema: EmailPlatform.StandardSchema<{ total: number }>,
  untyped: EmailPlatform.StandardSchema,
): Promise<unknown[]> {
  const unknown = client.request({ method: 'GET', path: '/api/contacts/lists' });
  const typed = client.request<ContactList[]>({ method: 'GET', path: '/api/contacts/lists' });
  const checked = client.request({ method: 'GET', path: '/api/stats', schema });
  const unchecked = client.request({ method: 'GET', path: '/api/stats', schema: untyped });
  const { data, response } = await checked.withResponse();
  const checks: [
    Same<typeof unknown, ApiPromise<unknown>>,
    Same<typeof typed, ApiPromise<ContactList[]>>,
    Same<typeof checked, ApiPromise<{ total: number }>>,
    Same<typeof unchecked, ApiPromise<unknown>>,
    Same<typeof data, { total: number }>,
    Same<typeof response.status, number>,
  ] = [true, true, true, true, true, true];
  await client.request(
    {
      method: 'POST',
      path: '/api/send',
      host: 'bulk',
      query: { ids: [1, 2], nested: { a: { b: true } }, left_out: undefined },
      body: { anything: [null] },
      repeatable: true,
    },
    { signal: AbortSignal.timeout(1), priority: 'high', retry: false },
  );
  // @ts-expect-error an unknown result has no fields
  const total: unknown = (await unknown).total;
  return [...checks, total];
}

declare const totals: EmailPlatform.StandardSchema<{ total: number }>;

export const wrongRequests = (client: EmailPlatform): unknown[] => [
  // @ts-expect-error a method is required
  client.request({ path: '/api/x' }),
  // @ts-expect-error a path is required
  client.request({ method: 'GET' }),
  // @ts-expect-error methods are in upper case
  client.request({ method: 'get', path: '/api/x' }),
  // @ts-expect-error no such host
  client.request({ method: 'GET', path: '/api/x', host: 'web' }),
  // @ts-expect-error not a query value
  client.request({ method: 'GET', path: '/api/x', query: { at: null } }),
  // @ts-expect-error the schema determines the result's type
  client.request<EmailPlatform.Account>({ method: 'GET', path: '/api/x', schema: totals }),
  // @ts-expect-error not a schema
  client.request({ method: 'GET', path: '/api/x', schema: { parse: (value: unknown) => value } }),
  // @ts-expect-error the SDK's own names are in camel case, and there is no such field
  client.request({ method: 'GET', path: '/api/x', is_repeatable: true }),
  // @ts-expect-error no such option of a call
  client.request({ method: 'GET', path: '/api/x' }, { timeout: 1 }),
];

export const aPage = (page: EmailPlatform.Page<EmailPlatform.Account>): readonly EmailPlatform.Account[] =>
  page.items;
