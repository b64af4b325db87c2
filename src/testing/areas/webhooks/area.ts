import { area } from '../area.ts';
import { webhookControls } from './controls.ts';
import { forwardAll } from './forward.ts';
import { webhookOptions } from './options.ts';
import { Posts } from './posts.ts';
import { webhookRoutes } from './routes.ts';
import { EventSources } from './sources.ts';
import { WebhookStore } from './store.ts';

/** Webhooks, and what they post. */
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
