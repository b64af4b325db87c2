import * as z from 'zod';
import type { SuppressionResponses } from './endpoints.ts';
import type { SchemaFor } from '../base/schema-of.ts';

// Null without a message, and empty in older suppressions; dates too.
const text = z.string().nullable();

/** A suppressed address: the result of `suppressions.create`. */
export const suppression = z.looseObject({
  id: z.string(),
  type: z.string(),
  created_at: z.string(),
  email: z.string(),
  sending_stream: z.string(),
  domain_name: text,
  message_bounce_category: text,
  message_category: text,
  message_client_ip: text,
  message_created_at: text,
  message_esp_response: text.optional(),
  message_esp_server_type: text.optional(),
  message_outgoing_ip: text,
  message_recipient_mx_name: text,
  message_sender_email: text,
  message_subject: text,
}) satisfies SchemaFor<SuppressionResponses['suppression']>;

/** The response of `suppressions.list`: one page. */
export const suppressionList = z.array(suppression) satisfies SchemaFor<
  SuppressionResponses['suppressionList']
>;
