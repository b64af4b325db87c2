import type { EmulatorInboundFields, EmulatorReceived } from './receive.ts';

/** An inbox that {@link Emulator.Inbound.add} made. */
export interface EmulatorInboundInbox {
  /** Id of its folder. */
  readonly folderId: number;
  /** Id of the inbox. */
  readonly inboxId: number;
  /** Its address. */
  readonly address: string;
}

/** Inbound mail, without a request. */
export interface EmulatorInbound {
  /** Adds an inbox in a new folder, hosted by the service. */
  add(): EmulatorInboundInbox;
  /**
   * Delivers an email to one or more inboxes. It appears there and in a thread, webhooks post an event, and rules forward
   * the email.
   *
   * @returns The places of the email: one entry for each inbox.
   * @throws `TypeError` for an unknown field or a wrong type, `RangeError` if no recipient is an inbox.
   */
  receive(email: EmulatorInboundFields): EmulatorReceived[];
}
