import { readContent, type MailContent } from '../content/content.ts';
import type { NamedAddress } from '../content/named-address.ts';
import type { MailLink } from '../text/mail-link.ts';
import { codeOf, matchOf, urlOf, type LinkChoice } from './pick.ts';
import type { MailboxAttachment, MailboxMail, MailboxTemplate } from './message-types.ts';

/** The parts of an email. */
export type MailParts = Omit<MailboxMail, 'links' | 'link' | 'code'>;

/** An email. Reads its links and codes at the first access. */
export class ReceivedMail implements MailboxMail {
  declare readonly id: string;
  declare readonly from: string;
  declare readonly fromName: string | null;
  declare readonly to: readonly string[];
  declare readonly toNames: readonly (string | null)[];
  declare readonly cc: readonly string[];
  declare readonly ccNames: readonly (string | null)[];
  declare readonly reply_to: NamedAddress | null;
  declare readonly subject: string;
  declare readonly template: MailboxTemplate | null;
  declare readonly date: Date;
  declare readonly text: string | null;
  declare readonly html: string | null;
  declare readonly headers: Readonly<Record<string, string>>;
  declare readonly attachments: readonly MailboxAttachment[];
  #read: MailContent | undefined;

  constructor(parts: MailParts) {
    Object.assign(this, parts);
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
