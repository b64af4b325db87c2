import {
  arrayOf,
  copied,
  jsonObject,
  mapOf,
  number,
  objectOf,
  oneOf,
  or,
  positive,
  text,
  time,
} from '../../../declare/kind.ts';
import { control, needed, reading } from '../../routing/control.ts';
import type { EmulatorWebhooks } from './control-types.ts';
import { area } from '../../routing/area.ts';
import { type EmulatorWebhookPost, Posts } from '../../state/posts/posts.ts';
import { webhookRoutes } from './routes.ts';
import { EVENT_TYPES, EventSources } from '../../state/posts/event-sources.ts';
import {
  type EmulatorForwarding,
  WEBHOOK_TYPES,
  webhookOptions,
  WebhookStore,
} from '../../state/posts/webhooks.ts';

const post = objectOf<EmulatorWebhookPost>(
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

/** The controls of webhooks. */
const webhookControls = {
  'webhooks.signatureHeader': reading(
    'GET /webhooks/signature-header',
    { returns: text, as: 'name' },
    ({ settings }) => settings.webhooks.signatureHeader,
  ),
  'webhooks.posts': reading(
    'GET /webhooks/posts',
    { returns: arrayOf('posts', post), as: 'posts' },
    ({ posts }) => [...posts.made],
  ),
  'webhooks.settled': control<EmulatorWebhooks['settled']>('POST /webhooks/settled', {}, ({ posts }) =>
    posts.settled(),
  ),
  'webhooks.flush': control<EmulatorWebhooks['flush']>('POST /webhooks/flush', {}, ({ posts }) =>
    posts.flush(),
  ),
  'webhooks.redeliver': control<EmulatorWebhooks['redeliver']>(
    'POST /webhooks/posts/{id}/redeliver',
    { takes: { id: needed(positive) }, returns: post, as: 'post' },
    ({ posts }, id) => posts.redeliver(id),
  ),
  'webhooks.emit': control<EmulatorWebhooks['emit']>(
    'POST /webhooks/events',
    { takes: { type: needed(oneOf(WEBHOOK_TYPES)), event: needed(jsonObject) } },
    ({ sources, accountId, clock }, type, event) => {
      const now = clock.now();
      sources.emit(accountId, type, { timestamp: Math.floor(now / 1000), ...copied(event) }, now);
    },
  ),
};

/** Webhooks and their posts. */
export const webhooks = area<'webhooks' | 'posts' | 'sources', 'webhooks'>({
  name: 'webhooks',
  options: { webhooks: webhookOptions },
  keep: (world) => {
    const store = new WebhookStore(world);
    const { forward } = world.settings.webhooks;
    if (forward !== undefined) forwardAll(store, world.accountId, forward);
    const own = { webhooks: store, posts: new Posts(world) };
    return { ...own, sources: new EventSources({ ...own, streams: world.streams, domains: world.domains }) };
  },
  routes: webhookRoutes,
  controls: webhookControls,
});

/**
 * Adds a webhook of each type, and one for each sending stream, so that all events are posted. Skips webhooks that a
 * restored state already has.
 */
function forwardAll(webhooks: WebhookStore, accountId: number, { url, secret }: EmulatorForwarding): void {
  const settings = { url, active: true, format: 'json', eventTypes: EVENT_TYPES, inboxId: null } as const;
  const known = webhooks.of(accountId).filter((one) => one.settings.url === url && one.secret === secret);
  for (const type of WEBHOOK_TYPES) {
    for (const stream of type === 'email_sending' ? ['transactional', 'bulk'] : [null]) {
      if (known.some((one) => one.type === type && one.stream === stream)) continue;
      webhooks.add({ accountId, type, stream, domainId: null, settings }, secret);
    }
  }
}
