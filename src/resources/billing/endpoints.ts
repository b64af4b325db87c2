import { result } from '../decoders.ts';
import { endpoint, endpointsOf } from '../endpoint.ts';

/** The endpoints of `client.billing`. */
export const billing = endpointsOf('billing', {
  usage: endpoint('GET {account}/billing/usage', result('billingUsage'), { source: 'referenced, recorded' }),
});
