import type { RequestOptions, Stream } from '../../core/request.ts';

/** An email address with a display name. */
export interface EmailAddress {
  /** Email address. */
  email: string;
  /** Display name. */
  name?: string | undefined;
}

/**
 * An email address as an object, or as text: `'ann@example.org'`, or with a display name `'Ann <ann@example.org>'`. A
 * comma or a semicolon in a name needs double quotes: `'"Lee, Ann" <ann@example.org>'`. The service decides whether the
 * address is valid.
 */
export type EmailAddressInput = EmailAddress | string;

/** One email address, or a list of them. A text contains one address; pass several as a list. */
export type EmailAddressList = EmailAddressInput | readonly EmailAddressInput[];

/**
 * A web stream of bytes, such as a `ReadableStream<Uint8Array>`. Declares only the members used here, because the DOM's
 * and Node's stream types are not assignable to each other.
 */
export interface ByteStream {
  /** Whether the stream has a reader: it is being read or has been read. */
  readonly locked: boolean;
  /** Locks the stream and returns a reader for it. */
  getReader(): {
    /** Reads the next chunk. */
    read(): Promise<{
      /** Whether the stream has ended. */
      done: boolean;
      /** The chunk; absent at the end. */
      value?: Uint8Array | undefined;
    }>;
    /** Stops reading and cancels the stream. */
    cancel(reason?: unknown): Promise<void>;
  };
  /** Cancels the stream unread. */
  cancel(reason?: unknown): Promise<void>;
}

/**
 * Content of an attachment: a base64 string, which is sent as it is, or bytes, which are base64-encoded chunk by chunk. A
 * string that cannot be base64 is refused: text is passed as bytes, `new TextEncoder().encode(text)`.
 * A web stream (from a Node stream, `Readable.toWeb(stream)`) is read once, before the email is sent, and cannot be
 * used again.
 */
export type AttachmentContent = string | Uint8Array | ArrayBuffer | Blob | ByteStream;

/** A file attached to an email. */
export interface Attachment {
  /** Content of the file. A Buffer that went through JSON is read too. */
  content: AttachmentContent;
  /** File name for the recipient. */
  filename: string;
  /** Media type of the file, such as `application/pdf`. */
  type?: string | undefined;
  /**
   * Whether the file is listed as an attachment, or shown inline where the HTML body refers to it.
   * @defaultValue 'attachment'
   */
  disposition?: 'attachment' | 'inline' | undefined;
  /**
   * Id by which the HTML body refers to the file: `logo` for `<img src="cid:logo">`. Angle brackets around it, and a
   * `cid:` before it, are left out.
   */
  content_id?: string | undefined;
}

/** Fields of every kind of email besides its recipients and its content. */
export interface MailFields {
  /**
   * Sender, required here, in the base of a batch or in the client's `defaults`; the address's domain must be a verified
   * sending domain.
   */
  from?: EmailAddressInput | undefined;
  /** Address for replies. For several, set a `Reply-To` header instead. */
  reply_to?: EmailAddressInput | undefined;
  /** Files attached to the email. */
  attachments?: readonly Attachment[] | undefined;
  /**
   * Headers of the email. Headers that other fields set, and those that the service reserves, are refused, except
   * `Reply-To`, which may have several addresses and excludes `reply_to`.
   */
  headers?: Readonly<Record<string, string | undefined>> | undefined;
  /** Your own values, returned with the email in the email log; at most 1000 bytes as JSON, with the key. */
  custom_variables?: Readonly<Record<string, string | number | boolean>> | undefined;
}

/** Recipients: one address or a list in each field, at most 1000 addresses each. */
export interface RecipientFields {
  /** Primary recipients. */
  to?: EmailAddressList | undefined;
  /** Cc recipients, visible to all recipients. */
  cc?: EmailAddressList | undefined;
  /** Bcc recipients, hidden from all other recipients. */
  bcc?: EmailAddressList | undefined;
}

/** Recipients of an email: at least one address in `to`, `cc` or `bcc`. */
export interface Recipients extends RecipientFields {
  /** Primary recipients; `[]` if all recipients are in `cc` or `bcc`. */
  to: EmailAddressList;
}

/** Content of an email in the call: a subject, and a body as text, HTML or both. */
export interface OwnContent {
  /** Subject line: an email without `template_uuid` needs one, an email with it must have none. */
  subject: string;
  /** Plain-text body: an email without `template_uuid` needs `text`, `html` or both; an email with it must have neither. */
  text?: string | undefined;
  /** HTML body: an email without `template_uuid` needs `html`, `text` or both; an email with it must have neither. */
  html?: string | undefined;
  /** Your own label for filtering the email log, at most 255 characters; an email with `template_uuid` must have none. */
  category?: string | undefined;
}

/** Content of an email, taken from a template. */
export interface TemplateContent {
  /** The template's `uuid`. The subject and the bodies are the template's: the call cannot set them, nor a `category`. */
  template_uuid: string;
  /** Values for the template's `{{names}}`; an email without `template_uuid` must have none. */
  template_variables?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Types of fields that an email must not have beside another one. No value has them, and the compiler's message about
 * such a field names the other one. In an editor, `string` absorbs them.
 */
export declare enum NotTogetherWith {
  /** Not together with `subject`. */
  subject = 'subject',
  /** Not together with `template_uuid`. */
  template_uuid = 'template_uuid',
}
type NoTemplate = {
  // Not the enum for variables: a hover would show it beside their type, which does not absorb it.
  [Field in keyof TemplateContent]?: Field extends 'template_uuid'
    ? NotTogetherWith.subject | undefined
    : undefined;
};
type NoOwnContent = { [Field in keyof OwnContent]?: NotTogetherWith.template_uuid | undefined };

/** An email with its own subject and body. */
export interface OwnEmail extends MailFields, Recipients, OwnContent, NoTemplate {}

/** An email from a template. */
export interface TemplateEmail extends MailFields, Recipients, TemplateContent, NoOwnContent {}

/**
 * Parameters of `sending.send`: one email, with its own content or a template's. The guide on sending email has a table
 * of all fields and their limits.
 */
export type SendParams = OwnEmail | TemplateEmail;

/** An attachment of a {@link StoredMail}. */
export interface StoredAttachment extends Omit<Attachment, 'content'> {
  /** Content of the file, as base64 text. */
  content: string;
}

/** A {@link StoredMail} with its own subject and body. */
export interface StoredOwnEmail extends Omit<OwnEmail, 'attachments'> {
  /** Files attached to the email. */
  attachments?: readonly StoredAttachment[] | undefined;
}

/** A {@link StoredMail} from a template. */
export interface StoredTemplateEmail extends Omit<TemplateEmail, 'attachments'> {
  /** Files attached to the email. */
  attachments?: readonly StoredAttachment[] | undefined;
}

/**
 * An email as a queue, an outbox or a workflow stores it, in JSON: its attachments are base64 text, because JSON keeps
 * no bytes. It can be sent as it is.
 */
export type StoredMail = StoredOwnEmail | StoredTemplateEmail;

/** Fields for emails that have none of their own, for the client's option `defaults`. */
export interface MailDefaults {
  /** Sender; the address's domain must be a verified sending domain. */
  readonly from?: EmailAddressInput | undefined;
  /** Address for replies; not added to an email with a `Reply-To` header. */
  readonly reply_to?: EmailAddressInput | undefined;
  /** Your own label for filtering the email log, at most 255 characters; not added to an email from a template. */
  readonly category?: string | undefined;
}

/** The result of `sending.send`. */
export interface SendResult {
  /** Always true: if the service does not accept the email, the call throws. */
  success: true;
  /**
   * A message id for each recipient, in the order to, cc, bcc; a sandbox returns one for all of them. Empty when the
   * response has none.
   */
  message_ids: string[];
  /**
   * True if the email was sent before with the same `idempotencyKey`: this call sent nothing, and the ids are those of
   * the first send.
   */
  replayed?: true | undefined;
}

/** The base of a batch of emails with their own content. */
export interface BatchOwnBase extends MailFields, Partial<OwnContent>, NoTemplate {}

/** The base of a batch of emails from a template. */
export interface BatchTemplateBase extends MailFields, Partial<TemplateContent>, NoOwnContent {}

/** Fields that all emails of a batch share, unless one has its own. */
export type BatchBase = BatchOwnBase | BatchTemplateBase;

/** An email of a batch with its own content; what it leaves out comes from the base. */
export interface BatchOwnEmail extends BatchOwnBase, Recipients {}

/** An email of a batch from a template; what it leaves out comes from the base. */
export interface BatchTemplateEmail extends BatchTemplateBase, Recipients {}

/** One email of a batch: its recipients, and the fields that differ from the base. */
export type BatchRequest = BatchOwnEmail | BatchTemplateEmail;

/** Parameters of `sending.batch`. */
export interface BatchParams {
  /** Fields that all emails share, unless one has its own. */
  base?: BatchBase | undefined;
  /** The emails, 1 to 500. */
  requests: readonly BatchRequest[];
}

/** The outcome of one email of a batch. */
export interface BatchResponse {
  /** Whether the service accepted the email. Absent only in an undocumented response without it. */
  success: boolean;
  /**
   * A message id for each recipient, in the order to, cc, bcc; a sandbox returns one for all of them. Empty when the
   * email was rejected.
   */
  message_ids: string[];
  /** The reasons for the rejection of the email: `Unauthorized` if the domain of its `from` is not verified. */
  errors?: string[] | undefined;
}

/** The result of `sending.batch`. */
export interface BatchResult {
  /** False only if the batch as a whole failed; if true, single emails may still be rejected. */
  success: boolean;
  /** The outcome of each email, in the order of `requests`; empty if the response has no outcomes of single emails. */
  responses: BatchResponse[];
  /** The reasons for the failure of the batch as a whole. */
  errors?: string[] | undefined;
}

/** Options of every method of `sending` that sends. They name no account: email leaves from the token's own account. */
export interface BatchOptions extends Omit<RequestOptions, 'accountId'> {
  /** The stream of the emails: transactional, bulk, or a sandbox. The client's by default. */
  readonly stream?: Stream | undefined;
  /** Id of the sandbox inbox, for stream `'sandbox'`. The client's by default. */
  readonly sandboxInboxId?: number | undefined;
}

/** Options of `sending.send`. */
export interface SendOptions extends BatchOptions {
  /**
   * Whether the email may be sent again when the outcome of an attempt is unknown: after a timeout, a lost response, a
   * 408 or a 5xx. It may then arrive up to `1 + maxRetries` times. For an email that is better duplicated than lost, such as
   * one with a sign-in code. If the call fails in the end, the email may still have been sent. Not together with
   * `idempotencyKey`.
   * @defaultValue false
   */
  readonly repeatable?: boolean | undefined;
  /**
   * Key of the email: a further send with this key, also by another process, does not repeat an accepted email. 1 to
   * 255 bytes without control characters. Not together with `repeatable`. Needs the client's option `journal`. The
   * email carries it as a custom variable, which the service and webhooks show: it must not be a secret. An undefined
   * key is refused, because it would protect no email.
   */
  readonly idempotencyKey?: string;
}
