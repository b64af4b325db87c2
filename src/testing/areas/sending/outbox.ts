import type { State } from '../../state.ts';
import type { Waiters } from '../../waiters.ts';
import type { EmulatorStream } from '../email-logs/record.ts';
import type { Address, EmulatorAttachment, Mail } from './mail.ts';
import { withUnsubscribeLink } from './unsubscribe.ts';

/** An email that the emulator accepted for one recipient: it was sent, or captured by a test inbox. */
export interface EmulatorMessage {
  /** The message id in the response. In a sandbox, the copies for all recipients of an email have the same. */
  readonly id: string;
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
}

/** All copies of all accepted emails, oldest first. */
export class Outbox {
  readonly #keep: number;
  readonly #arrivals: Waiters<Copy>;
  readonly #state: { copies: Copy[]; lastNumber: number; lastGroup: number };

  constructor(state: State, keep: number, arrivals: Waiters<Copy>) {
    const copies: Copy[] = [];
    this.#state = state.part('outbox', { copies, lastNumber: 4_967_738_000, lastGroup: 80_000 });
    this.#keep = keep;
    this.#arrivals = arrivals;
  }

  add(copy: Copy): void {
    const { copies } = this.#state;
    copies.push(copy);
    if (copies.length > this.#keep * 1.1) this.#state.copies = copies.slice(-this.#keep);
    if (this.#arrivals.count > 0) this.#arrivals.tell(copy, copy.recipient.email.toLowerCase());
  }

  /** Returns an id as batches to test inboxes have it: a number of ten digits. */
  nextNumber(): string {
    this.#state.lastNumber += 1;
    return String(this.#state.lastNumber);
  }

  /** Returns an id for what the copies of an email have in common. What those of the service look like is not published. */
  nextGroupId(): string {
    this.#state.lastGroup += 1;
    return String(this.#state.lastGroup);
  }

  /** How many emails these test inboxes have captured since then. */
  captured(inboxes: ReadonlySet<number>, since: number): number {
    return this.#state.copies.filter(
      ({ inboxId, at }) => inboxId !== null && inboxes.has(inboxId) && at >= since,
    ).length;
  }

  /** The copies that fit, oldest first. */
  copies(fits: (copy: Copy) => boolean): Copy[] {
    return this.#state.copies.filter(fits);
  }

  /** The first copy with this id: all copies with it have the same content. */
  find(id: string): Copy | undefined {
    return this.#state.copies.find((copy) => copy.id === id);
  }

  messages(inboxId?: number): EmulatorMessage[] {
    const wanted =
      inboxId === undefined
        ? this.#state.copies
        : this.#state.copies.filter((one) => one.inboxId === inboxId);
    return wanted.map(shown);
  }
}

/** A copy as its recipient sees it. */
export function shown({ id, field, recipient, mail, stream, inboxId, at }: Copy): EmulatorMessage {
  const { text, html, headers } = stream === 'bulk' ? withUnsubscribeLink(mail, id) : mail;
  return {
    id,
    stream,
    sandboxInboxId: inboxId,
    at,
    from: mail.from.email,
    to: recipient.email,
    field,
    subject: mail.subject,
    text,
    html,
    givenHtml: mail.html,
    headers,
    attachments: mail.attachments,
    category: mail.category,
    customVariables: mail.customVariables,
  };
}
