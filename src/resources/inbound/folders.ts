import type { ApiPromise } from '../../core/api-promise.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import { inboundFolderRule } from './rules.ts';
import type { InboundFolder, InboundFolderParams } from './types.ts';
import { deleted, objectAndList } from '../readers.ts';
import { Resource } from '../resource.ts';

const [folder, folders] = objectAndList<InboundFolder>('inboundFolder');

/** Folders of inbound inboxes. */
export class InboundFolders extends Resource {
  /** @internal */
  protected override readonly group = 'inbound.folders';

  /**
   * Lists every folder, in one request. `GET /api/inbound/folders`
   *
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<InboundFolder> {
    return this.pages('list', 'GET /api/inbound/folders', {}, folders, options);
  }

  /**
   * Creates a folder. `POST /api/inbound/folders`
   *
   * Never retried when its outcome is unknown: there could then be two folders.
   *
   * @throws {@link ValidationError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(params: InboundFolderParams, options?: RequestOptions): ApiPromise<InboundFolder> {
    return this.call('create', 'POST /api/inbound/folders', {}, folder, options, {
      params,
      rule: inboundFolderRule,
    });
  }

  /**
   * Returns one folder. `GET /api/inbound/folders/{id}`
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(id: number, options?: RequestOptions): ApiPromise<InboundFolder> {
    return this.call('get', 'GET /api/inbound/folders/{id}', { id }, folder, options);
  }

  /**
   * Renames a folder. `PATCH /api/inbound/folders/{id}`
   *
   * @throws {@link ValidationError}, {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  update(id: number, params: InboundFolderParams, options?: RequestOptions): ApiPromise<InboundFolder> {
    return this.call('update', 'PATCH /api/inbound/folders/{id}', { id }, folder, options, {
      repeatable: true,
      params,
      rule: inboundFolderRule,
    });
  }

  /**
   * Deletes a folder with its inboxes and their messages. `DELETE /api/inbound/folders/{id}`
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(id: number, options?: RequestOptions): ApiPromise<void> {
    return this.call('delete', 'DELETE /api/inbound/folders/{id}', { id }, deleted, options);
  }
}
