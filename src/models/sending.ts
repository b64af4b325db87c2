import type { ByteStream } from '../core/base64.ts';
import type { RequestOptions, Stream } from '../core/request.ts';

/** A mail address with the name shown beside it. */
export interface EmailAddress {
  /** The address. */
  email: string;
  /** The name shown beside it. */
  name?: string | undefined;
}

/**
 * What a file holds: base64 text, which is sent as it is, or bytes, which are encoded a piece at a time. A web stream (of
 * Node's, `Readable.toWeb(stream)`) is read once, before the mail is sent, and cannot be used again.
 */
export type AttachmentContent = string | Uint8Array | ArrayBuffer | Blob | ByteStream;

/** A file that goes along with a mail. */
export interface Attachment {
  /** What it holds. */
  content: AttachmentContent;
  /** Its name, as the recipient sees it. */
  filename: string;
  /** Its media type, such as `application/pdf`. */
  type?: string | undefined;
  /**
   * Whether it is listed as a file, or shown where the HTML body refers to it.
   * @defaultValue 'attachment'
   */
  disposition?: 'attachment' | 'inline' | undefined;
  /** What the HTML body refers to it by, as in `<img src="cid:logo">`. */
  content_id?: string | undefined;
}

/** What any mail may have beside its recipients and its words. */
export interface MailFields {
  /** Where answers go. */
  reply_to?: EmailAddress | undefined;
  /** Files that go along. */
  attachments?: readonly Attachment[] | undefined;
  /** Headers of the mail. Those made from other fields, and those of its transport, are refused. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Values that come back in the log of the mail; at most 1000 bytes of JSON. */
  custom_variables?: Readonly<Record<string, string | number | boolean>> | undefined;
}

/** Lists of recipients, at most 1000 addresses each. */
export interface RecipientFields {
  /** Primary recipients. */
  to?: readonly EmailAddress[] | undefined;
  /** Copy recipients, visible to all. */
  cc?: readonly EmailAddress[] | undefined;
  /** Blind-copy recipients, hidden from all others. */
  bcc?: readonly EmailAddress[] | undefined;
}

/** Who gets a mail: at least one address in any of the lists. */
export type Recipients = RecipientFields &
  // A compiler's message names the last: the field most callers have forgotten.
  (
    | {
        /** Blind-copy recipients, hidden from all others; enough by themselves. */
        bcc: readonly EmailAddress[];
      }
    | {
        /** Copy recipients, visible to all; enough by themselves. */
        cc: readonly EmailAddress[];
      }
    | {
        /** Primary recipients; may be left out where there are others. */
        to: readonly EmailAddress[];
      }
  );

/** The words of a mail, given in the call. */
export interface InlineFields {
  /** Its subject. */
  subject: string;
  /** Its plain text. */
  text?: string | undefined;
  /** Its HTML. */
  html?: string | undefined;
  /** A label of yours, by which logs can be filtered; at most 255 characters. */
  category?: string | undefined;
  /** Not together with a subject and bodies of one's own. */
  template_uuid?: undefined;
  /** For templates only. */
  template_variables?: undefined;
}

/** The words of a mail, given in the call: a subject, and a body as text, HTML or both. */
export type InlineContent = InlineFields &
  (
    | {
        /** Its HTML; may be left out where there is text. */
        html: string;
      }
    | {
        /** Its plain text; may be left out where there is HTML. */
        text: string;
      }
  );

/** The words of a mail, taken from a template. */
export interface TemplateContent {
  /** The template's `uuid`. It brings subject and bodies, which then cannot be given. */
  template_uuid: string;
  /** What the template's `{{names}}` stand for. */
  template_variables?: Readonly<Record<string, unknown>> | undefined;
  /** Comes from the template. */
  subject?: undefined;
  /** Comes from the template. */
  text?: undefined;
  /** Comes from the template. */
  html?: undefined;
  /** A label of yours, by which logs can be filtered; at most 255 characters. The public reference does not list it here. */
  category?: string | undefined;
}

/** What `sending.send` takes: one mail, with words of its own or from a template. */
export type SendParams = MailFields & {
  /** The sender; its domain must be a verified sending domain. */
  from: EmailAddress;
} & Recipients &
  (TemplateContent | InlineContent);

/** What `sending.send` gives. */
export interface SendResult {
  /** Always true: a refusal is thrown. */
  success: true;
  /** An id for each recipient, in the order to, cc, bcc; empty when the answer could not be read. */
  message_ids: string[];
}

/** What all mails of a batch share, unless one has its own. */
export type BatchBase = MailFields & {
  /** The sender; its domain must be a verified sending domain. */
  from?: EmailAddress | undefined;
} & (Partial<InlineFields> | Partial<TemplateContent>);

/** One mail of a batch: its recipients, and what differs from the base. */
export type BatchRequest = BatchBase & Recipients;

/** What `sending.batch` takes. */
export interface BatchParams {
  /** What all mails share. */
  base?: BatchBase | undefined;
  /** The mails, 1 to 500. */
  requests: readonly BatchRequest[];
}

/** What became of one mail of a batch. */
export interface BatchResponse {
  /** Whether it was accepted. */
  success: boolean;
  /** An id for each recipient, in the order to, cc, bcc; empty when it was refused. */
  message_ids: string[];
  /** Why it was refused. */
  errors?: string[];
}

/** What `sending.batch` gives. */
export interface BatchResult {
  /** False only when the batch as a whole failed; single mails may have been refused all the same. */
  success: boolean;
  /** What became of each mail, in the order of the requests; empty when the answer could not be read. */
  responses: BatchResponse[];
  /** Why the batch as a whole failed. */
  errors?: string[];
}

/** What may be set for one call of `sending`. */
export interface SendOptions extends RequestOptions {
  /** Where the mails go: the transactional stream, the bulk stream, or a sandbox. The client's own by default. */
  readonly stream?: Stream | undefined;
  /** The inbox that stream `'sandbox'` sends into. The client's own by default. */
  readonly sandboxInboxId?: number | undefined;
}
