import { notFound, ok, Refusal, type Area, type Exchange, type Route } from '../../route.ts';
import { allows, type TokenRecord } from '../../tokens.ts';
import type { DomainStore } from '../domains/store.ts';
import { inBothForms, type Form } from '../forms.ts';
import type { InboxStore } from '../sandbox/store.ts';
import type { EmulatorAccountOptions } from './options.ts';
import type { AccessRecord, AccessStore } from './store.ts';

/** What accounts need of the other areas. */
export interface AccountParts {
  readonly accesses: AccessStore;
  readonly domains: DomainStore;
  readonly inboxes: InboxStore;
  readonly permissionsPath: NonNullable<EmulatorAccountOptions['permissionsPath']>;
}

/** The types of resources that have another name in the form of the path that names the account. */
const ACCOUNT_FORM_TYPES: Readonly<Record<string, string>> = { domain: 'sending_domain', sandbox: 'inbox' };
const typeIn = (form: Form, type: string) => (form === 'account' ? (ACCOUNT_FORM_TYPES[type] ?? type) : type);

/** Accounts, the people with access to them, and the resources they can have access to. */
export function createAccounts(parts: AccountParts): Area {
  const { accesses, permissionsPath } = parts;
  const list = (form: Form): Omit<Route, 'path'> => ({
    method: 'GET',
    permission: ['account', 'viewer'],
    handler: ({ token, query }) => {
      const shown = accesses.list(token.accountId).map((access) => accessView(access, token, form));
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
        handler: ({ params, token }: Exchange) => {
          const access = accesses.find(token.accountId, Number(params.id));
          if (access === undefined) throw notFound();
          if (ownsAccount(access))
            throw new Refusal({ status: 403, json: { errors: 'The account owner cannot be removed' } });
          accesses.remove(access.id);
          return ok({ id: access.id });
        },
      })),
      ...inBothForms('/permissions/resources', permissions('resources')),
      ...inBothForms('/permissions', permissions('permissions')),
    ],
  };
}

const levelOf = (token: TokenRecord) => (allows(token, 'account', 'admin') ? 100 : 10);

function accountView(token: TokenRecord) {
  return { id: token.accountId, name: `Account ${token.accountId}`, access_levels: [levelOf(token)] };
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
    resources: access.resources.map((resource) => ({
      ...resource,
      resource_type: typeIn(form, resource.resource_type),
    })),
    permissions: {
      can_read: true,
      can_update: admin && !owner,
      can_destroy: admin && !owner,
      can_leave: !owner,
    },
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

interface Resource {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly access_level: number;
  readonly resources: readonly Resource[];
}

function permissionTree({ domains, inboxes }: AccountParts, token: TokenRecord, form: Form): Resource {
  const access_level = levelOf(token);
  const leaf = (id: number, name: string, type: string): Resource => ({
    id,
    name,
    type: typeIn(form, type),
    access_level,
    resources: [],
  });
  const { accountId } = token;
  return {
    ...leaf(accountId, `Account ${accountId}`, 'account'),
    resources: [
      leaf(accountId, 'Billing', 'billing'),
      ...domains.of(accountId).map(({ id, name }) => leaf(id, name, 'domain')),
      ...inboxes.projects(accountId).map((project) => ({
        ...leaf(project.id, project.name, 'project'),
        resources: inboxes.within(project).map(({ id, name }) => leaf(id, name, 'sandbox')),
      })),
    ],
  };
}
