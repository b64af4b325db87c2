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
import type { WaitOptions } from '../base/wait-options.ts';
import { runImports } from './import-run.ts';
import { WaitingResource } from '../base/waiting-resource.ts';

/** For imports and exports. */
export const statusOf = ({ status }: { readonly status: string }) => `its status is ${status}`;
export const hasEnded = ({ status }: { readonly status: string }) =>
  status === 'finished' || status === 'failed';

/** Creating and updating many contacts at once. The service accepts an import first and runs it afterwards. */
export class ContactImports extends WaitingResource<ContactImport> {
  /**
   * Starts an import of at most 50 000 contacts; existing ones are updated. `POST
   * /api/accounts/{account_id}/contacts/imports`, or `POST /api/contacts/imports` when no account is set.
   *
   * Never retried when its outcome is unknown: a retry could create two imports.
   *
   * @throws {@link UnprocessableError} whose `body` names the invalid contacts; the service then imports none. {@link
   * AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(params: ContactImportCreateParams, options?: RequestOptions): ApiPromise<ContactImport> {
    return this.call(imports().create, {}, options, params);
  }

  /**
   * Returns one import: its status and, after it has finished, its counts. `GET
   * /api/accounts/{account_id}/contacts/imports/{id}`, or `GET /api/contacts/imports/{id}` when no account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  override get(id: number, options?: RequestOptions): ApiPromise<ContactImport> {
    return this.call(imports().get, { id }, options);
  }

  /**
   * Polls an import until its status is `finished` or `failed`, and resolves to it: check the status. Each poll is a
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
   * Imports any number of contacts: reads the next 50 000, starts an import of them, waits until it has finished,
   * yields its outcome, and continues. Only one import's contacts are in memory at a time. Imports run one after the
   * other, so that the later of two entries for an address counts.
   *
   * Each contact that was read is part of exactly one outcome, also after errors. If the service rejects the token, the
   * rest is read and reported as `not_sent`. Leaving the loop ends the run.
   *
   * @example
   * ```ts
   * for await (const outcome of client.contacts.imports.run(contacts)) {
   *   if (outcome.status !== 'finished') console.error(outcome.index, outcome.status, outcome.error?.message);
   * }
   * ```
   * @throws {@link InvalidRequestError} for invalid options, {@link ConfigurationError}, {@link AbortedError} when the
   * signal is aborted, after the outcomes of the contacts read before, and whatever reading the contacts throws
   */
  run(
    contacts: Iterable<ContactImportItem> | AsyncIterable<ContactImportItem>,
    options?: ImportRunOptions,
  ): AsyncGenerator<ImportOutcome, void, undefined> {
    return runImports(this, this.runtime, callSite(), contacts, options);
  }
}
