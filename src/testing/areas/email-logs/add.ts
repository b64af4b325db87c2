import { copied } from '../../checks/kind.ts';
import type { Random } from '../../random.ts';
import type { Course, Courses, EmulatorEventType, EmulatorLogStatus } from './course.ts';
import type { EmulatorStream, LogRecord, MailFacts } from './record.ts';
import type { LogStore } from './store.ts';

/** An event of a message that {@link EmulatorLogs.add} adds. */
export interface EmulatorLogEvent {
  /** The type of the event. */
  event_type: EmulatorEventType | (string & {});
  /** When it happened. By default, when the message was sent. */
  created_at?: Date | string | number;
  /** The details of the event. By default, those that fit its type. */
  details?: Record<string, unknown>;
}

/** Fields of a message for {@link EmulatorLogs.add}, named as in the service. Every one has a default. */
export interface EmulatorLogFields {
  /** The id of the message: a UUID that is not in the log. */
  message_id?: string;
  /** The status, whatever the events are. By default, it follows from the events. */
  status?: EmulatorLogStatus;
  /** The subject; `null` for none. */
  subject?: string | null;
  /** The sender's address. */
  from?: string;
  /** The recipient's address. Without `events`, it determines what happens to the message, as when sending. */
  to?: string;
  /** When the message was sent. By default, now. */
  sent_at?: Date | string | number;
  /** The IP address of the client that sent it. */
  client_ip?: string | null;
  /** The category. */
  category?: string | null;
  /** Custom variables. */
  custom_variables?: Record<string, unknown> | null;
  /**
   * The stream.
   * @defaultValue 'transactional'
   */
  sending_stream?: EmulatorStream;
  /** The id of the sending domain. By default, the first verified one. */
  domain_id?: number;
  /** The id of its template. */
  template_id?: number | null;
  /** The variables of its template. */
  template_variables?: Record<string, unknown> | null;
  /** The value of the `In-Reply-To` header. */
  in_reply_to?: string | null;
  /** The message ids in the `References` header. */
  references?: string[];
  /** The inbound thread that it belongs to. */
  thread_id?: string | null;
  /** All events of the message, instead of those that its recipient's address determines. */
  events?: EmulatorLogEvent[];
  /** The raw message, byte for byte. */
  raw?: string | Uint8Array;
}

/** What is needed to add a message to the log. */
export interface AddingParts {
  readonly logs: LogStore;
  readonly courses: Courses;
}

/** The facts of a message without any fields. They are shared, because there may be a great many messages. */
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
    groupId: null,
    link: `https://${domain.name}/`,
    content: null,
  };
}

/** Adds a message to the log as if it had been sent. */
export function addLog(
  { logs, courses }: AddingParts,
  random: Random,
  usual: MailFacts,
  fields: EmulatorLogFields,
  now: number,
): LogRecord {
  const { message_id: id, to = 'reader@example.com', sent_at, events, status, ...said } = fields;
  const sentAt = sent_at === undefined ? now : timeOf(sent_at);
  const course =
    events === undefined ? courses.for(to, { opens: true, clicks: true }) : courseOf(events, sentAt);
  return logs.add({
    id: id?.toLowerCase() ?? random.uuid(),
    sentAt,
    to,
    course: status === undefined ? course : { ...course, status },
    mail: Object.keys(said).length === 0 ? usual : factsOf(said, usual),
  });
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
    customVariables: copied(said.custom_variables ?? null),
    templateId: said.template_id ?? null,
    templateVariables: copied(said.template_variables ?? null),
    inReplyTo: said.in_reply_to ?? null,
    references: [...(said.references ?? [])],
    threadId: said.thread_id ?? null,
    content: said.raw === undefined ? null : bytesOf(said.raw),
  };
}

function bytesOf(raw: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof raw === 'string' ? new TextEncoder().encode(raw) : new Uint8Array(raw);
}

function courseOf(events: readonly EmulatorLogEvent[], sentAt: number): Course {
  const steps = events.map(({ event_type: type, created_at: at, details }) => ({
    type,
    afterMs: at === undefined ? 0 : timeOf(at) - sentAt,
    ...(details === undefined ? {} : { details: copied(details) }),
  }));
  return { steps: steps.sort((a, b) => a.afterMs - b.afterMs) };
}

function timeOf(given: Date | string | number): number {
  return new Date(given).getTime();
}
