import type { MailCode } from './codes.ts';
import type { MailContent } from './content.ts';
import type { MailLink } from '../text/mail-link.ts';

/** The content of a message of the emulator. Read at the first access, and not enumerable. */
export interface SaidInMessage {
  /**
   * The links: every `<a href>` of the HTML in document order, as a browser resolves it; without HTML, the addresses in the
   * text. Scripts and relative addresses are left out. Not enumerable.
   *
   * @throws `RangeError` if the HTML has more than 2,000,000 elements, or more than 100,000 and than characters.
   */
  readonly links: readonly MailLink[];
  /**
   * The distinct codes, with the rank of each and its reason, the highest rank first: 4 to 8 digits that stand alone in the
   * visible text or in the subject, also in two groups of three. Not enumerable.
   *
   * @throws `RangeError` if the HTML has more than 2,000,000 elements, or more than 100,000 and than characters.
   */
  readonly codes: readonly MailCode[];
}

/** Adds the links and the codes to a message. */
export function withContent<Message extends object>(
  message: Message,
  content: () => MailContent,
): Message & SaidInMessage {
  return Object.defineProperties(message, {
    links: { get: () => content().links, configurable: true },
    codes: {
      get: () => content().codes.codes.map(({ value, rank, reason }): MailCode => ({ value, rank, reason })),
      configurable: true,
    },
  }) as Message & SaidInMessage;
}
