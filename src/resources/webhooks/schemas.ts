import * as z from 'zod';
import { issuesIn } from '../base/schema-issues.ts';
import type { WebhookResponses } from './endpoints.ts';
import type { SchemaFor } from '../base/schema-of.ts';

/** The fields that only a webhook of the audit log may lack. */
const aboutSending = z.looseObject({
  sending_stream: z.string().nullable(),
  domain_id: z.int().nullable(),
  event_types: z.array(z.string()),
});

const fields = z.looseObject({
  id: z.int(),
  url: z.string(),
  active: z.boolean(),
  webhook_type: z.string(),
  payload_format: z.string(),
  sending_stream: z.string().nullish(),
  domain_id: z.int().nullish(),
  inbound_inbox_id: z.int().nullish(),
  event_types: z.array(z.string()).nullish(),
});

const checkSending: z.core.CheckFn<z.infer<typeof fields>> = ({ value, issues }) => {
  if (value.webhook_type !== 'audit_log') issues.push(...issuesIn(aboutSending, value));
};

/** A webhook: the result of `webhooks.get` and `webhooks.update`. */
export const webhook = fields.check(checkSending) satisfies SchemaFor<WebhookResponses['webhook']>;

// `safeExtend`, which would keep the check of `webhook`, is of Zod 4.1.
/** A new webhook with its secret: the result of `webhooks.create`. */
export const createdWebhook = fields
  .extend({ signing_secret: z.string() })
  .check(checkSending) satisfies SchemaFor<WebhookResponses['createdWebhook']>;

/** The response of `webhooks.list`. */
export const webhookPage = z.looseObject({ data: z.array(webhook) }) satisfies SchemaFor<
  WebhookResponses['webhookPage']
>;
