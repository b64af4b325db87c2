import { threads } from './endpoints.ts';
import type { ApiPromise } from '../../core/api-promise.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import type {
  InboundThread,
  InboundThreadListParams,
  InboundThreadPage,
  InboundThreadSummary,
} from './mail-types.ts';
import { Resource } from '../base/resource.ts';

/**
 * Conversations: messages that an inbox received, and the replies to them. The `thread_id` of an inbound message, and of
 * an email in the email log, leads here.
 *
 * @example
 * ```ts
 * const threads = await client.inbound.threads.list(7).toArray({ limit: 20 });
 * ```
 */
export class InboundThreads extends Resource {
  /**
   * Lists the threads of an inbox; pages are fetched as they are read. `GET /api/inbound/inboxes/{inboxId}/threads`
   *
   * No thread is returned twice. A page's `last_id`, passed as a parameter, resumes the list; pass the same `search`.
   *
   * @throws {@link InvalidRequestError}, {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(
    inboxId: number,
    params: InboundThreadListParams = {},
    options?: RequestOptions,
  ): Pager<InboundThreadSummary, InboundThreadPage> {
    return this.pages(threads().list, { inboxId }, options, params);
  }

  /**
   * Returns one thread with its messages, oldest first. `GET /api/inbound/inboxes/{inboxId}/threads/{threadId}`
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(inboxId: number, threadId: string, options?: RequestOptions): ApiPromise<InboundThread> {
    return this.call(threads().get, { inboxId, threadId }, options);
  }

  /**
   * Deletes a thread. `DELETE /api/inbound/inboxes/{inboxId}/threads/{threadId}`
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(inboxId: number, threadId: string, options?: RequestOptions): ApiPromise<void> {
    return this.call(threads().delete, { inboxId, threadId }, options);
  }
}
