import { positive } from '../../../declare/kind.ts';
import { control, optional } from '../../routing/control.ts';
import type { EmulatorSandbox } from './control-types.ts';
import { capturedMessages, messages } from '../../state/emails/message-kind.ts';
import { area } from '../../routing/area.ts';
import type { World } from '../../state/world.ts';
import { attachmentRoutes, bodyRoutes } from './body-routes.ts';
import { inboxRoutes, projectRoutes } from './inbox-routes.ts';
import { messageRoutes } from './message-routes.ts';
import { InboxStore, sandboxOptions } from '../../state/inboxes/sandbox.ts';

/** The controls of test inboxes. */
const sandboxControls = {
  'sandbox.add': control<EmulatorSandbox['add']>(
    'POST /sandbox/inboxes',
    { returns: positive, as: 'id' },
    ({ inboxes, accountId }) => inboxes.add(accountId).id,
  ),
  'sandbox.messages': control<EmulatorSandbox['messages']>(
    'GET /sandbox/messages',
    {
      takes: { inboxId: optional(positive) },
      returns: messages,
      as: 'messages',
      extended: capturedMessages,
    },
    ({ inboxes, outbox, accountId }, inboxId) => {
      if (inboxId !== undefined && inboxes.find(accountId, inboxId) === undefined) {
        throw new RangeError(`There is no test inbox ${inboxId}`);
      }
      return outbox.messages(({ inboxId: own }) => own !== null && (inboxId ?? own) === own);
    },
  ),
};

/** The endpoints of projects, test inboxes, and the messages and attachments in them. */
const sandboxRoutes = (world: World) =>
  [projectRoutes, inboxRoutes, messageRoutes, bodyRoutes, attachmentRoutes].flatMap((of) => of(world));

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
