/** How webhooks behave. */
export interface EmulatorWebhookOptions {
  /**
   * Receives every post, in place of the network. Without it, an emulator that listens posts over HTTP, and one in
   * memory takes each post for received with status 200.
   */
  receive?: (request: Request) => Response | Promise<Response>;
  /**
   * Names of other machines that may be posted to over HTTP. A post to any other machine than this one fails, so that a
   * test cannot reach a real receiver.
   */
  hosts?: readonly string[];
  /**
   * Name of the header with the signature.
   * @defaultValue 'x-webhook-signature'
   */
  signatureHeader?: string;
  /**
   * How long events are gathered before they are posted, in milliseconds.
   * @defaultValue 30_000
   */
  flushMs?: number;
  /**
   * How many events a post has at most.
   * @defaultValue 500
   */
  maxEvents?: number;
  /**
   * The wait before a failed post is repeated, in milliseconds; for inbound events, the first of waits that double.
   * @defaultValue 300_000, or 84_500 for inbound events: ten doubling waits make up a day
   */
  retryMs?: number;
  /**
   * How often a failed post is repeated before its webhook is paused.
   * @defaultValue 40, or 10 for inbound events
   */
  maxRetries?: number;
}

/** The options that have one default. */
export const WEBHOOK_DEFAULTS = { signatureHeader: 'x-webhook-signature', flushMs: 30_000, maxEvents: 500 };
