import { positive } from '../../checks/kind.ts';
import { control, optional } from '../../control.ts';
import type { EmulatorSandbox } from '../../emulator-types.ts';
import { messages } from '../sending/controls.ts';

/** What a test can do to test inboxes. */
export const sandboxControls = {
  'sandbox.add': control<EmulatorSandbox['add']>(
    { line: 'POST /sandbox/inboxes', as: 'id' },
    'Adds a test inbox.',
    {},
    positive,
    ({ inboxes, accountId }) => inboxes.add(accountId).id,
  ),
  'sandbox.messages': control<EmulatorSandbox['messages']>(
    { line: 'GET /sandbox/messages', as: 'messages' },
    'Returns the emails that a test inbox captured, or those of every inbox.',
    { inboxId: optional(positive) },
    messages,
    ({ inboxes, outbox, accountId }, inboxId) => {
      if (inboxId !== undefined && inboxes.find(accountId, inboxId) === undefined) {
        throw new RangeError(`There is no test inbox ${inboxId}`);
      }
      return outbox.messages(inboxId).filter(({ sandboxInboxId }) => sandboxInboxId !== null);
    },
  ),
};
