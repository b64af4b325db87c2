import { decodersOf } from '../base/decoders.ts';
import { endpoint, endpointsOf } from '../base/endpoint.ts';
import type { RequestContext } from '../../core/request.ts';
import { statsRule } from './rules.ts';
import type {
  CategoryStats,
  DateStats,
  DomainStats,
  EmailServiceProviderStats,
  EmailStats,
  StatsParams,
} from './types.ts';

/** The results of these endpoints, by the names of their schemas. */
export interface StatsResponses {
  categoryStatsList: CategoryStats[];
  dateStatsList: DateStats[];
  domainStatsList: DomainStats[];
  emailServiceProviderStatsList: EmailServiceProviderStats[];
  emailStats: EmailStats;
}

const { array, result } = decodersOf<StatsResponses>();

/** The endpoints of `client.stats`. */
export const stats = endpointsOf('stats', () => {
  /** The ids of domains have another name under an account. */
  const query = {
    params: statsRule(),
    encode: ({ domain_ids, ...others }: StatsParams, { accountId }: RequestContext) => ({
      ...others,
      [accountId === undefined ? 'domain_ids' : 'sending_domain_ids']: domain_ids,
    }),
    alsoSends: ['sending_domain_ids'],
  };

  return {
    get: endpoint('GET {account}/stats', result('emailStats'), {
      ...query,
    }),
    byDomain: endpoint(
      'GET {account}/stats/domains',
      array('domainStatsList', { alsoNamed: { domain_id: 'sending_domain_id' } }),
      {
        ...query,
      },
    ),
    byCategory: endpoint('GET {account}/stats/categories', array('categoryStatsList'), {
      ...query,
    }),
    byEmailServiceProvider: endpoint(
      'GET {account}/stats/email_service_providers',
      array('emailServiceProviderStatsList'),
      {
        ...query,
      },
    ),
    byDate: endpoint('GET {account}/stats/date', array('dateStatsList'), {
      ...query,
    }),
  };
});
