import type { MailContent } from './content.ts';
import type { MailLink } from './mail-link.ts';

/** The content of a message of the emulator. Read when it is first asked for, and not enumerable. */
export interface SaidInMessage {
  /**
   * Its links: every `<a href>` of its HTML in their order, as a browser sees them; without HTML, the addresses in its text.
   * A script or a relative address is none. Not enumerable.
   *
   * @throws `RangeError` if the HTML has more than 2,000,000 elements, or more than 100,000 and than characters.
   */
  readonly links: readonly MailLink[];
  /**
   * Its codes: 4 to 8 digits that stand alone in the visible text, each once. If some have an element or a line to
   * themselves, only those. Not enumerable.
   *
   * @throws `RangeError` if the HTML has more than 2,000,000 elements, or more than 100,000 and than characters.
   */
  readonly codes: readonly string[];
}

/** Adds to a message what it says. */
export function withContent<Message extends object>(
  message: Message,
  content: () => MailContent,
): Message & SaidInMessage {
  return Object.defineProperties(message, {
    links: { get: () => content().links, configurable: true },
    codes: { get: () => content().codes.codes.map(({ value }) => value), configurable: true },
  }) as Message & SaidInMessage;
}
