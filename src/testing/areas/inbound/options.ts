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
}

/** The same options, with their defaults. */
export type InboundOptions = Readonly<Required<EmulatorInboundOptions>>;

export const INBOUND_DEFAULTS: InboundOptions = { pageSize: 50, fileUrlMs: 3_600_000 };
