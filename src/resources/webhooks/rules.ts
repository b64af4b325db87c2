import { late } from '../../kit/late.ts';
import type { KeysOfUnion } from 'type-fest';
import type { Hints } from '../../core/other-names.ts';
import { arrayOf, booleanRule, objectOf, idRule, stringRule, type ObjectRule } from '../../core/rules.ts';
import { updateOf } from '../base/param-rules.ts';
import type { WebhookCreateParams, WebhookUpdateParams } from './types.ts';

const common = late(() => ({
  url: stringRule,
  active: booleanRule,
  payload_format: stringRule,
  event_types: arrayOf(stringRule),
  inbound_inbox_id: idRule,
}));

const OTHER_NAMES: Hints = { events: 'it is `event_types`' };

/**
 * The parameters of `webhooks.create`. Other required fields depend on the type, which may be a new one of the service.
 */
export const webhookCreateRule = late(
  (): ObjectRule<WebhookCreateParams> =>
    objectOf<Record<KeysOfUnion<WebhookCreateParams>, unknown>>(
      { ...common(), webhook_type: stringRule, sending_stream: stringRule, domain_id: idRule },
      ['url', 'webhook_type'],
      undefined,
      OTHER_NAMES,
    ) as ObjectRule<never>,
);
/** The parameters of `webhooks.update`. */
export const webhookUpdateRule = late(() => updateOf<WebhookUpdateParams>(common(), OTHER_NAMES));
