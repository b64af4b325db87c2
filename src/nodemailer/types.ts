/**
 * The parts of nodemailer's objects that are used here. They are declared, not imported: nodemailer brings its own types
 * since version 10, and those for 8 and 9 are a package of their own, which an application may not have.
 */
import type { AccountPoolName } from '../core/limits.ts';
import type { SendOptions, SendParams, SendResult } from '../resources/sending/types.ts';

/** The addresses of an email as SMTP has them, each of them once. */
export interface SentEnvelope {
  /** The sender's address; false if the message has none. */
  from: string | false;
  /** The recipients' addresses, in the order to, cc, bcc. */
  to: string[];
}

/** What `sendMail` resolves with. */
export interface SentInfo {
  /**
   * The service's id for the first recipient's copy, by which the email log finds it; empty when the response has none. It
   * is not the `Message-ID` header, which the service writes.
   */
  messageId: string;
  /** The service's ids: one for each recipient, in the order of `accepted`; a sandbox returns one for all of them. */
  messageIds: string[];
  /** Sender and recipients, as it was sent: where a guard redirects, with the addresses that it redirects to. */
  envelope: SentEnvelope;
  /** The addresses of those to whom it was sent, in the order to, cc, bcc: the service accepts an email as a whole. */
  accepted: string[];
  /** Empty: a recipient whom the service does not accept is an error. */
  rejected: string[];
  /** Always `accepted`. */
  response: string;
}

/** An address as nodemailer reads it. */
export interface MailAddress {
  /** Email address. */
  readonly address?: string | undefined;
  /** Display name. */
  readonly name?: string | undefined;
}

/** A message as nodemailer hands it to a transport. */
export interface Mail {
  /** The fields of the message, with the defaults of the transporter. */
  readonly data: object;
  /** The message as nodemailer would write it out. */
  readonly message: {
    /** The addresses by header, in lower case; groups are resolved. */
    getAddresses(): Readonly<Record<string, readonly MailAddress[] | undefined>>;
    /** The addresses as SMTP has them. */
    getEnvelope(): Readonly<Record<string, unknown>>;
    /** The value of a header as it was given. */
    getHeader(name: string): unknown;
    /** The headers, written out. */
    buildHeaders(): string;
  };
  /** Reads all files, streams and addresses that the message refers to. */
  normalize(callback: (error: Error | null, data: never) => void): void;
}

/** A client of this package, an `EmailPlatform`. */
export interface MailClient {
  /** Sends the emails. */
  readonly sending: {
    /** Sends one. */
    send(params: SendParams, options?: SendOptions): PromiseLike<SendResult>;
  };
  /** Its rate limits. */
  readonly limits: {
    /** Milliseconds until so many further requests would have been sent. */
    estimate(count: number, pool?: 'token' | AccountPoolName): number;
  };
  /** Asked by `verify()`. */
  readonly accounts: {
    /** The accounts that the token can see. */
    list(): PromiseLike<unknown>;
  };
  /** Derives a client that reports its calls. */
  withOptions(options: { readonly hooks?: object }): unknown;
}
