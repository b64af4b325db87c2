/**
 * The data of a report: the emails and requests of a program, from an emulator or a test inbox. A report file holds it as a
 * block of JSON. The live page gets the same data from the control API.
 * It imports nothing.
 */

/** Rises with each change of the format that a reader of the earlier one would misread. */
export const REPORT_VERSION = 2;

/** Which run of a program it is. */
export interface ReportRun {
  readonly title?: string;
  readonly commit?: string;
  readonly branch?: string;
  readonly durationMs?: number;
}

/** An address with its display name. */
export interface ReportAddress {
  readonly email: string;
  readonly name: string | null;
}

/** Everything that a report shows. */
export interface ReportData {
  /** The version of this format. A reader reads no other one. */
  readonly version: typeof REPORT_VERSION;
  /** The identity of the run, as far as it is known. */
  readonly run?: ReportRun;
  /** An emulator's run, or the emails of a real test inbox. */
  readonly source: 'emulator' | 'inbox';
  /** The time of writing, in milliseconds of real time. */
  readonly writtenAt: number;
  readonly addresses: 'masked' | 'shown';
  /** Totals, including the omitted items. */
  readonly sent: number;
  readonly requested: number;
  readonly refused: number;
  /** The number of items above the limits of a report. */
  readonly omitted: { readonly mails: number; readonly requests: number };
  /** The kinds with the most mails first, then by name. */
  readonly kinds: readonly ReportKind[];
  /** Newest first. */
  readonly mails: readonly ReportMail[];
  /** Newest first. */
  readonly requests: readonly ReportRequest[];
  readonly limits: readonly ReportLimit[];
  /** Newest first. */
  readonly posts: readonly ReportPost[];
  /** Errors first. */
  readonly findings: readonly ReportFinding[];
  /** Remarks that are not faults, such as the number of links to the program under test. */
  readonly notes?: readonly string[];
  /** How it differs from an earlier run. */
  readonly changes?: ReportChanges;
}

/** Mails of the same campaign, template, category or subject. Subjects are compared without numbers and names. */
export interface ReportKind {
  readonly id: string;
  readonly name: string;
  readonly by: 'campaign' | 'template' | 'category' | 'subject';
  /** The number of sent mails, including the omitted ones. */
  readonly count: number;
}

/** One mail as one recipient gets it. */
export interface ReportMail {
  /** Unique in the file. In a file joined from several runs, `2-17` is mail 17 of the second run. */
  readonly id: string;
  readonly kind: string;
  /** The time of acceptance in milliseconds: `at` in real time, `clockAt` on the emulator's clock. */
  readonly at: number;
  readonly clockAt: number;
  readonly stream: 'transactional' | 'bulk' | 'sandbox';
  readonly from: string;
  readonly fromName: string | null;
  readonly to: string;
  readonly toName: string | null;
  readonly field: 'to' | 'cc' | 'bcc';
  /** Everybody in the `To` and `Cc` headers. */
  readonly recipients: { readonly to: readonly ReportAddress[]; readonly cc: readonly ReportAddress[] };
  readonly replyTo: ReportAddress | null;
  /** The name of the test that sent it. */
  readonly mark?: string;
  readonly subject: string;
  /** The text that mail programs show beside the subject: hidden text at the beginning, then the visible text. */
  readonly preview: string;
  readonly html: string | null;
  readonly text: string | null;
  /** Names and values, in order. */
  readonly headers: readonly (readonly [string, string])[];
  /** The whole message in its transfer format; `null` if it was too large to keep. */
  readonly source: string | null;
  /** Content as base64; `null` where addresses are masked, or if it was too large to keep. */
  readonly attachments: readonly {
    readonly filename: string;
    readonly type: string;
    readonly bytes: number;
    readonly inline: boolean;
    readonly contentId: string | null;
    readonly content: string | null;
    /** In hexadecimal; `null` of a text that a mask changes. Undefined in files of earlier versions. */
    readonly sha256?: string | null;
  }[];
  readonly links: readonly { readonly url: string; readonly text: string }[];
  readonly template: {
    readonly name: string;
    /** Its language; undefined unless the folder of its templates has languages. */
    readonly locale?: string;
    readonly missing: readonly string[];
    readonly unused: readonly string[];
  } | null;
  readonly category: string | null;
  /** The custom variables of the call, by which webhooks and logs find it. */
  readonly customVariables?: Readonly<Record<string, unknown>>;
  /** The events of the mail, in order: `delivery`, `open`, `bounce`, … with the time on the emulator's clock. */
  readonly events: readonly {
    readonly type: string;
    readonly at: number;
    /** Why it bounced, or was rejected or suspended. */
    readonly reason?: string;
  }[];
  /** The id of the {@link ReportRequest} that sent it; `null` without a request, or if the report omits the request. */
  readonly request: string | null;
  /** The service's own analysis. Only for a mail of a real test inbox. */
  readonly spamScore?: number | null;
  readonly htmlErrors?: number | null;
}

/** One request. */
export interface ReportRequest {
  readonly id: string;
  /** The name of the test that made it. */
  readonly mark?: string;
  readonly at: number;
  readonly clockAt: number;
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  /** The client's method, such as `campaigns.create`; `null` unless exactly one method has this request line. */
  readonly operation: string | null;
  readonly status: number | null;
  readonly durationMs: number | null;
  readonly callId: string | null;
  /** The pool that counted it; `null` if no pool did. */
  readonly pool: string | null;
  /** Whether the status is 400 or higher. */
  readonly refused: boolean;
  /** The reasons of a refusal, each with its field if the response names one. */
  readonly reasons: readonly { readonly field: string | null; readonly message: string }[];
  /** The email that was refused, as the request has it: its recipients' addresses, and its subject. */
  readonly email?: { readonly to: readonly string[]; readonly subject: string | null };
  /** The emails it sent, by id. */
  readonly mails: readonly string[];
  /** Kept for refused requests, and for all requests with `details: true`. At most 64 KiB each; secrets are redacted. */
  readonly details: {
    /** The whole address with its origin, for "Copy as curl". */
    readonly url: string;
    readonly headers: readonly (readonly [string, string])[];
    readonly body: string | null;
    readonly bodyCut: boolean;
    readonly responseHeaders: readonly (readonly [string, string])[];
    readonly responseBody: string | null;
    readonly responseCut: boolean;
  } | null;
}

/** A pool of the rate limits. */
export interface ReportLimit {
  readonly pool: string;
  readonly requests: number;
  readonly perMs: number;
  /** The largest count of one window. */
  readonly mostUsed: number;
  /** The number of its 429 responses. */
  readonly refused: number;
}

/** One post to a webhook's receiver. */
export interface ReportPost {
  readonly id: string;
  readonly at: number;
  readonly clockAt: number;
  readonly type: string;
  readonly url: string;
  readonly attempt: number;
  readonly status: number | null;
  /**
   * The time of the next attempt on the emulator's clock, after a failed one; `null` if the emulator makes no further
   * attempt. A redelivery is never repeated.
   */
  readonly nextAt?: number | null;
  readonly durationMs: number | null;
  readonly body: string;
  /** The mails that its events are about, by id. */
  readonly mails?: readonly string[];
  /** The emulator's number for a redelivery of this post; only in live data. */
  readonly redeliver?: number;
}

/** A fault that a check found. */
export interface ReportFinding {
  /** An error is a fault to the reader of the mail; a warning may be meant. */
  readonly level: 'error' | 'warn';
  /** The name that switches the check off: `variables`, `left-over`, … */
  readonly check: string;
  /** The name of the kind of email. */
  readonly kind: string;
  /** One sentence with its evidence. */
  readonly message: string;
  /** The mails, by id. */
  readonly ids: readonly string[];
}

/** How a run differs from earlier ones. */
export interface ReportChanges {
  /** The changed ones first, then new and gone ones. */
  readonly kinds: readonly ReportKindChange[];
  /** Findings of this run alone, and those that it has no more. */
  readonly findings: { readonly added: readonly ReportFinding[]; readonly gone: readonly ReportFinding[] };
}

/** A kind of email in two runs. */
export interface ReportKindChange {
  /** As in the later report; of a kind that is gone, as in the earlier one. */
  readonly id: string;
  readonly name: string;
  /**
   * `not_compared` if its emails may differ and are too few to tell; `not_kept` if a report counts its emails and has none of
   * them, because of its limits.
   */
  readonly state: 'same' | 'changed' | 'new' | 'gone' | 'not_kept' | 'not_compared';
  /** Empty unless it is `changed` or `not_compared`. */
  readonly changes: readonly ReportPartChange[];
  /** Short codes and numbers that differ and may be fixed text, where a kind that is `same` has too few emails to tell. */
  readonly values: readonly (readonly [before: string, after: string])[];
  /** An email that changed; of a new or a gone kind, the newest one. */
  readonly before: ReportMail | null;
  readonly after: ReportMail | null;
}

/** A part of an email that differs. */
export interface ReportPartChange {
  readonly part:
    | 'subject'
    | 'html'
    | 'text'
    | 'links'
    | 'headers'
    | 'attachments'
    | 'from'
    | 'category'
    | 'template'
    | 'fields'
    | 'recipients';
  /** The whole part; of links, headers, attachments and other fields a line for each; of recipients, fields that all emails have, and none of the other run; `null` without such a part. */
  readonly before: string | null;
  readonly after: string | null;
  /** The differing places: the first character, and the one after the last. A place is empty on the side that lacks it. */
  readonly marks: { readonly before: readonly ReportMark[]; readonly after: readonly ReportMark[] };
  /** The number of differing places. */
  readonly places: number;
}

export type ReportMark = readonly [from: number, to: number];
