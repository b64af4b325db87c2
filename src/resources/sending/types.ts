import type { RequestOptions, Stream } from '../../core/request.ts';

/** An email address with a display name. */
export interface EmailAddress {
  /** Email address. */
  email: string;
  /** Display name. */
  name?: string | undefined;
}

/**
 * An email address as an object, or as text: `'ann@example.org'`, or with a display name `'Ann <ann@example.org>'`. A comma
 * or a semicolon in a name needs double quotes: `'"Lee, Ann" <ann@example.org>'`. Whether it is valid is for the service to
 * judge.
 */
export type EmailAddressInput = EmailAddress | string;

/** One email address, or a list of them. Text has one address: several are a list. */
export type EmailAddressList = EmailAddressInput | readonly EmailAddressInput[];

/**
 * A web stream of bytes, such as a `ReadableStream<Uint8Array>`. Declares only the members used here, because the DOM's
 * and Node's stream types are not assignable to each other.
 */
export interface ByteStream {
  /** Whether the stream has a reader, and so is being read or has been read. */
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
  /** Content of the file. */
  content: AttachmentContent;
  /** File name, as the recipient sees it. */
  filename: string;
  /** Media type of the file, such as `application/pdf`. */
  type?: string | undefined;
  /**
   * Whether the file is listed as an attachment, or shown inline where the HTML body refers to it.
   * @defaultValue 'attachment'
   */
  disposition?: 'attachment' | 'inline' | undefined;
  /** Id by which the HTML body refers to the file, as in `<img src="cid:logo">`. */
  content_id?: string | undefined;
}

/** Fields that any email may have besides its recipients and its content. */
export interface MailFields {
  /** Address that replies go to. For several, set a `Reply-To` header instead. */
  reply_to?: EmailAddressInput | undefined;
  /** Files attached to the email. */
  attachments?: readonly Attachment[] | undefined;
  /**
   * Headers of the email. Those made from other fields, or added in transport, are refused, except `Reply-To`, which may
   * have several addresses and excludes `reply_to`.
   */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Values of your own, returned with the email in the email log; at most 1000 bytes as JSON. */
  custom_variables?: Readonly<Record<string, string | number | boolean>> | undefined;
}

/** An email's recipients: one address or a list in each field, at most 1000 addresses each. */
export interface RecipientFields {
  /** Primary recipients. */
  to?: EmailAddressList | undefined;
  /** Cc recipients, visible to all recipients. */
  cc?: EmailAddressList | undefined;
  /** Bcc recipients, hidden from all other recipients. */
  bcc?: EmailAddressList | undefined;
}

/** Recipients of an email: at least one address in `to`, `cc` or `bcc`. */
export type Recipients = RecipientFields &
  // The compiler's message names the last: the field that is most likely to be missing.
  (
    | {
        /** Bcc recipients, hidden from all other recipients; enough without `to` and `cc`. */
        bcc: EmailAddressList;
      }
    | {
        /** Cc recipients, visible to all recipients; enough without `to` and `bcc`. */
        cc: EmailAddressList;
      }
    | {
        /** Primary recipients; may be left out when there are `cc` or `bcc` recipients. */
        to: EmailAddressList;
      }
  );

/** Content of an email, given in the call. */
export interface InlineFields {
  /** Subject line. */
  subject: string;
  /** Plain-text body. */
  text?: string | undefined;
  /** HTML body. */
  html?: string | undefined;
  /** Your own label for filtering the email log, at most 255 characters. */
  category?: string | undefined;
  /** Cannot be combined with your own subject and bodies. */
  template_uuid?: undefined;
  /** Only with `template_uuid`. */
  template_variables?: undefined;
}

/** Content of an email, given in the call: a subject, and a body as text, HTML or both. */
export type InlineContent = InlineFields &
  (
    | {
        /** HTML body; may be left out when there is `text`. */
        html: string;
      }
    | {
        /** Plain-text body; may be left out when there is `html`. */
        text: string;
      }
  );

/** Content of an email, taken from a template. */
export interface TemplateContent {
  /** The template's `uuid`. Subject and bodies come from the template, and cannot be given in the call. */
  template_uuid: string;
  /** Values for the template's `{{names}}`. */
  template_variables?: Readonly<Record<string, unknown>> | undefined;
  /** Absent: the subject comes from the template. */
  subject?: undefined;
  /** Absent: the plain-text body comes from the template. */
  text?: undefined;
  /** Absent: the HTML body comes from the template. */
  html?: undefined;
  /** Absent: the service refuses a category beside a template. */
  category?: undefined;
}

/**
 * Parameters of `sending.send`: one email, with content of its own or from a template. All fields, with their limits, are in
 * one table of the guide on sending email.
 */
export type SendParams = MailFields & {
  /** Sender; the address's domain must be a verified sending domain. Required unless the client's `defaults` have one. */
  from?: EmailAddressInput | undefined;
} & Recipients &
  (TemplateContent | InlineContent);

type Without<Params, Key extends PropertyKey> = Params extends unknown ? Omit<Params, Key> : never;

/**
 * The parameters of `sending.send` without some fields, for a function that adds them. TypeScript's own `Omit` would
 * merge the kinds of emails into one that is none of them.
 */
export type SendParamsWithout<Key extends keyof SendParams> = Without<SendParams, Key>;

/**
 * Fields of every email that does not have its own; for the client's option `defaults`. In a batch, the sender is put into
 * the base, and the others into the emails.
 */
export interface MailDefaults {
  /** Sender; the address's domain must be a verified sending domain. */
  readonly from?: EmailAddressInput | undefined;
  /** Address that replies go to; left out of an email that has a `Reply-To` header. */
  readonly reply_to?: EmailAddressInput | undefined;
  /** Your own label for filtering the email log, at most 255 characters; left out of an email from a template. */
  readonly category?: string | undefined;
}

/** The result of `sending.send`. */
export interface SendResult {
  /** Always true: when the service does not accept the email, an error is thrown. */
  success: true;
  /**
   * A message id for each recipient, in the order to, cc, bcc; a sandbox returns one for all of them. Empty when the
   * response has none.
   */
  message_ids: string[];
  /** True if the email was sent before with the same `idempotencyKey`: nothing was sent now, and the ids are those of then. */
  replayed?: true | undefined;
}

/** Fields that all emails of a batch share, unless one has its own. */
export type BatchBase = MailFields & {
  /** Sender; the address's domain must be a verified sending domain. */
  from?: EmailAddressInput | undefined;
} & (Partial<InlineFields> | Partial<TemplateContent>);

/** One email of a batch: its recipients, and the fields that differ from the base. */
export type BatchRequest = BatchBase & Recipients;

/** Parameters of `sending.batch`. */
export interface BatchParams {
  /** Fields that all emails share, unless one has its own. */
  base?: BatchBase | undefined;
  /** The emails, 1 to 500. */
  requests: readonly BatchRequest[];
}

/** The outcome of one email of a batch. */
export interface BatchResponse {
  /** Whether the email was accepted. Absent only from a response other than documented, which does not tell. */
  success: boolean;
  /**
   * A message id for each recipient, in the order to, cc, bcc; a sandbox returns one for all of them. Empty when the
   * email was rejected.
   */
  message_ids: string[];
  /** Why the email was rejected. */
  errors?: string[] | undefined;
}

/** The result of `sending.batch`. */
export interface BatchResult {
  /** False only when the batch as a whole failed; when true, single emails may still have been rejected. */
  success: boolean;
  /** The outcome of each email, in the order of `requests`; empty when the response says nothing of single emails. */
  responses: BatchResponse[];
  /** Why the batch as a whole failed. */
  errors?: string[] | undefined;
}

/** Options of `sending.batch`, and of every other call of `sending`. */
export interface BatchOptions extends RequestOptions {
  /** Where the emails are sent: the transactional stream, the bulk stream, or a sandbox. The client's by default. */
  readonly stream?: Stream | undefined;
  /** Id of the sandbox inbox, for stream `'sandbox'`. The client's by default. */
  readonly sandboxInboxId?: number | undefined;
}

/** Options of `sending.send`. */
export interface SendOptions extends BatchOptions {
  /**
   * Whether the email may be sent again when the outcome of an attempt is unknown: after a timeout, a lost response, a 408
   * or a 5xx. It may then arrive `1 + maxRetries` times. For an email that had better come twice than not at all, such as
   * one with a sign-in code. A call that fails in the end leaves open whether the email was sent.
   * @defaultValue false
   */
  readonly repeatable?: boolean | undefined;
  /**
   * Key of the email, which is sent once, however often and by however many processes it is sent with this key: 1 to 255
   * bytes without control characters. Needs the client's option `journal`. The email carries it as a custom variable, which
   * the service and webhooks show: it must not be a secret.
   */
  readonly idempotencyKey?: string | undefined;
}
