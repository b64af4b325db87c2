import type { KeysOfUnion } from 'type-fest';
import { allOf, arrayOf, booleanRule, positiveRule, stringRule } from '../core/rules.ts';
import { paramsOf, updateOf } from './check.ts';
import type { WebhookCreateParams, WebhookUpdateParams } from './webhooks.ts';

const common = {
  url: stringRule,
  active: booleanRule,
  payload_format: stringRule,
  event_types: arrayOf(stringRule),
  inbound_inbox_id: positiveRule,
};

/** What the service needs besides, by the webhook's type. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  email_sending: ['event_types', 'sending_stream'],
  campaigns: ['event_types'],
};

/** The parameters of `webhooks.create`. */
export const webhookCreateRule = allOf(
  paramsOf<Record<KeysOfUnion<WebhookCreateParams>, unknown>>(
    { ...common, webhook_type: stringRule, sending_stream: stringRule, domain_id: positiveRule },
    ['url', 'webhook_type'],
  ),
  (params) => {
    const given = params as Record<string, unknown>;
    return (NEEDED[given.webhook_type as string] ?? [])
      .filter((name) => given[name] === undefined)
      .map((name) => ({ path: `.${name}`, message: 'is required' }));
  },
);
/** The parameters of `webhooks.update`. */
export const webhookUpdateRule = updateOf<WebhookUpdateParams>(common);
