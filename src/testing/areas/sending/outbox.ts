import { check } from '../../checks/argument.ts';
import { arrayOf, recordOf, oneOf, or, positive, text, time, wholeFrom } from '../../checks/kind.ts';
import type { Arrivals } from '../../arrivals.ts';
import type { ReadValues, SharedValues } from '../../shared.ts';
import { readContent, type MailContent } from '../../mailbox/content.ts';
import { withContent, type SaidInMessage } from '../../mailbox/with-content.ts';
import type { EmulatorStream } from '../email-logs/record.ts';
import { readContent as readSaved } from '../email-logs/saved.ts';
import type { Address, EmulatorAttachment, EmulatorMessageTemplate, Mail } from './mail.ts';
import { withUnsubscribeLink } from './unsubscribe.ts';

/** An email that the emulator accepted for one recipient: it was sent, or captured by a test inbox. */
export interface EmulatorMessage extends SaidInMessage {
  /** The message id in the response. In a sandbox, the copies for all recipients of an email have the same. */
  readonly id: string;
  /**
   * Its place among all emails that the emulator has accepted, from 1. A reset does not begin anew: no two have the same.
   */
  readonly number: number;
  /** The stream that it was sent on. */
  readonly stream: EmulatorStream | 'sandbox';
  /** The test inbox that captured it; `null` if it was sent. */
  readonly sandboxInboxId: number | null;
  /** When it was accepted, in milliseconds on the emulator's clock. */
  readonly at: number;
  /** The address of the sender. */
  readonly from: string;
  /** The address of the recipient. */
  readonly to: string;
  /** The field of the email that names the recipient. */
  readonly field: 'to' | 'cc' | 'bcc';
  /** The addresses in its `To` and `Cc` headers. */
  readonly recipients: {
    /** Those in `To`. */
    readonly to: readonly string[];
    /** Those in `Cc`. */
    readonly cc: readonly string[];
  };
  /** Its subject, with the template rendered. */
  readonly subject: string;
  /** Its text, with the template rendered, and a link as in `html`; `null` if it has none. */
  readonly text: string | null;
  /** Its HTML, with the template rendered; `null` if it has none. */
  readonly html: string | null;
  /**
   * The same as it was given: on the bulk stream, `html` has a link in the place of `__unsubscribe_url__`, which is still
   * here.
   */
  readonly givenHtml: string | null;
  /** Its custom headers; on the bulk stream also those by which mail programs unsubscribe with one click. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its attachments, with their content as base64. */
  readonly attachments: readonly EmulatorAttachment[];
  /** Its category; `null` if it has none. */
  readonly category: string | null;
  /** Its custom variables; `null` if it has none. */
  readonly customVariables: Readonly<Record<string, unknown>> | null;
  /** The template it was made from, with what the call forgot and what it gave in vain; `null` without one. */
  readonly template: EmulatorMessageTemplate | null;
}

/** One copy of an email, as the emulator stores it. */
export interface Copy {
  readonly id: string;
  readonly field: 'to' | 'cc' | 'bcc';
  readonly recipient: Address;
  readonly mail: Mail;
  readonly stream: EmulatorStream | 'sandbox';
  readonly inboxId: number | null;
  readonly at: number;
  readonly number: number;
  /** Its content, once it was asked for. */
  content?: MailContent;
}

/** A copy as a snapshot has it: its email is the number of a shared value. */
type SavedCopy = Omit<Copy, 'mail' | 'number' | 'content'> & { readonly mail: number };

interface SavedOutbox {
  readonly lastNumber: number;
  readonly lastGroup: number;
  readonly copies: readonly SavedCopy[];
}

const savedOutbox = recordOf<SavedOutbox>({
  lastNumber: wholeFrom(0),
  lastGroup: wholeFrom(0),
  copies: arrayOf(
    'copies',
    recordOf<SavedCopy>({
      id: text,
      field: oneOf(['to', 'cc', 'bcc']),
      recipient: recordOf<Address>({ email: text, name: or(text, null) }),
      mail: wholeFrom(0),
      stream: oneOf(['transactional', 'bulk', 'sandbox']),
      inboxId: or(positive, null),
      at: time,
    }),
  ),
});

/** All copies of all accepted emails, oldest first. */
export class Outbox {
  readonly #keep: number;
  readonly #arrivals: Arrivals<Copy>;
  #copies: Copy[] = [];
  #lastNumber = 4_967_738_000;
  #lastGroup = 80_000;

  constructor(keep: number, arrivals: Arrivals<Copy>) {
    this.#keep = keep;
    this.#arrivals = arrivals;
  }

  add(added: Omit<Copy, 'number'>): void {
    const copy: Copy = { ...added, number: this.#arrivals.nextNumber() };
    this.#copies.push(copy);
    if (this.#copies.length > this.#keep * 1.1) this.#copies = this.#copies.slice(-this.#keep);
    if (this.#arrivals.count > 0) this.#arrivals.tell(copy, copy.recipient.email.toLowerCase());
  }

  /** Returns an id as batches to test inboxes have it: a number of ten digits. */
  nextNumber(): string {
    this.#lastNumber += 1;
    return String(this.#lastNumber);
  }

  /** Returns an id for what the copies of an email have in common. What those of the service look like is not published. */
  nextGroupId(): string {
    this.#lastGroup += 1;
    return String(this.#lastGroup);
  }

  /** How many emails these test inboxes have captured since then. */
  captured(inboxes: ReadonlySet<number>, since: number): number {
    return this.#copies.filter(({ inboxId, at }) => inboxId !== null && inboxes.has(inboxId) && at >= since)
      .length;
  }

  save(shared: SharedValues): SavedOutbox {
    const copies = this.#copies.map(({ number: _, content: __, ...copy }) => ({
      ...copy,
      mail: shared.numberOf(copy.mail, (mail) => mail),
    }));
    return { lastNumber: this.#lastNumber, lastGroup: this.#lastGroup, copies };
  }

  load(saved: unknown, name: string, shared: ReadValues): void {
    check(savedOutbox, saved, name);
    const { lastNumber, lastGroup, copies } = saved as SavedOutbox;
    this.#lastNumber = lastNumber;
    this.#lastGroup = lastGroup;
    this.#copies = copies.map((copy) => ({
      ...copy,
      mail: shared.at(copy.mail, readSaved),
      number: this.#arrivals.nextNumber(),
    }));
  }

  /** The copies that fit, oldest first. */
  copies(fits: (copy: Copy) => boolean): Copy[] {
    return this.#copies.filter(fits);
  }

  /** The first copy with this id: all copies with it have the same content. */
  find(id: string): Copy | undefined {
    return this.#copies.find((copy) => copy.id === id);
  }

  messages(inboxId?: number): EmulatorMessage[] {
    const wanted =
      inboxId === undefined ? this.#copies : this.#copies.filter((one) => one.inboxId === inboxId);
    return wanted.map(shown);
  }
}

/** A copy as its recipient sees it. */
export function shown(copy: Copy): EmulatorMessage {
  const { id, number, field, recipient, mail, stream, inboxId, at } = copy;
  const { text, html, headers } = stream === 'bulk' ? withUnsubscribeLink(mail, id) : mail;
  const message = {
    id,
    number,
    stream,
    sandboxInboxId: inboxId,
    at,
    from: mail.from.email,
    to: recipient.email,
    field,
    recipients: { to: emailsOf(mail.to), cc: emailsOf(mail.cc) },
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
  return withContent(message, () => (copy.content ??= readContent({ html, text })));
}

const emailsOf = (addresses: readonly Address[]) => addresses.map(({ email }) => email);
