import type { RequestOptions } from '../../core/request.ts';

/** A message in a test inbox. */
export interface SandboxMessage {
  /** Id of the message; newer messages have higher ids. */
  id: number;
  /** Id of the test inbox. */
  inbox_id: number;
  /** The same, in responses of paths without an account. */
  sandbox_id?: number | undefined;
  /** Subject. */
  subject: string;
  /** Time of its `Date` header, as an ISO 8601 date-time. */
  sent_at: string;
  /** Address of the sender. */
  from_email: string;
  /** Name of the sender; often `''`. */
  from_name: string;
  /** Addresses in `To`, separated by commas. */
  to_email: string;
  /** Name of the recipient; often `''`. */
  to_name: string;
  /** Size of the message, in bytes. */
  email_size: number;
  /** Whether it is marked as read. */
  is_read: boolean;
  /** When it arrived, as an ISO 8601 date-time. */
  created_at: string;
  /** When it last changed, as an ISO 8601 date-time. */
  updated_at: string;
  /** Id of the template it was sent with; null or 0 if there is none. */
  template_id?: number | null | undefined;
  /** Variables for the template. */
  template_variables?: Record<string, unknown> | null | undefined;
  /** Size of its HTML, in bytes; 0 if it has none. */
  html_body_size: number;
  /** Size of its text, in bytes; 0 if it has none. */
  text_body_size: number;
  /** Size of the message, as readable text. */
  human_size: string;
  /** Path of its HTML; use `sandbox.messages.html`. */
  html_path: string;
  /** Path of its text; use `sandbox.messages.text`. */
  txt_path: string;
  /** Path of its source; use `sandbox.messages.raw`. */
  raw_path: string;
  /** Path of its `.eml` file; use `sandbox.messages.eml`. */
  download_path: string;
  /** Path of the source of its HTML; use `sandbox.messages.htmlSource`. */
  html_source_path: string;
  /** Whether the sender is on blacklists; false if there is no report. */
  blacklists_report_info: SandboxBlacklistReport | false;
  /** Its transfer by SMTP, if it used SMTP. */
  smtp_information: SandboxSmtpInformation;
}

/** Whether the sender of a message is on blacklists. */
export interface SandboxBlacklistReport {
  /** State of the report, such as `success` or `pending`. */
  result: string;
  /** Checked domain. */
  domain?: string | undefined;
  /** Checked IP address. */
  ip?: string | undefined;
  /** Each blacklist. */
  report?: SandboxBlacklist[] | undefined;
}

/** A blacklist, and whether the sender of a message is on it. */
export interface SandboxBlacklist {
  /** Name of the blacklist. */
  name: string;
  /** Its website. */
  url: string;
  /** Whether the sender is on it. */
  in_black_list: boolean;
}

/** The transfer of a message by SMTP. */
export interface SandboxSmtpInformation {
  /** Whether there is any information. */
  ok: boolean;
  /** The information; absent if there is none. */
  data?: SandboxSmtpData | undefined;
}

/** Information about the transfer of a message by SMTP. */
export interface SandboxSmtpData {
  /** Sender of the envelope. */
  mail_from_addr: string;
  /** Recipients of the envelope; not in every response. */
  rcpt_to_addrs?: string[] | undefined;
  /** IP address of the SMTP client. */
  client_ip: string;
}

/** Parameters of `sandbox.messages.list`. */
export interface SandboxMessageListParams {
  /** Text in the subject, in an address of `To`, or in its name. */
  search?: string | undefined;
  /** Id of the last message read, to resume the list after it. The service then ignores `page`. */
  last_id?: number | undefined;
  /** Number of the first page, from 1 on. A page has 30 messages. */
  page?: number | undefined;
}

/** Parameters of `sandbox.messages.markRead`. */
export interface SandboxMarkReadParams {
  /** `true` marks the message as read, `false` as unread. */
  is_read: boolean;
}

/** Parameters of `sandbox.messages.forward`. */
export interface SandboxForwardParams {
  /** Address to forward the message to; the service may require a confirmed address. */
  email: string;
}

/** The result of `sandbox.messages.forward`. */
export interface SandboxForwardResult {
  /** Whether it was forwarded; not in every response. */
  success?: boolean | undefined;
  /** The service's message. */
  message: string;
}

/** A spam filter's report on a message: the result of `sandbox.messages.spamReport`. */
export interface SandboxSpamReport {
  /** Code of the filter's response. */
  ResponseCode: number;
  /** The filter's response. */
  ResponseMessage: string;
  /** Version of the filter's protocol. */
  ResponseVersion: string;
  /** Points of the message. */
  Score: number;
  /** Whether the message counts as spam. */
  Spam: boolean;
  /** The points from which a message counts as spam. */
  Threshold: number;
  /** The rules that apply to the message. */
  Details: SandboxSpamRule[];
}

/** A rule of a spam filter that applies to a message. */
export interface SandboxSpamRule {
  /** Points, as a text or a number. */
  Pts: string | number;
  /** Name of the rule. */
  RuleName: string;
  /** The description of the rule. */
  Description: string;
}

/** How well email programs support a message's HTML: the result of `sandbox.messages.htmlAnalysis`. */
export interface SandboxHtmlAnalysis {
  /** `success`, or `error` when the HTML could not be analyzed. */
  status: string;
  /** Whether the HTML could be analyzed; not in every response. */
  success?: boolean | undefined;
  /** Features with incomplete support, each with its line, or as a text. */
  errors?: (SandboxHtmlIssue | string)[] | undefined;
  /** Why the HTML could not be analyzed. */
  msg?: string | undefined;
}

/** A feature in a message's HTML that some email programs do not support. */
export interface SandboxHtmlIssue {
  /** Its line in the HTML. */
  error_line: number;
  /** The feature, such as `style`. */
  rule_name: string;
  /** The email programs that do not support it. */
  email_clients: SandboxEmailClients;
}

/** Email programs by platform. */
export interface SandboxEmailClients {
  /** Email programs on computers. */
  desktop: string[];
  /** Email programs on phones and tablets. */
  mobile: string[];
  /** Email programs in browsers. */
  web: string[];
}

/** The headers of a message by name, such as `content_type`: the result of `sandbox.messages.headers`. */
export type SandboxMessageHeaders = Record<string, string>;

/** A file attached to a message in a test inbox. */
export interface SandboxAttachment {
  /** Id of the attachment. */
  id: number;
  /** Id of the message. */
  message_id: number;
  /** Name of the file from the sender: do not use it as a path. */
  filename: string;
  /** `attachment`, or `inline` if it is shown within the message. */
  attachment_type: string;
  /** Media type of the file. */
  content_type: string;
  /** Id by which the HTML refers to it; null, `''` or left out if there is none. */
  content_id?: string | null | undefined;
  /** Its encoding in the message, such as `base64`; not in every response. */
  transfer_encoding?: string | null | undefined;
  /** Size of the file, in bytes. */
  attachment_size: number;
  /** When it arrived, as an ISO 8601 date-time. */
  created_at: string;
  /** When it last changed, as an ISO 8601 date-time. */
  updated_at: string;
  /** Size of the file, as readable text. */
  attachment_human_size: string;
  /** Path of the file, which alone may give access to it; use `sandbox.attachments.download`. A secret. */
  download_path: string;
}

/** Parameters of `sandbox.attachments.list`. */
export interface SandboxAttachmentListParams {
  /** Only attachments of this type: `attachment` or `inline`. */
  attachment_type?: string | undefined;
}

/** The forms in which a part of a message can be returned, and their types. */
export interface BodyTypes {
  /** Text, read as UTF-8. */
  text: string;
  /** All bytes, unchanged. */
  bytes: Uint8Array;
  /** The bytes as they arrive. Read it to its end, or cancel it. */
  stream: ReadableStream<Uint8Array>;
}

/** A form in which a part of a message can be returned. */
export type BodyForm = keyof BodyTypes;

/** Options of the methods that return a part of a message. */
export interface BodyOptions<Form extends BodyForm = BodyForm> extends RequestOptions {
  /**
   * Whether to return text, all bytes, or a stream of them. For a stream, `timeoutMs` limits only the time until it
   * begins; `signal` and `deadlineMs` apply until its end. By default text; bytes for `eml` and attachments.
   */
  readonly as?: Form | undefined;
}

/** The message for which `sandbox.messages.waitFor` waits; it has to match all given fields. */
export interface SandboxMessageFilter {
  /** Id of the test inbox. */
  inbox: number;
  /** An address in `To`, in upper or lower case. */
  to?: string | undefined;
  /** Text in the subject. */
  subject?: string | undefined;
  /** The earliest time of arrival, by the service's clock. A string is an ISO 8601 date-time. */
  after?: Date | string | undefined;
}
