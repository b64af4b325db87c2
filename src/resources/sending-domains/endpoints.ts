import { decodersOf, nothing } from '../base/decoders.ts';
import { endpoint, endpointsOf } from '../base/endpoint.ts';
import { companyCreateRule, companyUpdateRule } from './company-info-rules.ts';
import { domainCreateRule, domainSetupRule, domainUpdateRule } from './rules.ts';
import type { CompanyInfo } from './company-info-types.ts';
import type { SendingDomain, SendingDomainPage } from './types.ts';

/** The results of these endpoints, by the names of their schemas. */
export interface SendingDomainResponses {
  companyInfo: CompanyInfo;
  sendingDomain: SendingDomain;
  sendingDomainPage: SendingDomainPage;
}

const { list, result } = decodersOf<SendingDomainResponses>();

/** The endpoints of `client.sendingDomains`. */
export const sendingDomains = endpointsOf('sendingDomains', () => {
  const domain = result('sendingDomain');

  return {
    list: endpoint('GET {account}/{domains|sending_domains}', list('sendingDomainPage', { field: 'data' })),
    create: endpoint('POST {account}/{domains|sending_domains}', domain, {
      params: domainCreateRule(),
      wrapper: 'domain|sending_domain',
      reachesPeople: false,
    }),
    get: endpoint('GET {account}/{domains|sending_domains}/{id}', domain),
    update: endpoint('PATCH {account}/{domains|sending_domains}/{id}', domain, {
      params: domainUpdateRule(),
      wrapper: 'domain|sending_domain',
      repeatable: 'sets fields to the values given; the second time they have them already',
      reachesPeople: false,
    }),
    delete: endpoint('DELETE {account}/{domains|sending_domains}/{id}', nothing),
    sendSetupInstructions: endpoint(
      'POST {account}/{domains|sending_domains}/{id}/send_setup_instructions',
      nothing,
      {
        params: domainSetupRule(),
        reachesPeople: { kind: 'address', field: 'email' },
      },
    ),
  };
});

/** The endpoints of `client.sendingDomains.companyInfo`. */
export const companyInfo = endpointsOf('sendingDomains.companyInfo', () => {
  const info = result('companyInfo', {
    field: 'data',
    written: ['website_url', 'privacy_policy_url', 'terms_of_service_url'],
  });

  return {
    get: endpoint('GET {account}/{domains|sending_domains}/{domainId}/company_info', info),
    create: endpoint('POST {account}/{domains|sending_domains}/{domainId}/company_info', info, {
      params: companyCreateRule(),
      wrapper: 'company_info',
      reachesPeople: false,
    }),
    update: endpoint('PATCH {account}/{domains|sending_domains}/{domainId}/company_info', info, {
      params: companyUpdateRule(),
      wrapper: 'company_info',
      repeatable: 'sets fields to the values given; the second time they have them already',
      reachesPeople: false,
    }),
  };
});
