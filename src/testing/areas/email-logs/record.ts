import type { MailContent } from '../sending/mail.ts';
import type { Course } from './course.ts';

/** Whether a text is a UUID, as every message id is. */
export function isUuid(text: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}

/** The stream that a message was sent on, as named in the log. */
export type EmulatorStream = 'transactional' | 'bulk';

/** What all copies of one email have in common. It is stored once, however many recipients there are. */
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
  /** What the messages of one email have in common; `null` for those that no request sent. */
  readonly groupId: string | null;
  /** The first link in its text: the one that is clicked. */
  readonly link: string;
  /** The content of the raw message, or the raw message itself; `null` if neither is known. */
  readonly content: MailContent | Uint8Array<ArrayBuffer> | null;
}

/** A message in the log: one email to one recipient. It is small, because there may be a great many. */
export interface LogRecord {
  readonly id: string;
  readonly sentAt: number;
  /** The order of arrival, for messages that were sent at the same time. */
  readonly order: number;
  readonly to: string;
  /** Replaced when it turns out to belong to a thread. */
  mail: MailFacts;
  /** Its events and their times. */
  readonly course: Course;
}
