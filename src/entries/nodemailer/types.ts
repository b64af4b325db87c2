/**
 * The parts of nodemailer's objects that this package uses. They are declared instead of imported: nodemailer has its
 * own types since version 10, and the types for 8 and 9 are a separate package, which an application may not have.
 */
import type { AccountPoolName } from '../../core/limits.ts';
import type { SendOptions, SendParams, SendResult } from '../../resources/sending/types.ts';

/** The SMTP envelope of an email, each address once. */
export interface SentEnvelope {
  /** The sender's address; false if the message has none. */
  from: string | false;
  /** The recipients' addresses, in the order to, cc, bcc. */
  to: string[];
}

/** The result of `sendMail`. */
export interface SentInfo {
  /**
   * The service's id of the first recipient's copy. The email log finds the copy by it. Empty if the response has
   * none. It is not the `Message-ID` header, which the service writes.
   */
  messageId: string;
  /**
   * The service's ids: one for each recipient, in the order of `accepted`. A sandbox returns one id for all
   * recipients.
   */
  messageIds: string[];
  /** Sender and recipients of the sent email. If a guard redirects it, these are the addresses that it redirects to. */
  envelope: SentEnvelope;
  /** The addresses of the recipients, in the order to, cc, bcc: the service accepts an email as a whole. */
  accepted: string[];
  /** Always empty: a recipient that the service refuses is an error. */
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
  /** The transporter that the message was given to. */
  readonly mailer?: object;
  /** The fields of the message, with the defaults of the transporter. */
  readonly data: object;
  /** The message as nodemailer would write it out. */
  readonly message: {
    /** The addresses by header, in lower case; groups are resolved. */
    getAddresses(): Readonly<Record<string, readonly MailAddress[] | undefined>>;
    /** The SMTP envelope. */
    getEnvelope(): Readonly<Record<string, unknown>>;
    /** The original value of a header. */
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
    /** Sends one email. */
    send(params: SendParams, options?: SendOptions): PromiseLike<SendResult>;
  };
  /** Its rate limits. */
  readonly limits: {
    /** Milliseconds until this number of further requests would have been sent. */
    estimate(count: number, pool?: 'token' | AccountPoolName): number;
  };
  /** Used by `verify()`. */
  readonly accounts: {
    /** The accounts that the token can see. */
    list(): PromiseLike<unknown>;
  };
}
