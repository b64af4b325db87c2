/** The fields that this package adds to the types of nodemailer's messages. */
import type { Stream } from '../../core/request.ts';

/** A template of the service, for a message of nodemailer. */
export interface TemplateReference {
  /** The template's `uuid`. Subject and bodies come from the template, and cannot be given in the message. */
  readonly uuid: string;
  /** Values for the template's `{{names}}`. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

/** Fields that a message of nodemailer may have besides nodemailer's own fields. */
export interface EmailPlatformFields {
  /** The stream of this email. Default: the transport's stream. */
  stream?: Stream | undefined;
  /** Your own label for filtering the email log, at most 255 characters; an email with a `template` must have none. */
  category?: string | undefined;
  /** Your own values, returned with the email in the email log; at most 1000 bytes as JSON. */
  customVariables?: Readonly<Record<string, string | number | boolean>> | undefined;
  /**
   * A template of the service. A text is ignored: it belongs to plugins that render their own templates, such as
   * Handlebars.
   */
  template?: string | TemplateReference | undefined;
  /** Your idempotency key for this email, passed to `sending.send`. */
  idempotencyKey?: string;
}

/** A field of nodemailer's message that the service cannot send, and that the transport can ignore. */
export type IgnorableField =
  | 'date'
  | 'sender'
  | 'dkim'
  | '_dkim'
  | 'amp'
  | 'watchHtml'
  | 'auth'
  | 'ses'
  | 'dsn'
  | 'requireTLSExtensionEnabled';

/*
 * A program has one version of nodemailer, or none. The declarations for the other versions are errors there, so each
 * has a `@ts-ignore`.
 */
/* oxlint-disable typescript/ban-ts-comment, typescript/no-empty-object-type -- it is an error in some programs, and merging needs an interface */
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
