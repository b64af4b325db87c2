/** An address with the name shown beside it. */
export interface Address {
  readonly email: string;
  readonly name: string | null;
}

/** A file that went along with a mail. */
export interface EmulatorAttachment {
  /** Its content, as base64. */
  readonly content: string;
  /** Its name. */
  readonly filename: string;
  /** Its media type; `application/octet-stream` when none was given. */
  readonly type: string;
  /** Whether it is shown in the mail or beside it. */
  readonly disposition: 'attachment' | 'inline';
  /** What the HTML refers to it by; `null` without one. */
  readonly contentId: string | null;
}

/** What a mail says, its template filled in. */
export interface MailContent {
  readonly from: Address;
  readonly replyTo: Address | null;
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly subject: string;
  readonly text: string | null;
  readonly html: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly EmulatorAttachment[];
}

/** A mail that was asked for and can be sent. */
export interface Mail extends MailContent {
  readonly bcc: readonly Address[];
  readonly category: string | null;
  readonly customVariables: Readonly<Record<string, unknown>> | null;
  readonly templateId: number | null;
  readonly templateVariables: Readonly<Record<string, unknown>> | null;
}
