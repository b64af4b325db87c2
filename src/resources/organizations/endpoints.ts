import { decodersOf, nothing } from '../base/decoders.ts';
import { endpoint, endpointsOf } from '../base/endpoint.ts';
import { nameRule } from '../base/param-rules.ts';
import type { SubAccount } from './types.ts';

/** The results of these endpoints, by the names of their schemas. */
export interface SubAccountResponses {
  subAccount: SubAccount;
  subAccountList: SubAccount[];
}

const { list, result } = decodersOf<SubAccountResponses>();

/** The endpoints of `client.organizations.subAccounts`. */
export const subAccounts = endpointsOf('organizations.subAccounts', () => ({
  list: endpoint('GET /api/organizations/{organizationId}/sub_accounts', list('subAccountList')),
  create: endpoint('POST /api/organizations/{organizationId}/sub_accounts', result('subAccount'), {
    params: nameRule(),
    wrapper: 'account',
    reachesPeople: false,
  }),
  delete: endpoint('DELETE /api/organizations/{organizationId}/sub_accounts/{id}', nothing, {
    deletesAccount: true,
  }),
}));
