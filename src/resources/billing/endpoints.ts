import { decodersOf } from '../base/decoders.ts';
import { endpoint, endpointsOf } from '../base/endpoint.ts';
import type { BillingUsage } from './types.ts';

/** The results of these endpoints, by the names of their schemas. */
export interface BillingResponses {
  billingUsage: BillingUsage;
}

const { result } = decodersOf<BillingResponses>();

/** The endpoints of `client.billing`. */
export const billing = endpointsOf('billing', () => ({
  usage: endpoint('GET {account}/billing/usage', result('billingUsage')),
}));
