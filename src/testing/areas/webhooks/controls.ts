import {
  arrayOf,
  copied,
  mapOf,
  number,
  objectOf,
  oneOf,
  or,
  jsonObject,
  positive,
  text,
  time,
} from '../../checks/kind.ts';
import { control, needed, reading } from '../../control.ts';
import type { EmulatorWebhooks } from '../../emulator-types.ts';
import type { EmulatorWebhookPost } from './post.ts';
import { WEBHOOK_TYPES } from './store.ts';

const webhookPost = objectOf<EmulatorWebhookPost>(
  {
    id: positive,
    webhookId: positive,
    url: text,
    at: time,
    attempt: positive,
    headers: mapOf(text),
    body: text,
    status: or(number('a status', Number.isInteger, 'integer'), null),
  },
  'all',
);

/** What a test can do to webhooks, and see of them. */
export const webhookControls = {
  'webhooks.signatureHeader': reading(
    { line: 'GET /webhooks/signature-header', as: 'name' },
    'The name of the header with the signature.',
    text,
    ({ settings }) => settings.webhooks.signatureHeader,
  ),
  'webhooks.posts': reading(
    { line: 'GET /webhooks/posts', as: 'posts' },
    'The most recent posts, oldest first.',
    arrayOf('posts', webhookPost),
    ({ posts }) => posts.made,
  ),
  'webhooks.settled': control<EmulatorWebhooks['settled']>(
    { line: 'POST /webhooks/settled' },
    'Resolves when every post that is due has been made and its response has arrived.',
    {},
    undefined,
    ({ posts }) => posts.settled(),
  ),
  'webhooks.flush': control<EmulatorWebhooks['flush']>(
    { line: 'POST /webhooks/flush' },
    'Posts what has happened up to now, without the 30 seconds in which events are gathered.',
    {},
    undefined,
    ({ posts }) => posts.flush(),
  ),
  'webhooks.redeliver': control<EmulatorWebhooks['redeliver']>(
    { line: 'POST /webhooks/posts/{id}/redeliver', as: 'post' },
    'Makes a post once more, and returns it with its response.',
    { id: needed(positive) },
    webhookPost,
    ({ posts }, id) => posts.redeliver(id),
  ),
  'webhooks.emit': control<EmulatorWebhooks['emit']>(
    { line: 'POST /webhooks/events' },
    'Adds an event to every webhook of a type.',
    { type: needed(oneOf(WEBHOOK_TYPES)), event: needed(jsonObject) },
    undefined,
    ({ sources, accountId, clock }, type, event) => {
      const now = clock.now();
      sources.emit(accountId, type, { timestamp: Math.floor(now / 1000), ...copied(event) }, now);
    },
  ),
};
