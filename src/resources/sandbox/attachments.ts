import { attachments } from './endpoints.ts';
import type { ApiPromise } from '../../core/api-promise.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import type {
  BodyForm,
  BodyOptions,
  BodyTypes,
  SandboxAttachment,
  SandboxAttachmentListParams,
} from './message-types.ts';
import { inForm } from './body-form.ts';
import { Resource } from '../base/resource.ts';
import { signedFile } from '../base/signed-file.ts';

const isPath = (given: unknown) => typeof given === 'string' && given.startsWith('/');

/**
 * Files attached to messages in test inboxes. When an account is set, the paths have `inboxes`; otherwise `sandboxes`.
 */
export class SandboxAttachments extends Resource {
  /**
   * Lists the attachments of a message, in one request.
   * `GET /api/accounts/{account_id}/inboxes/{inbox}/messages/{message}/attachments`, or
   * `GET /api/sandboxes/{inbox}/messages/{message}/attachments` when no account is set.
   *
   * @param inbox - id of the test inbox
   * @param message - id of the message
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(
    inbox: number,
    message: number,
    params: SandboxAttachmentListParams = {},
    options?: RequestOptions,
  ): Pager<SandboxAttachment> {
    return this.pages(attachments().list, { inbox, message }, options, params);
  }

  /**
   * Returns one attachment, without its content.
   * `GET /api/accounts/{account_id}/inboxes/{inbox}/messages/{message}/attachments/{id}`, or
   * `GET /api/sandboxes/{inbox}/messages/{message}/attachments/{id}` when no account is set.
   *
   * @param inbox - id of the test inbox
   * @param message - id of the message
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(inbox: number, message: number, id: number, options?: RequestOptions): ApiPromise<SandboxAttachment> {
    return this.call(attachments().get, { inbox, message, id }, options);
  }

  /**
   * Downloads an attachment's content, unchanged, from its `download_path`. The path alone may give access to the file,
   * so it never appears in an error or a hook.
   *
   * A path of the API (under `/api/` of `hosts.api`) is fetched with the token, and counts against the rate limit of
   * the token. Another path, and the target of a redirect, is fetched without the token. The client follows up to five
   * redirects, to `https:` or to this machine.
   *
   * @param attachment - from `list` or `get`
   * @example
   * ```ts
   * const [file] = await client.sandbox.attachments.list(inboxId, messageId).toArray();
   * const bytes = await client.sandbox.attachments.download(file);
   * ```
   * @throws {@link NotFoundError}, {@link ApiError} when the file cannot be fetched, {@link InvalidRequestError} when
   * the argument is not an attachment, {@link ConfigurationError} in a browser with `auth: 'api-token'`, where a
   * redirect would carry the token
   */
  download<Form extends BodyForm = 'bytes'>(
    attachment: Pick<SandboxAttachment, 'download_path'>,
    options?: BodyOptions<Form>,
  ): ApiPromise<BodyTypes[Form]> {
    const path = () => attachment.download_path;
    const file = signedFile('sandbox.attachments.download', path, 'attachment', 'an attachment', isPath);
    const signed = { ...file.signed, maybeApiPath: true };
    return this.execute<BodyTypes[Form]>(
      (context) => ({ ...file, signed, ...inForm<Form>(context, 'bytes') }),
      options,
    );
  }
}
