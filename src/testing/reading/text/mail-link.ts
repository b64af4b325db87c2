/** A link of an email. */
export interface MailLink {
  /** The URL, as a browser resolves it. */
  readonly url: string;
  /** The visible text, on one line. An image counts as its alternative text. Empty if nothing is visible. */
  readonly text: string;
}
