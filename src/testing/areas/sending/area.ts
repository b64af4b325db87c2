import { anything } from '../../checks/kind.ts';
import { control } from '../../control.ts';
import { area } from '../area.ts';
import { InboxLimiter } from './inbox-limiter.ts';
import { sendingOptions } from './options.ts';
import { Outbox, type EmulatorMessage } from './outbox.ts';
import { sendingRoutes } from './routes.ts';

/** Sending on the two streams and to test inboxes. */
export const sending = area<'outbox' | 'inboxLimiter', 'sending'>({
  name: 'sending',
  options: { sending: sendingOptions },
  keep: (world) => ({
    outbox: new Outbox(world.settings.sending.keep),
    inboxLimiter: new InboxLimiter(world),
  }),
  routes: sendingRoutes,
  controls: {
    messages: control<() => EmulatorMessage[]>(
      'Returns every accepted email, one for each recipient, oldest first.',
      {},
      anything,
      ({ outbox }) => outbox.messages(),
    ),
  },
  saved: ({ outbox, inboxLimiter }) => ({ outbox, inboxLimits: inboxLimiter }),
});
