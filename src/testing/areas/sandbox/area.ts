import { area } from '../area.ts';
import { sandboxControls } from './controls.ts';
import { sandboxOptions } from './options.ts';
import { sandboxRoutes } from './routes.ts';
import { InboxStore } from './store.ts';

/** The id of the test inbox that every emulator begins with. */
export const SANDBOX_INBOX_ID = 2001;

/** Projects, test inboxes, and the messages and attachments in them. */
export const sandbox = area<'inboxes', 'sandbox'>({
  name: 'sandbox',
  options: { sandbox: sandboxOptions },
  keep: (world) => ({ inboxes: new InboxStore(world, SANDBOX_INBOX_ID) }),
  routes: sandboxRoutes,
  seed: ({ inboxes, accountId }) => {
    inboxes.add(accountId);
  },
  controls: sandboxControls,
});
