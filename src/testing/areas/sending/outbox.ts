import type { EmulatorStream } from '../logs/record.ts';
import type { Address, EmulatorAttachment, Mail } from './mail.ts';

/** A mail the emulator accepted for one recipient: sent, or captured by a test inbox. */
export interface EmulatorMessage {
  /** The message id the request was answered with. */
  readonly id: string;
  /** The stream it was sent on. */
  readonly stream: EmulatorStream | 'sandbox';
  /** The test inbox that captured it; `null` when it was sent. */
  readonly sandboxInboxId: number | null;
  /** When it was accepted, in milliseconds on the emulator's clock. */
  readonly at: number;
  /** The address of its sender. */
  readonly from: string;
  /** The address of the recipient whose copy this is. */
  readonly to: string;
  /** The field of the mail that names the recipient. */
  readonly field: 'to' | 'cc' | 'bcc';
  /** Its subject, with the template filled in. */
  readonly subject: string;
  /** Its text, likewise; `null` without one. */
  readonly text: string | null;
  /** Its HTML, likewise; `null` without one. */
  readonly html: string | null;
  /** Its own headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its attachments, their content as base64. */
  readonly attachments: readonly EmulatorAttachment[];
  /** Its category; `null` without one. */
  readonly category: string | null;
  /** Its custom variables; `null` without any. */
  readonly customVariables: Readonly<Record<string, unknown>> | null;
}

/** One copy of a mail: what is kept of it. */
interface Copy {
  readonly id: string;
  readonly field: 'to' | 'cc' | 'bcc';
  readonly recipient: Address;
  readonly mail: Mail;
  readonly stream: EmulatorStream | 'sandbox';
  readonly inboxId: number | null;
  readonly at: number;
}

/** Every copy of every mail that was accepted, oldest first. */
export class Outbox {
  readonly #keep: number;
  #copies: Copy[] = [];
  #lastNumber = 4_967_738_000;

  constructor(keep: number) {
    this.#keep = keep;
  }

  add(copy: Copy): void {
    this.#copies.push(copy);
    if (this.#copies.length > this.#keep * 1.1) this.#copies = this.#copies.slice(-this.#keep);
  }

  /** An id as batches into test inboxes have them: a number of ten digits. */
  nextNumber(): string {
    this.#lastNumber += 1;
    return String(this.#lastNumber);
  }

  messages(inboxId?: number): EmulatorMessage[] {
    const wanted =
      inboxId === undefined ? this.#copies : this.#copies.filter((one) => one.inboxId === inboxId);
    return wanted.map(({ id, field, recipient, mail, stream, inboxId: sandboxInboxId, at }) => ({
      id,
      stream,
      sandboxInboxId,
      at,
      from: mail.from.email,
      to: recipient.email,
      field,
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      headers: mail.headers,
      attachments: mail.attachments,
      category: mail.category,
      customVariables: mail.customVariables,
    }));
  }
}
