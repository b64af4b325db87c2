import { EVENT_TYPES } from '../../state/posts/event-sources.ts';
import { type EmulatorForwarding, WEBHOOK_TYPES, type WebhookStore } from '../../state/posts/webhooks.ts';

/**
 * Adds a webhook of each type, and one for each sending stream, so that all events are posted. Skips webhooks that a
 * restored state already has.
 */
export function forwardAll(
  webhooks: WebhookStore,
  accountId: number,
  { url, secret }: EmulatorForwarding,
): void {
  const settings = { url, active: true, format: 'json', eventTypes: EVENT_TYPES, inboxId: null } as const;
  const known = webhooks.of(accountId).filter((one) => one.settings.url === url && one.secret === secret);
  for (const type of WEBHOOK_TYPES) {
    for (const stream of type === 'email_sending' ? ['transactional', 'bulk'] : [null]) {
      if (known.some((one) => one.type === type && one.stream === stream)) continue;
      webhooks.add({ accountId, type, stream, domainId: null, settings }, secret);
    }
  }
}
