/** Whom a request reaches: where its body names the people who receive email because of it. */

/** The fields of an email that name its recipients. */
export const RECIPIENT_FIELDS = ['to', 'cc', 'bcc'] as const;
export type RecipientField = (typeof RECIPIENT_FIELDS)[number];

/**
 * Where a request names the people whom it reaches:
 *
 * - `mail`: the body is an email. The service has recipients of its own for the fields in `fillsIn`, where they are empty.
 * - `mails`: the body is a batch of emails in `requests`, over what they share in `base`.
 * - `address`: one field is an address.
 * - `addresses`: one field is a list of objects with an address. Where it is `standing`, a request without it reaches those
 *   whom the service has already.
 * - `unknowable`: the request does not say.
 */
export type Reach =
  | { readonly kind: 'mail'; readonly fillsIn?: readonly RecipientField[] }
  | { readonly kind: 'mails' }
  | { readonly kind: 'address'; readonly field: string }
  | { readonly kind: 'addresses'; readonly field: string; readonly standing?: true }
  | { readonly kind: 'unknowable' };

/** What a guard has to know of a request. */
export interface Reaching {
  readonly method: string;
  /** For messages. */
  readonly operation: string;
  /** Whom it reaches, false for nobody; undefined where that is not declared. */
  readonly reaches?: () => Reach | false | undefined;
}

/** Decides who may receive email. What is refused is a `RecipientRefusedError`. */
export interface RecipientGuard {
  /** The body of a request as it may be sent, as JSON. */
  pass(request: Reaching, json: string | undefined): string | undefined;
  /** One email of a batch as it may be sent, as JSON. `path` is where it is in the caller's arguments. */
  passMail(operation: string, json: string, path: string, base: unknown): string;
  /** Refuses a body of emails that have passed one by one, if any of them has not. */
  verify(request: Reaching, json: string): void;
}
