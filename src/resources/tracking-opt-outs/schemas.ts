import * as z from 'zod';
import type { TrackingOptOutResponses } from './endpoints.ts';
import type { SchemaFor } from '../base/schema-of.ts';

/** An address that is not tracked: the result of `trackingOptOuts.create`. */
export const trackingOptOut = z.looseObject({
  id: z.string(),
  email: z.string(),
  created_at: z.string(),
  domain_name: z.string().nullish(),
}) satisfies SchemaFor<TrackingOptOutResponses['trackingOptOut']>;

/** The response of `trackingOptOuts.list`: one page. */
export const trackingOptOutPage = z.looseObject({
  data: z.array(trackingOptOut),
  last_id: z.string().nullable(),
}) satisfies SchemaFor<TrackingOptOutResponses['trackingOptOutPage']>;
