/** How inbound mail behaves where it is not published. */
export interface EmulatorInboundOptions {
  /**
   * The number of messages or threads on a page.
   * @defaultValue 50
   */
  pageSize?: number;
  /**
   * How long a link to a raw message or an attachment is valid, in milliseconds.
   * @defaultValue 3_600_000
   */
  fileUrlMs?: number;
  /**
   * How many inboxes an account has at most.
   * @defaultValue 300
   */
  maxInboxes?: number;
  /**
   * How many replies and forwards an account sends from inboxes that the service hosts, in all. Forwards by rules do not
   * count.
   * @defaultValue 20
   */
  maxHostedReplies?: number;
}

/** The same options, with their defaults. */
export type InboundOptions = Readonly<Required<EmulatorInboundOptions>>;

export const INBOUND_DEFAULTS: InboundOptions = {
  pageSize: 50,
  fileUrlMs: 3_600_000,
  maxInboxes: 300,
  maxHostedReplies: 20,
};
