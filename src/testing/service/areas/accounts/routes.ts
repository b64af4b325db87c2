import { isoOrNull } from '../../../encoding/iso.ts';
import { route, type Exchange, type Form } from '../../routing/route.ts';
import { forbidden, notFound, ok, orNotFound } from '../../wire/reply.ts';
import { allows, type TokenRecord } from '../../state/account/tokens.ts';
import type { World } from '../../state/world.ts';
import { writePermissions, levelOf, permissionTree, resourcesIn, typeIn } from './resources.ts';
import type { AccessRecord } from '../../state/account/accounts.ts';

const ACCOUNT = { area: 'account' } as const;

/** The endpoints of accounts, of the people with access to them, and of the resources they can have access to. */
export function accountRoutes(world: World) {
  const { accesses, accountNames, tokens, settings } = world;
  const { permissionsPath, listsTokens } = settings.accounts;
  const accountView = (token: TokenRecord) => ({
    id: token.accountId,
    name: accountNames.of(token.accountId),
    access_levels: [levelOf(token)],
  });
  /** The access in the path, for a request that changes it. Refuses a change of the account owner's access. */
  const changed = ({ params, token }: Exchange, change: 'removed' | 'changed'): AccessRecord => {
    const access = orNotFound(accesses.find(token.accountId, Number(params.id)));
    if (!ownsAccount(access)) return access;
    throw forbidden(`The account owner cannot be ${change}`);
  };
  const permissions =
    (path: 'resources' | 'permissions') =>
    ({ token, form }: Exchange) => {
      // A service without this path responds with 404; clients then try the other one.
      if (permissionsPath !== 'both' && permissionsPath !== path) throw notFound();
      return ok([permissionTree(world, token, form)]);
    };

  return [
    route('GET /accounts', { ...ACCOUNT, forms: ['token'] }, ({ token }) => ok([accountView(token)])),
    route('GET /accounts/{account_id}', { ...ACCOUNT, forms: ['token'] }, ({ token }) =>
      ok(accountView(token)),
    ),
    route('GET /account_accesses', ACCOUNT, ({ token, query, now, form }) => {
      const { accountId } = token;
      const shown = [
        ...accesses.of(accountId).map((access) => accessView(access, token, form)),
        ...(listsTokens ? tokens.list(accountId, now).map((one) => tokenAccessView(one, form)) : []),
      ];
      return ok(shown.filter((one) => meets(one.resources, query, form)));
    }),
    route('DELETE /account_accesses/{id}', ACCOUNT, (exchange) => {
      const access = changed(exchange, 'removed');
      accesses.remove(access);
      return ok({ id: access.id });
    }),
    route('PUT /account_accesses/{id}/permissions/bulk', ACCOUNT, (exchange) => {
      writePermissions(changed(exchange, 'changed'), exchange, world);
      return ok({ message: 'Permissions have been updated!' });
    }),
    route('GET /permissions/resources', ACCOUNT, permissions('resources')),
    route('GET /permissions', ACCOUNT, permissions('permissions')),
  ];
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

/** The access of an API token. Only the endpoints of tokens change it. */
function tokenAccessView({ id, name, createdBy, secret, expiresAt, resources }: TokenRecord, form: Form) {
  return {
    id,
    specifier_type: 'ApiToken',
    specifier: {
      id,
      name,
      author_name: createdBy,
      token: secret,
      expires_at: isoOrNull(expiresAt),
    },
    resources: resourcesIn(form, resources),
    permissions: { can_read: true, can_update: false, can_destroy: false, can_leave: false },
  };
}

/** Whether an access matches the filters by resource. A missing filter matches everything. */
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
