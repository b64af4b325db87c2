/**
 * Emails, their log, and what became of them. May import `service/state/base` and `reading`; no other part of the
 * state.
 */
import type { Arrivals } from '../../../common/waiters.ts';
import { duration, oneOf, positiveOrInfinity } from '../../../declare/kind.ts';
import { type MailContent, readContent } from '../../../reading/content/content.ts';
import type { NamedAddress } from '../../../reading/content/named-address.ts';
import { type SaidInMessage, withContent } from '../../../reading/content/with-content.ts';
import { option, type Options, type Settings } from '../../../declare/option.ts';
import type { State } from '../base/state.ts';
import type { ReaderLinks } from './reader-links.ts';
import type { EmulatorDeliveryTiming } from './course.ts';
import type { EmulatorStream, LogRecord } from './email-log.ts';
import {
  type Address,
  type EmulatorAttachment,
  type EmulatorMessageTemplate,
  forReader,
  type Mail,
} from './mail.ts';

/** The unpublished behavior of sending. */
export interface EmulatorSendingOptions extends EmulatorDeliveryTiming {
  /**
   * The response if the sender's domain is not verified, or if the token has no access to it: `unauthorized` (401) or
   * `forbidden` (403). Different sources publish different ones.
   * @defaultValue 'unauthorized'
   */
  unverifiedDomain?: 'unauthorized' | 'forbidden';
  /**
   * The largest request for a single email, in bytes. The default is 10 MiB, the limit of a new account.
   * @defaultValue 10_485_760
   */
  maxMailBytes?: number;
  /**
   * The largest request for a batch, in bytes. The default is 50 MiB. No request may be larger than 60 MiB.
   * @defaultValue 52_428_800
   */
  maxBatchBytes?: number;
  /**
   * The most accepted emails that `messages()` and the sandbox keep. They drop the oldest first.
   * @defaultValue 1_000_000
   */
  keep?: number;
}

export type SendingSettings = Settings<EmulatorSendingOptions>;

export const sendingOptions: Options<EmulatorSendingOptions> = {
  deliverMs: option(duration, 1000, 'not published; long enough to see a message that is still enqueued'),
  openMs: option(duration, 60_000, 'up to the reader'),
  clickMs: option(duration, 120_000, 'up to the reader'),
  unverifiedDomain: option(oneOf(['unauthorized', 'forbidden']), 'unauthorized', 'recorded'),
  maxMailBytes: option(
    positiveOrInfinity,
    10 * 1024 ** 2,
    'the limit of a new account in the public reference',
  ),
  maxBatchBytes: option(positiveOrInfinity, 50 * 1024 ** 2, 'specified'),
  keep: option(positiveOrInfinity, 1_000_000, 'a bound for an emulator that runs for days'),
};

/**
 * An email that the emulator accepted for one recipient, and sent or captured in a test inbox. An email to a suppressed
 * address is not sent: only the log has it.
 */
export interface EmulatorMessage extends SaidInMessage {
  /** The message id in the response. In a sandbox, all recipients of an email have the same id. */
  readonly id: string;
  /**
   * The unique number of the email among all emails that the emulator accepted, from 1. A reset does not restart it.
   */
  readonly number: number;
  /** The stream of the email. */
  readonly stream: EmulatorStream | 'sandbox';
  /** The test inbox that captured the email; `null` for a sent email. */
  readonly sandboxInboxId: number | null;
  /** The time of acceptance, in milliseconds on the emulator's clock. */
  readonly at: number;
  /** The address of the sender. */
  readonly from: string;
  /** The name of the sender; `null` if there is none. */
  readonly fromName: string | null;
  /** The address of the recipient. */
  readonly to: string;
  /** The name of the recipient; `null` if there is none. */
  readonly toName: string | null;
  /** The address for answers; `null` if they go to the sender. */
  readonly reply_to: NamedAddress | null;
  /** The field of the email that names the recipient. */
  readonly field: 'to' | 'cc' | 'bcc';
  /** The addresses in the `To` and `Cc` headers. */
  readonly recipients: {
    /** The addresses in `To`. */
    readonly to: readonly string[];
    /** The addresses in `Cc`. */
    readonly cc: readonly string[];
    /** The names in `To`, in the order of `to`; `null` for an address without a name. */
    readonly toNames: readonly (string | null)[];
    /** The names in `Cc`, in the order of `cc`; `null` for an address without a name. */
    readonly ccNames: readonly (string | null)[];
  };
  /** Its subject, with the template rendered. */
  readonly subject: string;
  /** Its text, with the template rendered, and a link as in `html`; `null` if it has none. */
  readonly text: string | null;
  /** Its HTML, with the template rendered; `null` if it has none. */
  readonly html: string | null;
  /**
   * The HTML before links replace `__unsubscribe_url__` and `__tracking_opt_out_url__`.
   */
  readonly givenHtml: string | null;
  /** The custom headers; on the bulk stream also the headers for one-click unsubscription. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its attachments, with their content as base64. */
  readonly attachments: readonly EmulatorAttachment[];
  /** Its category; `null` if it has none. */
  readonly category: string | null;
  /** Its custom variables; `null` if it has none. */
  readonly customVariables: Readonly<Record<string, unknown>> | null;
  /** The template, with the missing and the unused variables of the call; `null` without a template. */
  readonly template: EmulatorMessageTemplate | null;
}

/** One copy of an email, as the emulator stores it. */
export interface Copy {
  readonly id: string;
  /** The number of the copy in this state. */
  readonly place: number;
  readonly field: 'to' | 'cc' | 'bcc';
  readonly recipient: Address;
  readonly mail: Mail;
  readonly stream: EmulatorStream | 'sandbox';
  readonly inboxId: number | null;
  readonly at: number;
  /** Set for an email of a campaign. */
  readonly mailing?: MailingOfCopy;
}

/** The mailing of a campaign, as reports use it. */
interface MailingOfCopy {
  readonly facts: { readonly campaign: string };
  readonly size: number;
}

/** A new copy, with its {@link Emulator.Message.number} in this process. */
export interface Arrival {
  readonly copy: Copy;
  readonly number: number;
  readonly message: () => EmulatorMessage;
}

interface OutboxState {
  copies: Copy[];
  lastPlace: number;
  lastNumber: number;
  lastGroup: number;
}

/** Records emails beyond a reset. */
export interface MailRecorder {
  /** @param record - The entry of the email log, if it has one. */
  mail(copy: Copy, number: number, record: LogRecord | undefined, links: ReaderLinks): void;
}

/** The parts that an outbox needs. */
interface OutboxParts {
  readonly arrivals: Arrivals<Arrival>;
  readonly recorder: MailRecorder;
  readonly readerLinks: ReaderLinks;
}

/** All copies of all accepted emails, oldest first. */
export class Outbox {
  readonly #keep: number;
  readonly #parts: OutboxParts;
  readonly #state: OutboxState;
  /** The difference between number and place: earlier states of this process have used the numbers below. */
  readonly #offset: number;
  /** A cache of the links and codes of emails. */
  readonly #contents = new WeakMap<Copy, MailContent>();

  constructor(state: State, keep: number, parts: OutboxParts) {
    this.#parts = parts;
    const initial = { copies: [], lastPlace: 0, lastNumber: 4_967_738_000, lastGroup: 80_000 };
    this.#state = state.part<OutboxState>('outbox', initial);
    this.#keep = keep;
    const { arrivals } = parts;
    const { copies, lastPlace } = this.#state;
    this.#offset = arrivals.last - (copies[0] === undefined ? lastPlace : copies[0].place - 1);
    arrivals.last = this.#offset + lastPlace;
  }

  /**
   * Adds the copy that `make` returns for its place.
   *
   * @param record - The entry of the email log, if it has one.
   */
  add(make: (place: number) => Copy, record?: LogRecord): void {
    const { copy, number } = this.#recorded(make, record);
    const { copies } = this.#state;
    copies.push(copy);
    if (copies.length > this.#keep * 1.1) this.#state.copies = copies.slice(-this.#keep);
    const { arrivals } = this.#parts;
    if (arrivals.count === 0) return;
    arrivals.tell({ copy, number, message: () => this.shown(copy) }, copy.recipient.email.toLowerCase());
  }

  /** Records a copy that is not sent, because its recipient is suppressed: only reports have it. */
  withhold(make: (place: number) => Copy, record: LogRecord): void {
    this.#recorded(make, record);
  }

  #recorded(make: (place: number) => Copy, record: LogRecord | undefined) {
    this.#state.lastPlace += 1;
    const copy = make(this.#state.lastPlace);
    const number = this.numberOf(copy);
    const { arrivals, recorder, readerLinks } = this.#parts;
    arrivals.last = Math.max(arrivals.last, number);
    recorder.mail(copy, number, record, readerLinks);
    return { copy, number };
  }

  /** The {@link Emulator.Message.number} of a copy. */
  numberOf({ place }: Copy): number {
    return this.#offset + place;
  }

  /** Returns an id for a batch to a test inbox: a number of ten digits. */
  nextNumber(): string {
    this.#state.lastNumber += 1;
    return String(this.#state.lastNumber);
  }

  /** Returns an id that all copies of an email share. The format of the service's ids is not published. */
  nextGroupId(): string {
    this.#state.lastGroup += 1;
    return String(this.#state.lastGroup);
  }

  /** The number of emails that these test inboxes have captured since a time. */
  captured(inboxes: ReadonlySet<number>, since: number): number {
    return this.#state.copies.filter(
      ({ inboxId, at }) => inboxId !== null && inboxes.has(inboxId) && at >= since,
    ).length;
  }

  /** The first copy with this id. All copies with one id have the same content. */
  find(id: string): Copy | undefined {
    return this.#state.copies.find((copy) => copy.id === id);
  }

  /** The latest copy that fits. */
  latest(fits: (copy: Copy) => boolean): Copy | undefined {
    return this.#state.copies.findLast(fits);
  }

  /** The emails with a number above `after` that fit, oldest first. By default, all of them. */
  messages(fits: (copy: Copy, number: number) => boolean = () => true, after = 0): EmulatorMessage[] {
    const { copies } = this.#state;
    const first = after > 0 ? copies.findLastIndex((copy) => this.numberOf(copy) <= after) + 1 : 0;
    return copies
      .slice(first)
      .filter((copy) => fits(copy, this.numberOf(copy)))
      .map((copy) => this.shown(copy));
  }

  /** A copy, for the test: with the recipient's links. */
  shown(copy: Copy): EmulatorMessage {
    const { id, field, recipient, mail, stream, inboxId, at } = copy;
    const linked = { id, to: recipient.email, sentAt: at };
    const { text, html, headers } =
      stream === 'sandbox' ? mail : forReader(mail, stream, this.#parts.readerLinks, linked);
    const message = {
      id,
      number: this.numberOf(copy),
      stream,
      sandboxInboxId: inboxId,
      at,
      from: mail.from.email,
      fromName: mail.from.name,
      to: recipient.email,
      toName: recipient.name,
      reply_to: mail.replyTo,
      field,
      recipients: {
        to: emailsOf(mail.to),
        cc: emailsOf(mail.cc),
        toNames: namesOf(mail.to),
        ccNames: namesOf(mail.cc),
      },
      subject: mail.subject,
      text,
      html,
      givenHtml: mail.html,
      headers,
      attachments: mail.attachments,
      category: mail.category,
      customVariables: mail.customVariables,
      template: mail.template,
    };
    return withContent(message, () => {
      const content = this.#contents.get(copy) ?? readContent({ html, text, subject: mail.subject });
      this.#contents.set(copy, content);
      return content;
    });
  }
}

const namesOf = (addresses: readonly Address[]) => addresses.map(({ name }) => name);
const emailsOf = (addresses: readonly Address[]) => addresses.map(({ email }) => email);
