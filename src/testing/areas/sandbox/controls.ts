import { positive } from '../../checks/kind.ts';
import { control, optional } from '../../control.ts';
import type { EmulatorSandbox } from '../../emulator-types.ts';

/** What a test can do to test inboxes. */
export const sandboxControls = {
  'sandbox.add': control<EmulatorSandbox['add']>({}, ({ inboxes, accountId }) => inboxes.add(accountId).id),
  'sandbox.messages': control<EmulatorSandbox['messages']>(
    { inboxId: optional(positive) },
    ({ inboxes, outbox, accountId }, inboxId) => {
      if (inboxId !== undefined && inboxes.find(accountId, inboxId) === undefined) {
        throw new RangeError(`There is no test inbox ${inboxId}`);
      }
      return outbox.messages(({ inboxId: own }) => own !== null && (inboxId ?? own) === own);
    },
  ),
};
