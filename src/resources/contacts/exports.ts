import { exports } from './endpoints.ts';
import type { ApiPromise } from '../../core/api-promise.ts';
import { callSite } from '../../core/call-site.ts';
import { thrownFrom } from '../../core/error-base.ts';
import { printable } from '../../core/error-text.ts';
import { AbortedError, ConnectionError, ResponseFormatError, TimeoutError } from '../../core/errors.ts';
import { takenOptions } from '../../core/request-options.ts';
import type { RequestOptions } from '../../core/request.ts';
import { stopwatch } from '../../core/steady-time.ts';
import type { ContactExport, ContactExportCreateParams } from './export-types.ts';
import type { WaitOptions } from '../base/wait-options.ts';
import { hasEnded, statusOf } from './imports.ts';
import { gunzipped } from '../base/gunzipped.ts';
import { signedFile } from '../base/signed-file.ts';
import { waitOptions, WaitingResource } from '../base/waiting-resource.ts';

/** Contacts as a file: the only way to read all of them. */
export class ContactExports extends WaitingResource<ContactExport> {
  /**
   * Starts an export; an account can run one at a time. `POST /api/accounts/{account_id}/contacts/exports`, or `POST
   * /api/contacts/exports` when no account is set.
   *
   * Never retried when its outcome is unknown: the service would reject a second one while the first runs.
   *
   * @throws {@link ValidationError} for a rejected filter, or while another export runs, {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(params: ContactExportCreateParams = {}, options?: RequestOptions): ApiPromise<ContactExport> {
    return this.call(exports().create, {}, options, params);
  }

  /**
   * Returns one export: its status and, after it has finished, the address of its file. `GET
   * /api/accounts/{account_id}/contacts/exports/{id}`, or `GET /api/contacts/exports/{id}` when no account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  override get(id: number, options?: RequestOptions): ApiPromise<ContactExport> {
    return this.call(exports().get, { id }, options);
  }

  /**
   * Polls an export until its file exists, and resolves to the export. Each poll is a call of {@link
   * ContactExports.get}: it counts against the rate limits, at low priority by default, and is retried like any read.
   *
   * @throws {@link InvalidRequestError} before the first poll, {@link AbortedError} when the signal is aborted,
   * {@link TimeoutError} of kind `deadline` when `deadlineMs` has passed, and whatever `get` throws
   */
  waitUntilFinished(id: number, options?: WaitOptions<ContactExport>): Promise<ContactExport> {
    return this.waitUntil('contacts.exports.waitUntilFinished', hasEnded, statusOf, id, options);
  }

  /**
   * Waits until an export has finished, and resolves to its CSV file as a stream of bytes. The file is fetched from its
   * signed URL, without the token or the client's own headers, and decompressed as it is read, so that memory use is
   * independent of its size. `timeoutMs` limits the time until its first byte, and a file without one is fetched again;
   * `signal` and `deadlineMs` apply until the end of the stream.
   *
   * @example
   * ```ts
   * const { id } = await client.contacts.exports.create();
   * const csv = await client.contacts.exports.download(id);
   * ```
   * @throws what {@link ContactExports.waitUntilFinished} throws; {@link ResponseFormatError} when the export has no
   * file, or the file has an encoding that hides a truncation; {@link ApiError} when the file cannot be fetched. The
   * stream ends with a {@link ConnectionError} if the file is truncated or damaged, and with an {@link AbortedError} or
   * {@link TimeoutError} if the call ends before it does.
   */
  async download(id: number, options: WaitOptions<ContactExport> = {}): Promise<ReadableStream<Uint8Array>> {
    const site = callSite();
    const operation = 'contacts.exports.download';
    const elapsedMs = stopwatch(this.runtime);
    const taken = takenOptions(operation, options, () => [], waitOptions());
    const { signal, timeoutMs, retry, deadlineMs, meta } = taken;
    const { url, status } = await this.waitUntilFinished(id, taken);
    if (!url)
      throw thrownFrom(
        site,
        new ResponseFormatError(printable(`${operation}: the export is ${status}, but has no file`), {
          effect: 'none',
        }),
      );
    const leftMs = deadlineMs === undefined ? undefined : Math.max(1, deadlineMs - elapsedMs());
    const body = await this.execute<ReadableStream<Uint8Array>>(
      { ...signedFile(operation, () => url, 'url', 'a URL'), decoder: { kind: 'body', form: 'stream' } },
      { signal, timeoutMs, retry, meta, deadlineMs: leftMs },
      site,
    );
    return gunzipped(body, (cause) =>
      cause instanceof AbortedError || cause instanceof TimeoutError
        ? cause
        : new ConnectionError(`${operation}: the file is truncated or damaged`, {
            phase: 'exchange',
            effect: 'none',
            cause,
          }),
    );
  }
}
