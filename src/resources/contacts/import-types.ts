import type { LiteralUnion } from 'type-fest';
import type { UnprocessableError } from '../../core/api-errors.ts';
import type { EmailPlatformError } from '../../core/error-base.ts';
import type { RequestOptions } from '../../core/request.ts';
import type { ContactValues } from './types.ts';
import type { WaitOptions } from '../base/wait-options.ts';

/** A contact to import. An existing contact is updated; its other fields stay as they are. */
export interface ContactImportItem {
  /** Email address. */
  email: string;
  /** Values of contact fields, by their `merge_tag`. */
  fields?: ContactValues | undefined;
  /** Ids of lists to put the contact on. */
  list_ids_included?: readonly number[] | undefined;
  /** Ids of lists to take the contact off. */
  list_ids_excluded?: readonly number[] | undefined;
}

/** Parameters of `contacts.imports.create`. */
export interface ContactImportCreateParams {
  /** The contacts, at most 50 000. */
  contacts: readonly ContactImportItem[];
}

/** How far an import is: one of the known statuses, or one the service has added since. */
export type ContactImportStatus = LiteralUnion<'created' | 'started' | 'finished' | 'failed', string>;

/** An import of contacts. */
export interface ContactImport {
  /** Id of the import. */
  id: number;
  /** How far it is. */
  status: ContactImportStatus;
  /** Contacts that were new; only once it has finished. */
  created_contacts_count?: number | undefined;
  /** Contacts that existed; only once it has finished. */
  updated_contacts_count?: number | undefined;
  /** Contacts left out because they exceed the plan's limit; only once it has finished. */
  contacts_over_limit_count?: number | undefined;
}

/** A contact that was left out of its import, because of option `skipInvalid`. */
export interface SkippedContact {
  /** Position of the contact in the input, from 0. */
  index: number;
  /** The contact, as it was in the input. */
  contact: ContactImportItem;
  /** Its problems by field: the service's messages, or this package's if the contact was not sent. */
  errors: Record<string, string[]>;
}

/** A part of the input of `contacts.imports.run`: the contacts of one import. */
export interface ImportedPart {
  /** Position of the import in the run, from 0. */
  index: number;
  /** Position of its first contact in the input, from 0. */
  first: number;
  /** The contacts, as they were in the input. */
  contacts: ContactImportItem[];
  /** The contacts that were left out: the status is that of the others. Empty without `skipInvalid`. */
  skipped: SkippedContact[];
}

/** Outcome of an import that the service carried out. */
export interface FinishedImportOutcome extends ImportedPart {
  /** Its contacts are in the account, except for those that exceed the plan's limit. */
  status: 'finished';
  /** The import, with its counts. */
  import: ContactImport;
  /** Absent: the service did not reject it. */
  errors?: undefined;
  /** Absent: no call failed. */
  error?: undefined;
}

/** Outcome of an import that the service accepted and could not carry out. */
export interface FailedImportOutcome extends ImportedPart {
  /** Some of its contacts may be in the account. It can safely be run again: contacts that exist are updated. */
  status: 'failed';
  /** The import. */
  import: ContactImport;
  /** Absent: the service accepted it. */
  errors?: undefined;
  /** Absent: no call failed. */
  error?: undefined;
}

/** A contact that caused the rejection of an import. */
export interface RejectedContact {
  /** Email address of the contact. */
  email?: string | null | undefined;
  /** The service's messages by field. */
  errors?: Record<string, string[]> | undefined;
}

/** Outcome of an import that the service rejected because of some of its contacts; none of them was imported. */
export interface RejectedImportOutcome extends ImportedPart {
  /** The import has to be corrected: run again as it is, it would be rejected again. */
  status: 'rejected';
  /** Absent: there is no import. */
  import?: undefined;
  /** The contacts that have to be corrected; empty if the service named none, see `error`. */
  errors: RejectedContact[];
  /** The service's response. */
  error: UnprocessableError;
}

/** Outcome of an import that was certainly not started, and can safely be run again. */
export interface NotSentImportOutcome extends ImportedPart {
  /** None of its contacts was imported. */
  status: 'not_sent';
  /** Absent: there is no import. */
  import?: undefined;
  /** Absent: the service sent no messages for these contacts; see `error`. */
  errors?: undefined;
  /**
   * The failure of the call, or the reason why it was not made. For invalid contacts, an `InvalidRequestError` that
   * names them.
   */
  error: EmailPlatformError;
}

/** Outcome of an import that may have been carried out: its call failed in flight, or waiting for it did. */
export interface UnknownImportOutcome extends ImportedPart {
  /** It can be run again: contacts that exist are updated. Changes made in the meantime would be overwritten. */
  status: 'unknown';
  /** The import, if the service returned one; `contacts.imports.get` with its id returns its outcome. */
  import?: ContactImport | undefined;
  /** Absent: the service did not reject it. */
  errors?: undefined;
  /** The failure of the call or of the wait. */
  error: EmailPlatformError;
}

/** The outcome of one import of `contacts.imports.run`; `status` tells which of the other fields are present. */
export type ImportOutcome =
  | FinishedImportOutcome
  | FailedImportOutcome
  | RejectedImportOutcome
  | NotSentImportOutcome
  | UnknownImportOutcome;

/** Progress of `contacts.imports.run`: contacts counted by the status of their import. */
export interface ImportProgress {
  /** Contacts whose import has an outcome: the sum of the six counts below. */
  readonly done: number;
  /** Contacts of imports that were carried out. */
  readonly finished: number;
  /** Contacts of imports that the service could not carry out. */
  readonly failed: number;
  /** Contacts of imports that the service rejected. */
  readonly rejected: number;
  /** Contacts of imports that were certainly not started. */
  readonly not_sent: number;
  /** Contacts of imports that may have been carried out. */
  readonly unknown: number;
  /** Contacts that were left out of their import. */
  readonly skipped: number;
  /** Imports with an outcome. */
  readonly imports: number;
}

/**
 * Options of `contacts.imports.run`. Options of a single call, such as `timeoutMs`, apply to each call and each wait.
 */
export interface ImportRunOptions extends RequestOptions, Pick<WaitOptions<ContactImport>, 'pollMs'> {
  /**
   * Contacts in one import, at most 50 000. The service rejects an import as a whole because of one invalid contact.
   * @defaultValue 50_000
   */
  readonly contactsPerImport?: number | undefined;
  /**
   * Whether to leave out invalid contacts and import the others. The run leaves out every contact with an address that
   * the service names, and starts the import again. After twenty rejections it gives up the import.
   * @defaultValue false
   */
  readonly skipInvalid?: boolean | undefined;
  /** Called with the totals before each outcome is yielded. What it throws is ignored. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}
