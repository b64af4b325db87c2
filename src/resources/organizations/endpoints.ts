import { list, result } from '../decoders.ts';
import { endpoint, endpointsOf } from '../endpoint.ts';
import { nameRule } from '../param-rules.ts';

/** The endpoints of `client.organizations.subAccounts`. */
export const subAccounts = endpointsOf('organizations.subAccounts', {
  list: endpoint('GET /api/organizations/{organizationId}/sub_accounts', list('subAccountList'), {
    source: 'referenced, recorded',
  }),
  create: endpoint('POST /api/organizations/{organizationId}/sub_accounts', result('subAccount'), {
    source: 'referenced, recorded',
    params: nameRule,
    wrapper: 'account',
    reachesPeople: false,
  }),
});
