import type { MailParts } from '../../handlebars/mail.ts';

/** A template in its folder; with languages, each language that has a folder of its own is one. */
export interface TemplateFolder {
  /** The folder's own name, such as `receipt`; of a language, `receipt/de`. */
  readonly folder: string;
  /** The path of the folder, such as `emails/receipt` or `emails/receipt/de`. */
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
  /** @internal The other accounts of the lock: there, the template's function throws. */
  readonly unpushed?: readonly string[];
  /** Its language, such as `de-AT`; undefined if `templates.config.json` has no `languages`. */
  readonly locale?: string;
  /** @internal Its relation to the other languages of the template; undefined like `locale`. */
  readonly language?: {
    /** The name of the template, which is the name of its default language. */
    readonly of: string;
    /** The languages and folders of the parts that its own folder lacks. */
    readonly taken: Readonly<Partial<Record<TakenPart, TakenFrom>>>;
    /** The parts of the other languages: the variables of a template are those of all of them. */
    readonly others: readonly LanguageParts[];
  };
}

/** A part that a language may take from another one. */
export type TakenPart = 'subject' | 'category' | 'html' | 'text';

/** The language that a part comes from, and its folder. */
export interface TakenFrom {
  readonly locale: string;
  readonly path: string;
}

/** The own parts of a language that have variables: empty, or null, where it takes another's. */
export interface LanguageParts extends MailParts {
  readonly locale: string;
  /** The folder's path in that of the template, such as `de/`; empty for the default. */
  readonly inside: string;
  readonly subjectLine?: number;
}
