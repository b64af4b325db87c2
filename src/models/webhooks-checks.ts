import type { KeysOfUnion } from 'type-fest';
import type { Issue } from '../core/errors.ts';
import { allOf, arrayOf, booleanRule, positiveRule, stringRule } from '../core/rules.ts';
import { paramIssues, paramsOf, updateOf } from './check.ts';
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

const createRule = allOf(
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
const updateRule = updateOf<WebhookUpdateParams>(common);

/** What is wrong with the parameters of `webhooks.create`. */
export const webhookCreateIssues = (params: unknown): Issue[] => paramIssues(createRule, params);
/** What is wrong with the parameters of `webhooks.update`. */
export const webhookUpdateIssues = (params: unknown): Issue[] => paramIssues(updateRule, params);
