import { folders } from './endpoints.ts';
import type { ApiPromise } from '../../core/api-promise.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import type { InboundFolder, InboundFolderParams } from './types.ts';
import { Resource } from '../base/resource.ts';

/** Folders of inbound inboxes. */
export class InboundFolders extends Resource {
  /**
   * Lists every folder, in one request. `GET /api/inbound/folders`
   *
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<InboundFolder> {
    return this.pages(folders().list, {}, options);
  }

  /**
   * Creates a folder. `POST /api/inbound/folders`
   *
   * Never retried when its outcome is unknown: a retry could create two folders.
   *
   * @throws {@link ValidationError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(params: InboundFolderParams, options?: RequestOptions): ApiPromise<InboundFolder> {
    return this.call(folders().create, {}, options, params);
  }

  /**
   * Returns one folder. `GET /api/inbound/folders/{id}`
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(id: number, options?: RequestOptions): ApiPromise<InboundFolder> {
    return this.call(folders().get, { id }, options);
  }

  /**
   * Renames a folder. `PATCH /api/inbound/folders/{id}`
   *
   * @throws {@link ValidationError}, {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  update(id: number, params: InboundFolderParams, options?: RequestOptions): ApiPromise<InboundFolder> {
    return this.call(folders().update, { id }, options, params);
  }

  /**
   * Deletes a folder with its inboxes and their messages. `DELETE /api/inbound/folders/{id}`
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(id: number, options?: RequestOptions): ApiPromise<void> {
    return this.call(folders().delete, { id }, options);
  }
}
