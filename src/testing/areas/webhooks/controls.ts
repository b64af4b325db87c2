import { copied, oneOf, jsonObject, positive } from '../../checks/kind.ts';
import { control, needed, reading } from '../../control.ts';
import type { EmulatorWebhooks } from '../../emulator-types.ts';
import { WEBHOOK_TYPES } from './store.ts';

/** What a test can do to webhooks, and see of them. */
export const webhookControls = {
  'webhooks.signatureHeader': reading(({ settings }) => settings.webhooks.signatureHeader),
  'webhooks.posts': reading(({ posts }) => posts.made),
  'webhooks.settled': control<EmulatorWebhooks['settled']>({}, ({ posts }) => posts.settled()),
  'webhooks.flush': control<EmulatorWebhooks['flush']>({}, ({ posts }) => posts.flush()),
  'webhooks.redeliver': control<EmulatorWebhooks['redeliver']>({ id: needed(positive) }, ({ posts }, id) =>
    posts.redeliver(id),
  ),
  'webhooks.emit': control<EmulatorWebhooks['emit']>(
    { type: needed(oneOf(WEBHOOK_TYPES)), event: needed(jsonObject) },
    ({ sources, accountId, clock }, type, event) => {
      const now = clock.now();
      sources.emit(accountId, type, { timestamp: Math.floor(now / 1000), ...copied(event) }, now);
    },
  ),
};
