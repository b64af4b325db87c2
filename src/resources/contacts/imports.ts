import { imports } from './endpoints.ts';
import type { ApiPromise } from '../../core/api-promise.ts';
import { callSite } from '../../core/call-site.ts';
import type { RequestOptions } from '../../core/request.ts';
import type {
  ContactImport,
  ContactImportCreateParams,
  ContactImportItem,
  ImportOutcome,
  ImportRunOptions,
} from './import-types.ts';
import type { WaitOptions } from '../wait-options.ts';
import { runImports } from './import-run.ts';
import { WaitingResource } from '../waiting-resource.ts';

/** For imports and exports. */
export const statusOf = ({ status }: { readonly status: string }) => `its status is ${status}`;
export const hasEnded = ({ status }: { readonly status: string }) =>
  status === 'finished' || status === 'failed';

/** Creating and updating many contacts at once. The service carries an import out after it has accepted it. */
export class ContactImports extends WaitingResource<ContactImport> {
  /**
   * Starts an import of at most 50 000 contacts; those that exist are updated.
   * `POST /api/accounts/{account_id}/contacts/imports`, or `POST /api/contacts/imports` when no account is set.
   *
   * Never retried when its outcome is unknown: there could then be two imports.
   *
   * @throws {@link UnprocessableError} whose `body` names the contacts at fault; then none is imported.
   * {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(params: ContactImportCreateParams, options?: RequestOptions): ApiPromise<ContactImport> {
    return this.call(imports().create, {}, options, params);
  }

  /**
   * Returns one import: how far it is and, once it has finished, what it did.
   * `GET /api/accounts/{account_id}/contacts/imports/{id}`, or `GET /api/contacts/imports/{id}` when no account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  override get(id: number, options?: RequestOptions): ApiPromise<ContactImport> {
    return this.call(imports().get, { id }, options);
  }

  /**
   * Polls an import until its status is `finished` or `failed`, and resolves to it: check which it is. Each poll is a
   * call of {@link ContactImports.get}: it counts against the rate limits, at low priority by default, and is retried
   * like any read.
   *
   * @throws {@link InvalidRequestError} before the first poll, {@link AbortedError} when the signal is aborted,
   * {@link TimeoutError} of kind `deadline` when `deadlineMs` has passed, and whatever `get` throws
   */
  waitUntilFinished(id: number, options?: WaitOptions<ContactImport>): Promise<ContactImport> {
    return this.waitUntil('contacts.imports.waitUntilFinished', hasEnded, statusOf, id, options);
  }

  /**
   * Imports any number of contacts: reads them as they are needed, starts an import for every 50 000, waits until it has
   * finished, yields its outcome, and goes on with the next. One import's contacts are in memory at a time. Imports run
   * one after the other, so that of two entries for an address the later one counts.
   *
   * Whatever happens, each contact that was read is part of exactly one outcome. When the token is rejected, the rest is
   * read and reported as `not_sent`. Leaving the loop ends the run.
   *
   * @example
   * ```ts
   * for await (const outcome of client.contacts.imports.run(contacts)) {
   *   if (outcome.status !== 'finished') console.error(outcome.index, outcome.status, outcome.error?.message);
   * }
   * ```
   * @throws {@link InvalidRequestError} for invalid options, {@link ConfigurationError}, {@link AbortedError} after the
   * outcomes of what was read when the signal is aborted, and whatever reading the contacts throws
   */
  run(
    contacts: Iterable<ContactImportItem> | AsyncIterable<ContactImportItem>,
    options?: ImportRunOptions,
  ): AsyncGenerator<ImportOutcome, void, undefined> {
    return runImports(this, this.runtime, callSite(), contacts, options);
  }
}
