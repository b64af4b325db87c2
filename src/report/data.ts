/**
 * The data of a report: what an emulator, or a test inbox, has seen of a program. It stands as a block of JSON in the file,
 * and the live page gets the same from the control API.
 */

/** Everything that a report shows. */
export interface ReportData {
  readonly version: 1;
  /** An emulator's run, or the emails of a real test inbox. */
  readonly source: 'emulator' | 'inbox';
  /** When the file was written, in milliseconds of real time. */
  readonly writtenAt: number;
  readonly addresses: 'masked' | 'shown';
  /** Totals, with all that was left out. */
  readonly sent: number;
  readonly requested: number;
  readonly refused: number;
  /** How many were left out because of the limits of a report. */
  readonly omitted: { readonly mails: number; readonly requests: number };
  /** Newest mail first. */
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
  /** What a reader should know and is no fault, such as how many links lead to the program under test. */
  readonly notes?: readonly string[];
}

/** Mails that belong together: of one template, one category, or with one subject apart from numbers and names. */
export interface ReportKind {
  readonly id: string;
  readonly name: string;
  readonly by: 'template' | 'category' | 'subject';
  /** How many were sent, with those left out. */
  readonly count: number;
}

/** One mail as one recipient gets it. */
export interface ReportMail {
  /** Unique in the file; files joined from several runs have `2-17` for mail 17 of the second. */
  readonly id: string;
  readonly kind: string;
  /** When it was accepted, in milliseconds of real time, and on the emulator's clock. */
  readonly at: number;
  readonly clockAt: number;
  readonly stream: 'transactional' | 'bulk' | 'sandbox';
  readonly from: string;
  readonly to: string;
  readonly field: 'to' | 'cc' | 'bcc';
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
  /** Names and values, in order. */
  readonly headers: readonly (readonly [string, string])[];
  /** The whole message as it would be transferred; `null` if it was too large to keep. */
  readonly source: string | null;
  /** Content as base64; `null` where addresses are masked, or if it was too large to keep. */
  readonly attachments: readonly {
    readonly filename: string;
    readonly type: string;
    readonly bytes: number;
    readonly inline: boolean;
    readonly contentId: string | null;
    readonly content: string | null;
  }[];
  readonly links: readonly { readonly url: string; readonly text: string }[];
  readonly template: {
    readonly name: string;
    readonly missing: readonly string[];
    readonly unused: readonly string[];
  } | null;
  readonly category: string | null;
  /** What became of it, in order: `delivery`, `open`, `bounce`, … with its time on the emulator's clock. */
  readonly events: readonly { readonly type: string; readonly at: number }[];
  /** The id of the {@link ReportRequest} that sent it; `null` if none did, or if it was left out. */
  readonly request: string | null;
  /** Of a real test inbox: the service's own analysis. */
  readonly spamScore?: number | null;
  readonly htmlErrors?: number | null;
}

/** One request. */
export interface ReportRequest {
  readonly id: string;
  readonly at: number;
  readonly clockAt: number;
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  /** The client's method, such as `campaigns.create`; `null` where no one method, or more than one, has the line. */
  readonly operation: string | null;
  readonly status: number | null;
  readonly durationMs: number | null;
  readonly callId: string | null;
  /** Which pool counted it; `null` if none did. */
  readonly pool: string | null;
  /** Whether it was refused: a status from 400 on. */
  readonly refused: boolean;
  /** Why it was refused, each beside the field that caused it where the response names one. */
  readonly reasons: readonly { readonly field: string | null; readonly message: string }[];
  /** The emails it sent, by id. */
  readonly mails: readonly string[];
  /** Kept of refused requests, and of all with `details: true`. At most 64 KiB each; secrets are redacted. */
  readonly details: {
    /** Where it was sent, with the origin: for "copy as curl". */
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
  /** The most that one window counted. */
  readonly mostUsed: number;
  /** How many requests got a 429 from it. */
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
  readonly durationMs: number | null;
  readonly body: string;
  /** The number by which the emulator makes it once more; only in live data. */
  readonly redeliver?: number;
}

/** A fault that a check found. */
export interface ReportFinding {
  /** An error is a fault to the reader of the mail; a warning may be meant. */
  readonly level: 'error' | 'warn';
  /** The name by which the check is switched off: `variables`, `left-over`, … */
  readonly check: string;
  /** The name of the kind of mail. */
  readonly kind: string;
  /** One sentence with its evidence. */
  readonly message: string;
  /** The mails, by id. */
  readonly ids: readonly string[];
}
