import { duration, positive, positiveOrInfinity } from '../../checks/kind.ts';
import { option, type Options, type Settings } from '../../option.ts';

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

export type InboundSettings = Settings<EmulatorInboundOptions>;

export const inboundOptions: Options<EmulatorInboundOptions> = {
  pageSize: option(positive, 50, 'not published'),
  fileUrlMs: option(duration, 3_600_000, 'the public reference'),
  maxInboxes: option(positiveOrInfinity, 300, 'the public reference'),
  maxHostedReplies: option(positiveOrInfinity, 20, 'the public reference'),
};
