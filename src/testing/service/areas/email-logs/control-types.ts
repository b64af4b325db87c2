import type { EmulatorLogFields } from '../../state/emails/email-log.ts';

/** Changes the email log without a request. */
export interface EmulatorLogs {
  /**
   * Adds a message to the log as if it had been sent, now or at another time.
   *
   * @returns The id of the message.
   * @throws `TypeError` for an unknown field or a wrong type, `RangeError` for a wrong value.
   */
  add(fields?: EmulatorLogFields): string;
  /**
   * Adds many messages to the log. The iterable is read one message at a time; ten thousand take a fraction of a second.
   *
   * @returns The ids of the messages.
   * @throws `TypeError` and `RangeError` as {@link Emulator.Logs.add} does.
   */
  addMany(messages: Iterable<EmulatorLogFields>): string[];
}
