/** An address with the name shown beside it. */
export interface Address {
  readonly email: string;
  readonly name: string | null;
}

/** A file that goes along. */
export interface Attachment {
  readonly content: string;
  readonly filename: string;
  readonly type: string;
  readonly disposition: 'attachment' | 'inline';
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
  readonly attachments: readonly Attachment[];
}

/** A mail that was asked for and can be sent. */
export interface Mail extends MailContent {
  readonly bcc: readonly Address[];
  readonly category: string | null;
  readonly customVariables: Readonly<Record<string, unknown>> | null;
  readonly templateId: number | null;
  readonly templateVariables: Readonly<Record<string, unknown>> | null;
}
