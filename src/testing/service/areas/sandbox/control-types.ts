import type { EmulatorMessage } from '../../state/emails/outbox.ts';

/** Test inboxes, without a request. */
export interface EmulatorSandbox {
  /**
   * Adds a test inbox.
   *
   * @returns The id of the inbox.
   */
  add(): number;
  /**
   * Returns the emails that a test inbox captured, or those of every inbox, oldest first.
   *
   * @throws `RangeError` if there is no such inbox.
   */
  messages(inboxId?: number): EmulatorMessage[];
}
