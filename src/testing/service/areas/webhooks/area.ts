import { copied, jsonObject, oneOf, positive } from '../../../declare/kind.ts';
import { control, needed, reading } from '../../routing/control.ts';
import type { EmulatorWebhooks } from './control-types.ts';
import { area } from '../../routing/area.ts';
import { forwardAll } from './forward.ts';
import { Posts } from '../../state/posts/posts.ts';
import { webhookRoutes } from './routes.ts';
import { EventSources } from '../../state/posts/event-sources.ts';
import { WEBHOOK_TYPES, webhookOptions, WebhookStore } from '../../state/posts/webhooks.ts';

/** The controls of webhooks. */
const webhookControls = {
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

/** Webhooks and their posts. */
export const webhooks = area<'webhooks' | 'posts' | 'sources', 'webhooks'>({
  name: 'webhooks',
  options: { webhooks: webhookOptions },
  keep: (world) => {
    const store = new WebhookStore(world);
    const { forward } = world.settings.webhooks;
    if (forward !== undefined) forwardAll(store, world.accountId, forward);
    const posts = new Posts(world);
    const { streams } = world;
    const parts = {
      webhooks: store,
      posts,
      streams,
      domainName: (id: number) => world.domains.anywhere(id)?.name ?? '',
    };
    return { webhooks: store, posts, sources: new EventSources(parts) };
  },
  routes: webhookRoutes,
  controls: webhookControls,
});
