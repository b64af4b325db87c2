import type { MailContent } from '../sending/mail.ts';
import type { Course } from './course.ts';

/** The stream a message was sent on, as the log names it. */
export type EmulatorStream = 'transactional' | 'bulk';

/** What all copies of one mail have in common; kept once, however many recipients it has. */
export interface MailFacts {
  readonly accountId: number;
  readonly domainId: number;
  readonly stream: EmulatorStream;
  readonly from: string;
  readonly subject: string | null;
  readonly clientIp: string | null;
  readonly category: string | null;
  readonly customVariables: Readonly<Record<string, unknown>> | null;
  readonly templateId: number | null;
  readonly templateVariables: Readonly<Record<string, unknown>> | null;
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
  readonly threadId: string | null;
  /** The first address its text links to: where a click leads. */
  readonly link: string;
  /** What its source is made from, or the source itself; `null` where nobody ever said what it is. */
  readonly content: MailContent | Uint8Array<ArrayBuffer> | null;
}

/** A message in the log: one mail to one recipient. Small, because there may be very many. */
export interface LogRecord {
  readonly id: string;
  readonly sentAt: number;
  /** Tells apart what was sent at the same moment. */
  readonly order: number;
  readonly to: string;
  readonly mail: MailFacts;
  /** What happens to it, and when. */
  readonly course: Course;
}
