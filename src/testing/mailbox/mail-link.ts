/** A link of an email. */
export interface MailLink {
  /** Where it leads, as a browser resolves it. */
  readonly url: string;
  /** Its text as a person reads it, on one line. An image counts as its alternative text. Empty if nothing is visible. */
  readonly text: string;
}
