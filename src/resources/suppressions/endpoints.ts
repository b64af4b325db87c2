import { byLastItem, decodersOf, removed } from '../base/decoders.ts';
import { endpoint, endpointsOf } from '../base/endpoint.ts';
import { suppressionCreateRule, suppressionListRule } from './rules.ts';
import type { Suppression } from './types.ts';

/** The results of these endpoints, by the names of their schemas. */
export interface SuppressionResponses {
  suppression: Suppression;
  suppressionList: Suppression[];
}

const { list, result } = decodersOf<SuppressionResponses>();

/** The endpoints of `client.suppressions`. */
export const suppressions = endpointsOf('suppressions', () => ({
  list: endpoint('GET {account}/suppressions', list('suppressionList', {}, byLastItem), {
    params: suppressionListRule(),
  }),
  create: endpoint('POST {account}/suppressions', result('suppression', { field: 'data' }), {
    params: suppressionCreateRule(),
    reachesPeople: false,
  }),
  delete: endpoint('DELETE {account}/suppressions/{id:uuid}', removed<Pick<Suppression, 'id'>>()),
}));
