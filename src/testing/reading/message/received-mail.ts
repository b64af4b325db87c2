import { readContent, type MailContent } from '../content/content.ts';
import type { NamedAddress } from '../content/named-address.ts';
import type { MailLink } from '../text/mail-link.ts';
import { codeOf, matchOf, urlOf, type LinkChoice } from './pick.ts';
import type { MailboxAttachment, MailboxMail, MailboxTemplate } from './message-types.ts';

/** The parts of an email. */
export type MailParts = Omit<MailboxMail, 'links' | 'link' | 'code'>;

/** An email. Reads its links and codes at the first access. */
export class ReceivedMail implements MailboxMail {
  readonly id: string;
  readonly from: string;
  readonly fromName: string | null;
  readonly to: readonly string[];
  readonly toNames: readonly (string | null)[];
  readonly cc: readonly string[];
  readonly ccNames: readonly (string | null)[];
  readonly reply_to: NamedAddress | null;
  readonly subject: string;
  readonly template: MailboxTemplate | null;
  readonly date: Date;
  readonly text: string | null;
  readonly html: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly MailboxAttachment[];
  #read: MailContent | undefined;

  constructor(parts: MailParts) {
    this.id = parts.id;
    this.from = parts.from;
    this.fromName = parts.fromName;
    this.to = parts.to;
    this.toNames = parts.toNames;
    this.cc = parts.cc;
    this.ccNames = parts.ccNames;
    this.reply_to = parts.reply_to;
    this.subject = parts.subject;
    this.template = parts.template;
    this.date = parts.date;
    this.text = parts.text;
    this.html = parts.html;
    this.headers = parts.headers;
    this.attachments = parts.attachments;
  }

  get links(): readonly MailLink[] {
    return this.#content.links;
  }

  link(choice: LinkChoice): string {
    if (typeof choice !== 'string' && typeof choice !== 'function' && !isPattern(choice))
      throw new TypeError('`choice` must be a text, a RegExp or a function');
    return urlOf(this.#content, choice, this.#name);
  }

  code(pattern?: RegExp): string {
    if (pattern === undefined) return codeOf(this.#content, this.#name);
    if (!isPattern(pattern)) throw new TypeError('`pattern` must be a RegExp');
    return matchOf(this.#content, pattern, this.#name);
  }

  get #content(): MailContent {
    return (this.#read ??= readContent(this));
  }

  get #name(): string {
    return `The email ${JSON.stringify(this.subject)} to ${this.to.join(', ')}`;
  }
}

/** Whether a value is a RegExp, also from another realm. */
export const isPattern = (value: unknown): value is RegExp =>
  Object.prototype.toString.call(value) === '[object RegExp]';
