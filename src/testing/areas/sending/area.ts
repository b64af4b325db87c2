import { area } from '../area.ts';
import { sendingControls } from './controls.ts';
import { InboxLimiter } from './inbox-limiter.ts';
import { sendingOptions } from './options.ts';
import { Outbox } from './outbox.ts';
import { sendingRoutes } from './routes.ts';

/** Sending on the two streams and to test inboxes. */
export const sending = area<'outbox' | 'inboxLimiter', 'sending'>({
  name: 'sending',
  options: { sending: sendingOptions },
  keep: (world) => ({
    outbox: new Outbox(world.state, world.settings.sending.keep, world.arrivals),
    inboxLimiter: new InboxLimiter(world),
  }),
  routes: sendingRoutes,
  controls: sendingControls,
});
