import { check } from '../../checks/argument.ts';
import {
  arrayOf,
  number,
  objectOf,
  oneOf,
  or,
  plainObject,
  positive,
  text,
  time,
  wholeFrom,
} from '../../checks/kind.ts';
import { fromBase64, toBase64 } from '../../base64.ts';
import type { ReadValues, SharedValues } from '../../shared.ts';
import { mailContent } from '../sending/mail-kind.ts';
import type { Mail } from '../sending/mail.ts';
import type { Course, EmulatorLogStatus } from './course.ts';
import type { LogRecord, MailFacts } from './record.ts';

/** A message of the log as a snapshot has it. `mail` is the number of a shared value. */
export interface SavedMessage {
  readonly id: string;
  readonly sentAt: number;
  readonly order: number;
  readonly to: string;
  readonly mail: number;
  readonly course: SavedCourse;
}

interface SavedStep {
  readonly type: string;
  /** `null` for never. */
  readonly afterMs: number | null;
  readonly details?: Readonly<Record<string, unknown>>;
}

interface SavedCourse {
  readonly steps: readonly SavedStep[];
  readonly status?: EmulatorLogStatus;
}

/** What the copies of an email have in common. `content` is the number of a shared value, or a raw message as base64. */
type SavedFacts = Omit<MailFacts, 'content'> & { readonly content: number | string | null };

const afterMs = or(number('a number of milliseconds', Number.isFinite), null);

export const savedMessage = objectOf<SavedMessage>(
  {
    id: text,
    sentAt: time,
    order: wholeFrom(0),
    to: text,
    mail: wholeFrom(0),
    course: objectOf<SavedCourse>(
      {
        steps: arrayOf(
          'events',
          objectOf<SavedStep>({ type: text, afterMs, details: plainObject }, ['type', 'afterMs']),
        ),
        status: oneOf(['delivered', 'not_delivered', 'enqueued', 'opted_out']),
      },
      ['steps'],
    ),
  },
  ['id', 'sentAt', 'order', 'to', 'mail', 'course'],
);

const savedFacts = objectOf<SavedFacts>(
  {
    accountId: positive,
    domainId: positive,
    stream: oneOf(['transactional', 'bulk']),
    from: text,
    subject: or(text, null),
    clientIp: or(text, null),
    category: or(text, null),
    customVariables: or(plainObject, null),
    templateId: or(positive, null),
    templateVariables: or(plainObject, null),
    inReplyTo: or(text, null),
    references: arrayOf('message ids', text),
    threadId: or(text, null),
    groupId: or(text, null),
    link: text,
    content: {
      what: 'a number, a string, or null',
      hasType: (value) => value === null || typeof value === 'string' || typeof value === 'number',
    },
  },
  ['accountId', 'domainId', 'stream', 'from', 'references', 'link', 'content'],
);

export function writtenMessage(record: LogRecord, shared: SharedValues): SavedMessage {
  const { id, sentAt, order, to, mail, course } = record;
  const steps = course.steps.map((step) => ({
    ...step,
    afterMs: step.afterMs === Infinity ? null : step.afterMs,
  }));
  return { id, sentAt, order, to, mail: writtenFacts(mail, shared), course: { ...course, steps } };
}

function writtenFacts(facts: MailFacts, shared: SharedValues): number {
  return shared.numberOf(facts, ({ content, ...said }): SavedFacts => ({
    ...said,
    content:
      content === null
        ? null
        : content instanceof Uint8Array
          ? toBase64(content)
          : shared.numberOf(content, (mail) => mail),
  }));
}

/** The message of a snapshot, which has been checked to be one. */
export function readMessage({ course, mail, ...message }: SavedMessage, shared: ReadValues): LogRecord {
  const steps = course.steps.map((step) => ({ ...step, afterMs: step.afterMs ?? Infinity }));
  const facts = shared.at(mail, (value, name) => readFacts(value, name, shared));
  return { ...message, mail: facts, course: { ...course, steps } satisfies Course };
}

function readFacts(value: unknown, name: string, shared: ReadValues): MailFacts {
  check(savedFacts, value, name);
  const { content, ...facts } = value as SavedFacts;
  if (typeof content !== 'number') {
    return { ...facts, content: content === null ? null : fromBase64(content) };
  }
  return { ...facts, content: shared.at(content, readContent) };
}

/** Where a message of the log is told of: its id, or the message itself if the log has dropped it. */
export function messageRef(record: LogRecord, logs: LogFinder, shared: SharedValues): string | SavedMessage {
  return logs.anywhere(record.id) === record ? record.id : writtenMessage(record, shared);
}

export function readMessageRef(given: string | SavedMessage, logs: LogFinder, shared: ReadValues): LogRecord {
  if (typeof given !== 'string') {
    check(savedMessage, given, 'message');
    return readMessage(given, shared);
  }
  const known = logs.anywhere(given);
  if (known === undefined) throw new RangeError(`There is no message ${given} in the log`);
  return known;
}

/** The log, as far as it finds messages. */
interface LogFinder {
  anywhere(id: string): LogRecord | undefined;
}

/** The content of an email in a snapshot. */
export function readContent(value: unknown, name: string): Mail {
  check(mailContent, value, name);
  return value as Mail;
}
