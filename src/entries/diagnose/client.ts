import type { WithResponse } from '../../core/api-promise.ts';
import type { ThrottleSnapshot } from '../../core/limits.ts';
import type { Account } from '../../resources/accounts/types.ts';
import type { BillingUsage } from '../../resources/billing/types.ts';
import type { Contact, ContactList } from '../../resources/contacts/types.ts';
import type { EmailLogFilters } from '../../resources/email-logs/filter-types.ts';
import type { EmailLogMessage, EmailLogMessageDetails } from '../../resources/email-logs/types.ts';
import type { SendingDomain } from '../../resources/sending-domains/types.ts';
import type { Suppression, TrackingOptOut } from '../../resources/suppressions/types.ts';

/** The options of the client's calls. */
export interface DiagnosedCallOptions {
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the call is retried; false for one attempt. */
  readonly retry?: false | undefined;
}

/** The part of a client, `new EmailPlatform()`, that a diagnosis uses. */
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
  /** Domains of senders. */
  readonly sendingDomains: {
    /** Lists the domains, with their missing DNS records. */
    list(options?: DiagnosedCallOptions): AsyncIterable<SendingDomain>;
  };
  /** The sandbox. */
  readonly sandbox: {
    /** Its inboxes. */
    readonly inboxes: {
      /** Reads an inbox. */
      get(id: number, options?: DiagnosedCallOptions): PromiseLike<unknown>;
    };
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
  /** The account's usage of its plan. */
  readonly billing: {
    /** Reads it. */
    usage(options?: DiagnosedCallOptions): PromiseLike<BillingUsage>;
  };
  /** The client's rate limits. */
  readonly limits: {
    /** Returns the current use of the limits. */
    snapshot(): ThrottleSnapshot;
  };
}
