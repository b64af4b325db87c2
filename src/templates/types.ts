/** A template, as its folder holds it. */
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
  /** Its HTML, in Handlebars, with `\n` at the end of lines; null if it has no `body.html`. */
  readonly html: string | null;
  /** Its plain text, in Handlebars, with `\n` at the end of lines; null if it has no `body.txt`. */
  readonly text: string | null;
  /** The name of its function in the generated file, in the place of the one made of `folder`. */
  readonly as: string | undefined;
  /** Variables that may be left out, whatever the template does with them: `discount`, or `items[].note`. */
  readonly optional: readonly string[];
  /** Its `example.json`; undefined if it has none. */
  readonly example: Readonly<Record<string, unknown>> | undefined;
  /** The UUID of the template where it was not pushed: it is made of the folder's name, and always the same. */
  readonly uuid: string;
  /** The UUIDs of the template in the accounts to which it was pushed, by the id of the account. */
  readonly uuids: Readonly<Record<string, string>>;
}
