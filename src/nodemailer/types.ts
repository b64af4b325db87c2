/**
 * The parts of nodemailer's objects that are used here, and what this package adds to its types. They are declared, not
 * imported: nodemailer brings its own types since version 10, and those for 8 and 9 are a package of their own, which an
 * application may not have.
 */
import type { Stream } from '../core/request.ts';
import type { AccountPoolName } from '../core/limits.ts';
import type { SendOptions, SendParams, SendResult } from '../resources/sending/types.ts';

/** A template of the service, for a message of nodemailer. */
export interface TemplateReference {
  /** The template's `uuid`. Subject and bodies come from the template, and cannot be given in the message. */
  readonly uuid: string;
  /** Values for the template's `{{names}}`. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

/** What a message of nodemailer may have besides nodemailer's own fields. */
export interface EmailPlatformFields {
  /** The stream that this email is sent on. The transport's by default. */
  stream?: Stream | undefined;
  /** Your own label for filtering the email log, at most 255 characters. */
  category?: string | undefined;
  /** Values of your own, returned with the email in the email log; at most 1000 bytes as JSON. */
  customVariables?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** A template of the service. Text is left to plugins that render templates of their own, such as Handlebars. */
  template?: string | TemplateReference | undefined;
  /** A key of yours for this email, passed to `sending.send`. */
  idempotencyKey?: string | undefined;
}

// A program has one version of nodemailer, or none: what is declared for the others is an error to be ignored.
/** @ts-ignore: the types of nodemailer 8 and 9 */
declare module 'nodemailer/lib/mailer' {
  interface Options extends EmailPlatformFields {}
}
/** @ts-ignore: the same, as Node resolves it in an ES module */
declare module 'nodemailer/lib/mailer/index.js' {
  interface Options extends EmailPlatformFields {}
}
/** @ts-ignore: the types of nodemailer 10 */
declare module 'nodemailer/lib/mailer/mail-message' {
  interface SendMailOptions extends EmailPlatformFields {}
}

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
  /** Sender and recipients. */
  envelope: SentEnvelope;
  /** The recipients' addresses: the service accepts an email as a whole. */
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
    getAddresses(): { readonly [header: string]: readonly MailAddress[] | undefined };
    /** The addresses as SMTP has them. */
    getEnvelope(): { readonly from?: unknown; readonly to?: unknown };
    /** The value of a header as it was given. */
    getHeader(name: string): unknown;
    /** The headers, written out. */
    buildHeaders(): string;
  };
  /** Reads all files, streams and addresses that the message refers to. */
  normalize(callback: (error: Error | null, data: never) => void): void;
}

/** Events by which the transport follows its calls. */
interface Watching {
  readonly onStart: (event: { readonly callId: string }) => void;
  readonly onThrottle: (event: { readonly callId: string }) => void;
  readonly onRequest: (event: { readonly callId: string }) => void;
  readonly onRetry: (event: { readonly callId: string }) => void;
  readonly onEnd: (event: { readonly callId: string }) => void;
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
  withOptions(options: { readonly hooks?: Watching }): MailClient;
}
