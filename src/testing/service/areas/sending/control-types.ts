import type { EmulatorMessage } from '../../state/emails/outbox.ts';

/** A filter for emails. A field that is left out matches every email. */
export interface EmulatorMessageFilter {
  /** The address of the recipient, in upper or lower case. */
  to?: string;
  /** The stream of the email. */
  stream?: EmulatorMessage['stream'];
  /** The whole subject, in upper or lower case. */
  subject?: string;
  /** The earliest time of acceptance, in milliseconds on the emulator's clock. */
  since?: number;
  /** The {@link Emulator.Message.number} of an email; only later emails match. */
  after?: number;
}

/** The filter and the waiting time of {@link Emulator.Controls.waitForMessages}. */
export interface EmulatorMessageWait extends EmulatorMessageFilter {
  /**
   * How long to wait, in milliseconds of real time: from 0, which does not wait, to 60,000.
   * @defaultValue 4_000
   */
  waitMs?: number;
}
