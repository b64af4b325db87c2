import { decodersOf, removed } from '../decoders.ts';
import { endpoint, endpointsOf } from '../endpoint.ts';
import { withKindsIn } from '../resource-kinds.ts';
import { accessListRule, idRule, permissionsRule } from './rules.ts';
import type {
  Account,
  AccountAccess,
  PermissionResource,
  PermissionsUpdated,
  RemovedAccess,
} from './types.ts';

/** What these endpoints return, by the name of its schema. */
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
    /** Not every deployment has the endpoint of one account; where it is missing, the account is looked up in the list. */
    get: {
      one: endpoint('GET /api/accounts/{id}', result('account')),
      inList: endpoint('GET /api/accounts', accountList, {
        params: idRule(),
        encode: () => ({}),
      }),
    },
  };
});

/** The endpoints of `client.accounts.accesses`. */
export const accesses = endpointsOf('accounts.accesses', () => ({
  list: endpoint('GET {account}/account_accesses', list('accountAccessList', { secrets: ['token'] }), {
    params: accessListRule(),
    // An inbox has another name in each form of the path, which ignores the name it does not know.
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
