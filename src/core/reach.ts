/** The recipients of a request: the fields of its body that name the people who will receive email. */

/** The fields of an email that name its recipients. */
export const RECIPIENT_FIELDS = ['to', 'cc', 'bcc'] as const;
export type RecipientField = (typeof RECIPIENT_FIELDS)[number];

/**
 * The place of the recipients in a request:
 *
 * - `mail`: the body is an email. The service fills in recipients for empty fields in `fillsIn`.
 * - `mails`: the body is a batch of emails in `requests`, with shared fields in `base`.
 * - `address`: one field is an address.
 * - `addresses`: one field is a list of objects with an address. If `standing` is true, a request without the field
 * reaches the recipients that the service already has.
 * - `unknowable`: the request does not name them.
 */
export type Reach =
  | { readonly kind: 'mail'; readonly fillsIn?: readonly RecipientField[] }
  | { readonly kind: 'mails' }
  | { readonly kind: 'address'; readonly field: string }
  | { readonly kind: 'addresses'; readonly field: string; readonly standing?: true }
  | { readonly kind: 'unknowable' };

/** The facts of a request that a guard needs. */
export interface Reaching {
  readonly method: string;
  /** For messages. */
  readonly operation: string;
  /** The recipients of the request; false if it reaches no person, undefined if they are not declared. */
  readonly reaches?: () => Reach | false | undefined;
}

/** Decides who may receive email. Throws `RecipientRefusedError` for a refused request. */
export interface RecipientGuard {
  /** The allowed form of a request's body, as JSON. */
  pass(request: Reaching, json: string | undefined): string | undefined;
  /** The allowed form of one email of a batch, as JSON. `path` is its place in the caller's arguments. */
  passMail(operation: string, json: string, path: string, base: unknown): string;
  /** Refuses a body that contains an email which has not passed the guard. */
  verify(request: Reaching, json: string): void;
}
