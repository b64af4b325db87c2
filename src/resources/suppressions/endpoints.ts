import { byLastItem, decodersOf, removed } from '../decoders.ts';
import { endpoint, endpointsOf } from '../endpoint.ts';
import { suppressionCreateRule, suppressionListRule } from './rules.ts';
import type { Suppression } from './types.ts';

/** What these endpoints return, by the name of its schema. */
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
