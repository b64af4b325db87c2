import type { WithResponse } from '../core/api-promise.ts';
import type { ThrottleSnapshot } from '../core/limits.ts';
import type { Account } from '../resources/accounts/types.ts';
import type { Contact, ContactList } from '../resources/contacts/types.ts';
import type { EmailLogFilters } from '../resources/email-logs/filter-types.ts';
import type { EmailLogMessage, EmailLogMessageDetails } from '../resources/email-logs/types.ts';
import type { SendingDomain } from '../resources/sending-domains/types.ts';
import type { Suppression, TrackingOptOut } from '../resources/suppressions/types.ts';

interface Options {
  readonly signal?: AbortSignal | undefined;
  readonly retry?: false | undefined;
}

/** A client, `new EmailPlatform()`, by the methods that a diagnosis calls. */
export interface DiagnosedClient {
  readonly suppressions: {
    list(params: { email: string }, options?: Options): AsyncIterable<Suppression>;
  };
  readonly trackingOptOuts: {
    list(params: { email: string }, options?: Options): AsyncIterable<TrackingOptOut>;
  };
  readonly emailLogs: {
    list(params: { filters: EmailLogFilters }, options?: Options): AsyncIterable<EmailLogMessage>;
    get(messageId: string, options?: Options): PromiseLike<EmailLogMessageDetails>;
  };
  readonly contacts: {
    get(contact: string, options?: Options): PromiseLike<Contact>;
    readonly lists: { list(params?: object, options?: Options): AsyncIterable<ContactList> };
  };
  readonly sendingDomains: {
    list(options?: Options): AsyncIterable<SendingDomain>;
  };
  readonly accounts: {
    list(options?: Options): {
      withResponse(): PromiseLike<WithResponse<{ readonly items: readonly Account[] }>>;
    };
  };
  readonly limits: { snapshot(): ThrottleSnapshot };
}
