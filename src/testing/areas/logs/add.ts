import type { Random } from '../../random.ts';
import type { Course, Courses, EmulatorEventType, EmulatorLogStatus } from './course.ts';
import type { EmulatorStream, MailFacts } from './record.ts';
import type { LogStore } from './store.ts';

/** Something that happened to a message added by {@link EmulatorLogs.add}. */
export interface EmulatorLogEvent {
  /** What happened. */
  event_type: EmulatorEventType | (string & {});
  /** When. The moment the message was sent when left out. */
  created_at?: Date | string | number;
  /** Its details. Those that go with its type when left out. */
  details?: Record<string, unknown>;
}

/** Fields of a message added by {@link EmulatorLogs.add}: the service's own. All are filled when left out. */
export interface EmulatorLogFields {
  /** A UUID. */
  message_id?: string;
  /** The status, whatever happened to it. That which follows from its events when left out. */
  status?: EmulatorLogStatus;
  /** The subject; `null` for none. */
  subject?: string | null;
  /** The sender's address. */
  from?: string;
  /** The recipient's address. Without `events` it decides what happens to the message, as in sending. */
  to?: string;
  /** When it was sent. Now when left out. */
  sent_at?: Date | string | number;
  /** The address of the client that sent it. */
  client_ip?: string | null;
  /** The category. */
  category?: string | null;
  /** Custom variables. */
  custom_variables?: Record<string, unknown> | null;
  /** The stream. Default `transactional`. */
  sending_stream?: EmulatorStream;
  /** The sending domain. The first verified one when left out. */
  domain_id?: number;
  /** The template it was made from. */
  template_id?: number | null;
  /** The values its template was filled with. */
  template_variables?: Record<string, unknown> | null;
  /** The In-Reply-To header. */
  in_reply_to?: string | null;
  /** The message ids in the References header. */
  references?: string[];
  /** The inbound thread it belongs to. */
  thread_id?: string | null;
  /** All that ever happens to it, in place of what usually does. */
  events?: EmulatorLogEvent[];
  /** Its source, byte for byte. */
  raw?: string | Uint8Array<ArrayBuffer>;
}

/** What a message needs that is added behind the service's back. */
export interface AddingParts {
  readonly store: LogStore;
  readonly courses: Courses;
  readonly random: Random;
  /** What a message is like of which nothing is said. */
  readonly usual: MailFacts;
}

/** What a message is like of which nothing is said; made once for all of them, as there may be very many. */
export function usualFacts(
  accountId: number,
  domain: { readonly id: number; readonly name: string },
): MailFacts {
  return {
    accountId,
    domainId: domain.id,
    stream: 'transactional',
    from: `news@${domain.name}`,
    subject: 'Hello',
    clientIp: null,
    category: null,
    customVariables: null,
    templateId: null,
    templateVariables: null,
    inReplyTo: null,
    references: [],
    threadId: null,
    link: `https://${domain.name}/`,
    content: null,
  };
}

/** Adds a message to the log as if it had been sent. Returns its id. */
export function addLog(parts: AddingParts, fields: EmulatorLogFields, now: number): string {
  const { store, courses, random, usual } = parts;
  const { message_id: id, to = 'reader@example.com', sent_at, events, status, ...said } = fields;
  const sentAt = sent_at === undefined ? now : timeOf(sent_at);
  const course =
    events === undefined ? courses.for(to, { opens: true, clicks: true }) : courseOf(events, sentAt);
  const record = store.add({
    id: id?.toLowerCase() ?? random.uuid(),
    sentAt,
    to,
    course: status === undefined ? course : { ...course, status },
    mail: Object.keys(said).length === 0 ? usual : factsOf(said, usual),
  });
  return record.id;
}

function factsOf(said: EmulatorLogFields, usual: MailFacts): MailFacts {
  return {
    ...usual,
    domainId: said.domain_id ?? usual.domainId,
    stream: said.sending_stream ?? usual.stream,
    from: said.from ?? usual.from,
    subject: said.subject === undefined ? usual.subject : said.subject,
    clientIp: said.client_ip ?? null,
    category: said.category ?? null,
    customVariables: said.custom_variables ?? null,
    templateId: said.template_id ?? null,
    templateVariables: said.template_variables ?? null,
    inReplyTo: said.in_reply_to ?? null,
    references: said.references ?? [],
    threadId: said.thread_id ?? null,
    content: said.raw === undefined ? null : bytesOf(said.raw),
  };
}

function bytesOf(raw: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return typeof raw === 'string' ? new TextEncoder().encode(raw) : raw;
}

function courseOf(events: readonly EmulatorLogEvent[], sentAt: number): Course {
  const steps = events.map(({ event_type: type, created_at: at, details }) => ({
    type,
    afterMs: at === undefined ? 0 : timeOf(at) - sentAt,
    ...(details === undefined ? {} : { details }),
  }));
  return { steps: steps.sort((a, b) => a.afterMs - b.afterMs) };
}

function timeOf(given: Date | string | number): number {
  const time = new Date(given).getTime();
  if (Number.isNaN(time)) throw new RangeError(`${String(given)} is no date`);
  return time;
}
