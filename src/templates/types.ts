/** A template in its folder. */
export interface TemplateFolder {
  /** The folder's own name, such as `receipt`. */
  readonly folder: string;
  /** The path of the folder, such as `emails/receipt`. */
  readonly path: string;
  /** The template's name in the service. */
  readonly name: string;
  /** Its subject, in Handlebars. */
  readonly subject: string;
  /** @internal The line of the subject in `template.json`, from 1. */
  readonly subjectLine?: number;
  /** The category of emails sent with it. */
  readonly category: string;
  /** Its HTML in Handlebars, with line ends as `\n`; null if it has no `body.html`. */
  readonly html: string | null;
  /** Its plain text in Handlebars, with line ends as `\n`; null if it has no `body.txt`. */
  readonly text: string | null;
  /** The name of its function in the generated file, instead of the name made from `folder`. */
  readonly as: string | undefined;
  /** Optional variables, regardless of their use in the template: `discount`, or `items[].note`. */
  readonly optional: readonly string[];
  /** Its `example.json`; undefined if it has none. */
  readonly example: Readonly<Record<string, unknown>> | undefined;
  /** @internal The names of other files in the folder, which are not read. */
  readonly unread?: readonly string[];
  /**
   * The UUID of the template in an account to which it was not pushed. Derived from the folder's name, and always the
   * same.
   */
  readonly uuid: string;
  /** The UUIDs of the template by the id of the account to which it was pushed. */
  readonly uuids: Readonly<Record<string, string>>;
}
