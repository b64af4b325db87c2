import { notFound, ok, Refusal, type Area, type Exchange, type Route } from '../../route.ts';
import { allows, type TokenRecord, type Tokens } from '../../tokens.ts';
import { inBothForms, type Form } from '../forms.ts';
import type { EmulatorAccountOptions } from './options.ts';
import { writePermissions } from './permissions.ts';
import { levelOf, permissionTree, typeIn, type ResourceStores } from './resources.ts';
import type { AccessRecord, AccessResource, AccessStore, AccountNames } from './store.ts';

/** What accounts need of the other areas. */
export interface AccountParts extends ResourceStores {
  readonly accesses: AccessStore;
  readonly names: AccountNames;
  readonly permissionsPath: NonNullable<EmulatorAccountOptions['permissionsPath']>;
  /** The API tokens to list among the accesses; `undefined` to list none. */
  readonly listedTokens: Tokens | undefined;
}

/** Accounts, the people with access to them, and the resources they can have access to. */
export function createAccounts(parts: AccountParts): Area {
  const { accesses, names, permissionsPath, listedTokens } = parts;
  const accountView = (token: TokenRecord) => ({
    id: token.accountId,
    name: names.of(token.accountId),
    access_levels: [levelOf(token)],
  });
  const found = ({ params, token }: Exchange): AccessRecord => {
    const access = accesses.find(token.accountId, Number(params.id));
    if (access === undefined) throw notFound();
    return access;
  };
  const list = (form: Form): Omit<Route, 'path'> => ({
    method: 'GET',
    permission: ['account', 'viewer'],
    handler: ({ token, query, now }) => {
      const { accountId } = token;
      const shown = [
        ...accesses.list(accountId).map((access) => accessView(access, token, form)),
        ...(listedTokens?.list(accountId, now) ?? []).map((one) => tokenAccessView(one, form)),
      ];
      return ok(shown.filter((one) => meets(one.resources, query, form)));
    },
  });
  const permissions =
    (path: 'resources' | 'permissions') =>
    (form: Form): Omit<Route, 'path'> => ({
      method: 'GET',
      permission: ['account', 'viewer'],
      handler: ({ token }) => {
        // A service without this path responds with 404, and clients look for the other one.
        if (permissionsPath !== 'both' && permissionsPath !== path) throw notFound();
        return ok([permissionTree(parts, token, form)]);
      },
    });

  return {
    routes: [
      {
        method: 'GET',
        path: '/api/accounts',
        permission: ['account', 'viewer'],
        handler: ({ token }) => ok([accountView(token)]),
      },
      {
        method: 'GET',
        path: '/api/accounts/:account_id',
        permission: ['account', 'viewer'],
        handler: ({ token }) => ok(accountView(token)),
      },
      ...inBothForms('/account_accesses', list),
      ...inBothForms('/account_accesses/:id', () => ({
        method: 'DELETE',
        permission: ['account', 'admin'],
        handler: (exchange: Exchange) => {
          const access = found(exchange);
          if (ownsAccount(access))
            throw new Refusal({ status: 403, json: { errors: 'The account owner cannot be removed' } });
          accesses.remove(access.id);
          return ok({ id: access.id });
        },
      })),
      ...inBothForms('/account_accesses/:id/permissions/bulk', (form) => ({
        method: 'PUT',
        permission: ['account', 'admin'],
        handler: (exchange: Exchange) => {
          const access = found(exchange);
          if (ownsAccount(access))
            throw new Refusal({ status: 403, json: { errors: 'The account owner cannot be changed' } });
          writePermissions(access, exchange, parts, form);
          return ok({ message: 'Permissions have been updated!' });
        },
      })),
      ...inBothForms('/permissions/resources', permissions('resources')),
      ...inBothForms('/permissions', permissions('permissions')),
    ],
  };
}

const ownsAccount = ({ resources }: AccessRecord) =>
  resources.some(({ access_level }) => access_level === 1000);

function accessView(access: AccessRecord, token: TokenRecord, form: Form) {
  const admin = allows(token, 'account', 'admin');
  const owner = ownsAccount(access);
  return {
    id: access.id,
    specifier_type: access.type,
    specifier: access.specifier,
    resources: resourcesIn(form, access.resources),
    permissions: {
      can_read: true,
      can_update: admin && !owner,
      can_destroy: admin && !owner,
      can_leave: !owner,
    },
  };
}

const resourcesIn = (form: Form, resources: readonly AccessResource[]) =>
  resources.map((one) => ({ ...one, resource_type: typeIn(form, one.resource_type) }));

/** The access of an API token. It is changed where tokens are. */
function tokenAccessView({ id, name, createdBy, secret, expiresAt, resources }: TokenRecord, form: Form) {
  return {
    id,
    specifier_type: 'ApiToken',
    specifier: {
      id,
      name,
      author_name: createdBy,
      token: secret,
      expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    },
    resources: resourcesIn(form, resources),
    permissions: { can_read: true, can_update: false, can_destroy: false, can_leave: false },
  };
}

/** Whether an access matches the filters by resource. A filter that is not given matches everything. */
function meets(
  resources: readonly { resource_type: string; resource_id: number }[],
  query: URLSearchParams,
  form: Form,
): boolean {
  return ['project', 'sandbox', 'domain'].every((type) => {
    const name = type === 'sandbox' && form === 'account' ? 'inbox' : type;
    const ids = query.getAll(`${name}_ids[]`);
    if (ids.length === 0) return true;
    return resources.some(
      ({ resource_type, resource_id }) =>
        resource_type === typeIn(form, type) && ids.includes(String(resource_id)),
    );
  });
}
