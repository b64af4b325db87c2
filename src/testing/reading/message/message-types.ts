import type { NamedAddress } from '../content/named-address.ts';
import type { MailLink } from '../text/mail-link.ts';
import type { LinkChoice } from './pick.ts';

/** A file attached to an email. */
export interface MailboxAttachment {
  /** Its name, as the sender wrote it: do not use it as a path. `null` if it has none. */
  readonly filename: string | null;
  /** Its media type. */
  readonly type: string;
  /** Its content. */
  readonly content: Uint8Array;
  /** Whether it is shown inside the email, or as an attachment. */
  readonly disposition: 'attachment' | 'inline';
  /** The id by which the HTML refers to it, as `cid:`; `null` if it has none. */
  readonly contentId: string | null;
}

/** The template of an email. */
export interface MailboxTemplate {
  /** Its name. */
  readonly name: string;
  /** The UUID that the email was sent with. */
  readonly uuid: string;
  /** Its language, such as `de-AT`; undefined unless the folder of its templates has languages. */
  readonly locale?: string;
}

/** An email that a {@link Mailbox} received. */
export interface MailboxMail {
  /** The id of the message, on an emulator or in a test inbox. */
  readonly id: string;
  /** The address of the sender. */
  readonly from: string;
  /** The name of the sender, such as `Harbour Books`; `null` if there is none. */
  readonly fromName: string | null;
  /** The addresses in `To`. */
  readonly to: readonly string[];
  /** The names in `To`, in the order of `to`; `null` for an address without a name. */
  readonly toNames: readonly (string | null)[];
  /** The addresses in `Cc`. */
  readonly cc: readonly string[];
  /** The names in `Cc`, in the order of `cc`; `null` for an address without a name. */
  readonly ccNames: readonly (string | null)[];
  /** The address for answers, the first of several; `null` if they go to the sender. */
  readonly reply_to: NamedAddress | null;
  /** Its subject. */
  readonly subject: string;
  /** The template that it was made from, on an emulator; `null` for an email without one, and in a test inbox. */
  readonly template: MailboxTemplate | null;
  /** The time of sending, by the clock of the emulator or of the service. */
  readonly date: Date;
  /** Its text; `null` if it has none. */
  readonly text: string | null;
  /** Its HTML; `null` if it has none. */
  readonly html: string | null;
  /** Its headers, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its attachments. */
  readonly attachments: readonly MailboxAttachment[];
  /**
   * The links: every `<a href>` of the HTML in document order, as a browser resolves it; without HTML, the addresses in the
   * text. Scripts and relative addresses are left out; `mailto:` counts.
   */
  readonly links: readonly MailLink[];
  /**
   * Returns the URL of a link, chosen by its text, its URL or a function.
   *
   * @param choice - The link's whole text, ignoring case and white space; a pattern for its URL; or a function.
   * @throws `Error` unless exactly one URL fits. The message lists the links.
   *
   * @example
   * ```ts
   * await page.goto(mail.link('Confirm your address'));
   * ```
   */
  link(choice: LinkChoice): string;
  /**
   * Returns the code in the visible text or in the subject: 4 to 8 digits that stand alone, also as `123 456` or `123-456`.
   * Years, parts of a date, an amount, a quantity, a phone number or an address, and numbers of orders, customers, registers
   * and cards do not count. A code that a word such as "code" or "PIN" introduces takes precedence over one that has an
   * element or a line to itself, and that one over any other.
   *
   * @param pattern - Finds a code of another form, such as one with letters: its first group, or the whole match.
   * @throws `Error` unless there is exactly one code of the highest rank. The message lists them, and the text before each.
   *
   * @example
   * ```ts
   * await page.getByLabel('Code').fill(mail.code());
   * const order = mail.code(/order (\w+-\d+)/);
   * ```
   */
  code(pattern?: RegExp): string;
}

/** A filter for emails. A field that is left out matches every email. */
export interface MailboxFilter {
  /**
   * The address of a recipient, in upper or lower case. On an emulator, of any recipient, also in `Bcc`; in a test inbox, of
   * a recipient in `To`.
   */
  readonly to?: string;
  /** The address of the sender, in upper or lower case. */
  readonly from?: string;
  /** The whole subject, ignoring case and white space; or a pattern. */
  readonly subject?: string | RegExp;
  /** The earliest time of arrival: a `Date` or milliseconds, by the clock of the emulator or of the service. */
  readonly after?: Date | number;
  /** Ends the wait early: the promise rejects with its reason. */
  readonly signal?: AbortSignal;
}

/** The filter and the waiting time of {@link Mailbox.waitFor}. */
export interface MailboxWait extends MailboxFilter {
  /**
   * How long to wait, in milliseconds of real time: in an emulator less than a test of Vitest and Jest may take, so that
   * the error is seen.
   * @defaultValue 4_000; at a test inbox 5_000
   */
  readonly timeoutMs?: number;
}

/** The filter and the time of {@link Mailbox.none}. */
export interface MailboxNone extends MailboxFilter {
  /**
   * How long to look, in milliseconds of real time. The mailbox reads a test inbox every 2 seconds, and again at the end.
   */
  readonly withinMs: number;
}

/** A mailbox for tests, made by {@link mailbox}. */
export interface Mailbox {
  /**
   * Returns a unique address, such as `ann+k3f9x0q2m7c1@example.org`. It needs no setup: emails to it are captured like any
   * others.
   *
   * @param name - The part before the plus.
   * @throws `TypeError` or `RangeError` if it has characters other than letters, digits, dots, dashes and underscores.
   */
  address(name?: string): string;
  /**
   * Waits for an email, and returns it. An email that is already there counts; the oldest comes first. The mailbox returns
   * each email once: the next call waits for another one. The process stays alive meanwhile.
   *
   * @throws `Error` if none comes in time; its message lists the emails that came instead, and says whether a limit refused
   * emails. The reason of the signal. `TypeError` for an unknown field or a wrong type, `RangeError` for a wrong value. The
   * promise rejects with it.
   */
  waitFor(wanted?: MailboxWait): Promise<MailboxMail>;
  /**
   * Resolves if no matching email comes, except those that {@link Mailbox.waitFor} has returned.
   *
   * @throws `Error` with the email that came, as soon as it does; otherwise as {@link Mailbox.waitFor}.
   */
  none(unwanted: MailboxNone): Promise<void>;
}

/** The options of {@link mailbox}. */
export interface MailboxOptions {
  /**
   * The domain of {@link Mailbox.address}.
   * @defaultValue 'example.org'
   */
  readonly domain?: string;
}

/** The options of {@link mailbox} for a test inbox of the service. */
export interface MailboxInboxOptions extends MailboxOptions {
  /**
   * The id of the test inbox.
   * @defaultValue the client's `sandboxInboxId`
   */
  readonly inbox?: number;
}

/** The part of a client that a {@link Mailbox} uses. An `EmailPlatform` has it. */
export interface MailboxClient {
  /** The default test inbox. */
  readonly sandboxInboxId?: number | undefined;
  /** Test inboxes. */
  readonly sandbox: {
    /** The messages in them. */
    readonly messages: {
      /** Lists the messages in a test inbox, newest first. */
      list(inbox: number, params: object, options: MailboxRequestOptions): MailboxMessageList;
      /** Returns a whole message. */
      eml(inbox: number, id: number, options: MailboxRequestOptions): PromiseLike<Uint8Array>;
    };
    /** The inboxes themselves. */
    readonly inboxes: {
      /** Returns an inbox. */
      get(inbox: number): PromiseLike<MailboxInbox>;
    };
  };
  /** The client's rate limits. */
  readonly limits?: {
    /** Returns the current state; a mailbox reads whether sending to the sandbox was refused. */
    snapshot(): {
      /** Sending to the sandbox. */
      readonly sandbox?: {
        /** The end of the refusal. */
        readonly blockedUntil?: Date;
      };
    };
  };
}

/** The options with which a {@link Mailbox} calls a client. */
export interface MailboxRequestOptions {
  /** Ends the call early. */
  readonly signal?: AbortSignal;
  /** Lets other calls go first. */
  readonly priority?: 'low';
}

/** How full a test inbox is. */
export interface MailboxInbox {
  /** Messages in the inbox. */
  readonly emails_count: number;
  /** The most messages the inbox keeps. */
  readonly max_size: number;
}

/** A list of the messages in a test inbox, newest first, by pages. */
export interface MailboxMessageList {
  /** Resolves to the first page, with its response. */
  withResponse(): Promise<{
    /** The first page. */
    readonly data: MailboxMessagePage;
    /** Its response. */
    readonly response: {
      /** The state of the token's limit. */
      readonly rateLimit: {
        /** Requests allowed in the token's window. */
        readonly limit?: number;
        /** Requests left in the window. */
        readonly remaining?: number;
      };
    };
  }>;
}

/** A page of the messages in a test inbox. */
export interface MailboxMessagePage {
  /** Its messages, newest first. */
  readonly items: readonly MailboxMessage[];
  /** Fetches the next page; resolves to undefined on the last. */
  nextPage(): Promise<MailboxMessagePage | undefined>;
}

/** A message in a test inbox, without its content. */
export interface MailboxMessage {
  /** Its id. */
  readonly id: number;
  /** Its subject. */
  readonly subject: string;
  /** The address of the sender. */
  readonly from_email: string;
  /** The addresses in `To`, separated by commas. */
  readonly to_email: string;
  /** The time of arrival, as an ISO 8601 date-time. */
  readonly created_at: string;
}
