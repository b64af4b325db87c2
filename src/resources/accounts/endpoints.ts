import { decodersOf, removed } from '../base/decoders.ts';
import { endpoint, endpointsOf } from '../base/endpoint.ts';
import { withKindsIn } from '../base/resource-kinds.ts';
import { accessIdRule, accessListRule, permissionsRule } from './rules.ts';
import type {
  Account,
  AccountAccess,
  PermissionResource,
  PermissionsUpdated,
  RemovedAccess,
} from './types.ts';

/** The results of these endpoints, by the names of their schemas. */
export interface AccountResponses {
  account: Account;
  accountAccessList: AccountAccess[];
  accountList: Account[];
  permissionResourceList: PermissionResource[];
  permissionsUpdated: PermissionsUpdated;
  removedAccess: RemovedAccess;
}

const { list, result } = decodersOf<AccountResponses>();

/** The endpoints of `client.accounts`. */
export const accounts = endpointsOf('accounts', () => {
  const accountList = list('accountList');

  return {
    list: endpoint('GET /api/accounts', accountList),
    /** Some deployments lack the endpoint of one account; the account is then looked up in the list. */
    get: {
      one: endpoint('GET /api/accounts/{id}', result('account')),
      inList: endpoint('GET /api/accounts', accountList, {
        params: accessIdRule(),
        encode: () => ({}),
      }),
    },
  };
});

/** The endpoints of `client.accounts.accesses`. */
export const accesses = endpointsOf('accounts.accesses', () => ({
  list: endpoint('GET {account}/account_accesses', list('accountAccessList', { secrets: ['token'] }), {
    params: accessListRule(),
    // Each form of the path has another name for an inbox and ignores the other name, so both are sent.
    encode: (params) => ({ ...params, sandbox_ids: params.inbox_ids }),
    alsoSends: ['sandbox_ids'],
  }),
  remove: endpoint(
    'DELETE {account}/account_accesses/{id}',
    removed<RemovedAccess>({ schema: 'removedAccess' }),
  ),
}));

/** The endpoints of `client.accounts.permissions`. */
export const permissions = endpointsOf('accounts.permissions', () => {
  const permissionList = list('permissionResourceList');

  return {
    /** The service has one of the two. */
    list: {
      plain: endpoint('GET {account}/permissions', permissionList),
      resources: endpoint('GET {account}/permissions/resources', permissionList),
    },
    updateAll: endpoint(
      'PUT {account}/account_accesses/{accessId}/permissions/bulk',
      result('permissionsUpdated'),
      {
        params: permissionsRule(),
        encode: withKindsIn('permissions'),
        reachesPeople: false,
      },
    ),
  };
});
