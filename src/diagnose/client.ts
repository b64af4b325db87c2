import type { WithResponse } from '../core/api-promise.ts';
import type { ThrottleSnapshot } from '../core/limits.ts';
import type { Account } from '../resources/accounts/types.ts';
import type { Contact, ContactList } from '../resources/contacts/types.ts';
import type { EmailLogFilters } from '../resources/email-logs/filter-types.ts';
import type { EmailLogMessage, EmailLogMessageDetails } from '../resources/email-logs/types.ts';
import type { SendingDomain } from '../resources/sending-domains/types.ts';
import type { Suppression, TrackingOptOut } from '../resources/suppressions/types.ts';

/** The options of its calls. */
export interface DiagnosedCallOptions {
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined;
  /** Whether it is tried again; false for one attempt. */
  readonly retry?: false | undefined;
}

/** A client, `new EmailPlatform()`, by the methods that a diagnosis calls. */
export interface DiagnosedClient {
  /** Suppressed addresses. */
  readonly suppressions: {
    /** Lists those of an address. */
    list(params: { email: string }, options?: DiagnosedCallOptions): AsyncIterable<Suppression>;
  };
  /** Addresses whose opens and clicks are not tracked. */
  readonly trackingOptOuts: {
    /** Lists those of an address. */
    list(params: { email: string }, options?: DiagnosedCallOptions): AsyncIterable<TrackingOptOut>;
  };
  /** The email log. */
  readonly emailLogs: {
    /** Lists emails, newest first. */
    list(
      params: { filters: EmailLogFilters },
      options?: DiagnosedCallOptions,
    ): AsyncIterable<EmailLogMessage>;
    /** Reads an email with its events. */
    get(messageId: string, options?: DiagnosedCallOptions): PromiseLike<EmailLogMessageDetails>;
  };
  /** Contacts. */
  readonly contacts: {
    /** Reads the contact with an address. */
    get(contact: string, options?: DiagnosedCallOptions): PromiseLike<Contact>;
    /** Lists of contacts. */
    readonly lists: {
      /** Lists them. */
      list(params?: object, options?: DiagnosedCallOptions): AsyncIterable<ContactList>;
    };
  };
  /** Domains that email is sent from. */
  readonly sendingDomains: {
    /** Lists them, with what their DNS lacks. */
    list(options?: DiagnosedCallOptions): AsyncIterable<SendingDomain>;
  };
  /** Accounts that the token can see. */
  readonly accounts: {
    /** Lists them. */
    list(options?: DiagnosedCallOptions): {
      /** Resolves with the page and its response, whose headers have the limits and the service's clock. */
      withResponse(): PromiseLike<
        WithResponse<{
          /** The accounts of the page. */
          readonly items: readonly Account[];
        }>
      >;
    };
  };
  /** The client's rate limits. */
  readonly limits: {
    /** Returns how much of them is in use. */
    snapshot(): ThrottleSnapshot;
  };
}
