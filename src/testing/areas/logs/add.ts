import type { Random } from '../../random.ts';
import type { Course, Courses, EmulatorEventType, EmulatorLogStatus } from './course.ts';
import type { EmulatorStream } from './record.ts';
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
  readonly accountId: number;
  /** The domain to use when none is named. */
  readonly domain: { readonly id: number; readonly name: string };
}

/** Adds a message to the log as if it had been sent. Returns its id. */
export function addLog(parts: AddingParts, fields: EmulatorLogFields, now: number): string {
  const { store, courses, random, accountId, domain } = parts;
  const sentAt = timeOf(fields.sent_at ?? now);
  const { to = 'reader@example.com', from = `news@${domain.name}`, subject = 'Hello', raw } = fields;
  const usual = courses.for(to, { opens: true, clicks: true });
  const course = fields.events === undefined ? usual : courseOf(fields.events, sentAt);
  const record = store.add({
    id: fields.message_id?.toLowerCase() ?? random.uuid(),
    sentAt,
    to,
    course: fields.status === undefined ? course : { ...course, status: fields.status },
    mail: {
      accountId,
      domainId: fields.domain_id ?? domain.id,
      stream: fields.sending_stream ?? 'transactional',
      from,
      subject,
      clientIp: fields.client_ip ?? null,
      category: fields.category ?? null,
      customVariables: fields.custom_variables ?? null,
      templateId: fields.template_id ?? null,
      templateVariables: fields.template_variables ?? null,
      inReplyTo: fields.in_reply_to ?? null,
      references: fields.references ?? [],
      threadId: fields.thread_id ?? null,
      link: `https://${domain.name}/`,
      content: raw === undefined ? null : bytesOf(raw),
    },
  });
  return record.id;
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
