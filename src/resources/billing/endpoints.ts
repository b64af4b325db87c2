import { decodersOf } from '../decoders.ts';
import { endpoint, endpointsOf } from '../endpoint.ts';
import type { BillingUsage } from './types.ts';

/** What these endpoints return, by the name of its schema. */
export interface BillingResponses {
  billingUsage: BillingUsage;
}

const { result } = decodersOf<BillingResponses>();

/** The endpoints of `client.billing`. */
export const billing = endpointsOf('billing', () => ({
  usage: endpoint('GET {account}/billing/usage', result('billingUsage')),
}));
