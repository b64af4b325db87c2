import type { EmulatorWebhookPost } from '../../state/posts/posts.ts';
import type { EmulatorWebhookType } from '../../state/posts/webhooks.ts';

/** The posts of webhooks, and events without a request. */
export interface EmulatorWebhooks {
  /** The name of the header with the signature. */
  readonly signatureHeader: string;
  /** The most recent posts (at most 10,000), oldest first. */
  readonly posts: readonly EmulatorWebhookPost[];
  /**
   * Resolves when every post that is due has been made and its response has arrived. Move the clock first: events are
   * gathered for 30 seconds of its time.
   */
  settled(): Promise<void>;
  /**
   * Posts the events that have happened up to now, without the 30 seconds of the clock in which they are gathered.
   * Resolves when every post that is due has its response.
   */
  flush(): Promise<void>;
  /**
   * Makes a post once more, with the same body, and returns it with its response. It is not repeated if it fails.
   *
   * @param id - The number of the post.
   * @throws `RangeError` if there is no such post, or its webhook has been deleted. The promise rejects with it.
   */
  redeliver(id: number): Promise<EmulatorWebhookPost>;
  /**
   * Adds an event to every webhook of a type, such as an event of the audit log, which the emulator does not write itself.
   * Adds an `event_id` and a `timestamp` if the event has none.
   *
   * @throws `RangeError` for another type, `TypeError` for an event that is not an object.
   */
  emit(type: EmulatorWebhookType, event: Readonly<Record<string, unknown>>): void;
}
