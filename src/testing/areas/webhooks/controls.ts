import { anything, oneOf, plainObject, text } from '../../checks/kind.ts';
import { control, needed, reading } from '../../control.ts';
import type { EmulatorWebhooks } from '../../emulator-types.ts';
import { WEBHOOK_TYPES } from './store.ts';

/** What a test can do to webhooks, and see of them. */
export const webhookControls = {
  'webhooks.signatureHeader': reading(
    'The name of the header with the signature.',
    text,
    ({ settings }) => settings.webhooks.signatureHeader,
  ),
  'webhooks.posts': reading('The most recent posts, oldest first.', anything, ({ posts }) => posts.made),
  'webhooks.settled': control<EmulatorWebhooks['settled']>(
    'Resolves when every post that is due has been made and its response has arrived.',
    {},
    undefined,
    ({ posts }) => posts.settled(),
  ),
  'webhooks.emit': control<EmulatorWebhooks['emit']>(
    'Adds an event to every webhook of a type.',
    { type: needed(oneOf(WEBHOOK_TYPES)), event: needed(plainObject) },
    undefined,
    ({ sources, accountId, clock }, type, event) => {
      const now = clock.now();
      sources.emit(accountId, type, { timestamp: Math.floor(now / 1000), ...event }, now);
    },
  ),
};
