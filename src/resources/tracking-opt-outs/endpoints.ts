import { byLastId, decodersOf, removed } from '../base/decoders.ts';
import { endpoint, endpointsOf } from '../base/endpoint.ts';
import { optOutCreateRule, suppressionListRule } from '../suppressions/rules.ts';
import type { TrackingOptOut, TrackingOptOutPage } from '../suppressions/types.ts';

/** The results of these endpoints, by the names of their schemas. */
export interface TrackingOptOutResponses {
  trackingOptOut: TrackingOptOut;
  trackingOptOutPage: TrackingOptOutPage;
}

const { list, result } = decodersOf<TrackingOptOutResponses>();

/** The endpoints of `client.trackingOptOuts`. */
export const trackingOptOuts = endpointsOf('trackingOptOuts', () => ({
  list: endpoint('GET /api/tracking_opt_outs', list('trackingOptOutPage', { field: 'data' }, byLastId), {
    params: suppressionListRule(),
  }),
  create: endpoint('POST /api/tracking_opt_outs', result('trackingOptOut', { field: 'data' }), {
    params: optOutCreateRule(),
    reachesPeople: false,
  }),
  delete: endpoint('DELETE /api/tracking_opt_outs/{id:uuid}', removed<Pick<TrackingOptOut, 'id'>>()),
}));
