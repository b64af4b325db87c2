import * as z from 'zod';
import type { BatchResponse } from './types.ts';
import type { SendingResponses } from './endpoints.ts';
import type { SchemaFor, SchemaOf } from '../base/schema-of.ts';

/** The result of `sending.send`. */
export const sendResult = z.looseObject({
  success: z.literal(true),
  // The service may leave them out; results always have them.
  message_ids: z.array(z.string()).default(() => []),
}) satisfies SchemaFor<SendingResponses['sendResult']>;

/** The outcome of one email of a batch. */
export const batchResponse = z.looseObject({
  success: z.boolean(),
  // The service leaves them out for an email it rejects; results always have them.
  message_ids: z.array(z.string()).default(() => []),
  errors: z.array(z.string()).optional(),
}) satisfies SchemaOf<BatchResponse>;

/** The result of `sending.batch`. */
export const batchResult = z.looseObject({
  success: z.boolean(),
  responses: z.array(batchResponse),
  errors: z.array(z.string()).optional(),
}) satisfies SchemaFor<SendingResponses['batchResult']>;
