import {
  arrayOf,
  bytes,
  check,
  copied,
  jsonObject,
  type Kind,
  objectOf,
  oneOf,
  or,
  positive,
  text,
  textLike,
  time,
} from '../../../declare/kind.ts';
import { LAST_MOMENT } from '../../state/base/clock.ts';
import { control, needed, optional } from '../../routing/control.ts';
import type { EmulatorLogs } from './control-types.ts';
import type { Random } from '../../state/base/random.ts';
import type { World } from '../../state/world.ts';
import type { Course, EmulatorLogStatus } from '../../state/emails/course.ts';
import {
  type EmulatorLogEvent,
  type EmulatorLogFields,
  type EmulatorStream,
  isUuid,
  type LogRecord,
  type MailFacts,
} from '../../state/emails/email-log.ts';

/** The default facts of a message. One object for many messages, to save memory. */
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

/** Adds a message to the log like a sent one. */
export function addLog(
  { logs, courses }: World,
  random: Random,
  usual: MailFacts,
  fields: EmulatorLogFields,
  now: number,
): LogRecord {
  const { message_id: id, to = 'reader@example.com', sent_at, events, status, ...others } = fields;
  const sentAt = sent_at === undefined ? now : timeOf(sent_at);
  const course =
    events === undefined ? courses.for(to, { opens: true, clicks: true }) : courseOf(events, sentAt);
  return logs.add({
    id: id?.toLowerCase() ?? random.uuid(),
    sentAt,
    to,
    course: status === undefined ? course : { ...course, status },
    mail: Object.keys(others).length === 0 ? usual : factsOf(others, usual),
  });
}

function factsOf(others: EmulatorLogFields, usual: MailFacts): MailFacts {
  return {
    ...usual,
    domainId: others.domain_id ?? usual.domainId,
    stream: others.sending_stream ?? usual.stream,
    from: others.from ?? usual.from,
    subject: others.subject === undefined ? usual.subject : others.subject,
    clientIp: others.client_ip ?? null,
    category: others.category ?? null,
    customVariables: copied(others.custom_variables ?? null),
    templateId: others.template_id ?? null,
    templateVariables: copied(others.template_variables ?? null),
    inReplyTo: others.in_reply_to ?? null,
    references: [...(others.references ?? [])],
    threadId: others.thread_id ?? null,
    content: others.raw === undefined ? null : bytesOf(others.raw),
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

function timeOf(input: Date | string | number): number {
  return new Date(input).getTime();
}

const moment: Kind = {
  what: 'a Date, an ISO 8601 string or milliseconds since the Unix epoch, up to the year 9999',
  hasType: (value) => value instanceof Date || typeof value === 'string' || typeof value === 'number',
  form: { type: 'any of', kinds: [text, time] },
  isAllowed: (value) => Math.abs(new Date(value as Date | string | number).getTime()) <= LAST_MOMENT,
};

const textOrNull = or(text, null);
const objectOrNull = or(jsonObject, null);

const logFields = objectOf<EmulatorLogFields>({
  message_id: textLike('a UUID', isUuid),
  status: oneOf(['delivered', 'not_delivered', 'enqueued', 'opted_out'] satisfies EmulatorLogStatus[]),
  subject: textOrNull,
  from: text,
  to: text,
  sent_at: moment,
  client_ip: textOrNull,
  category: textOrNull,
  custom_variables: objectOrNull,
  sending_stream: oneOf(['transactional', 'bulk'] satisfies EmulatorStream[]),
  domain_id: positive,
  template_id: or(positive, null),
  template_variables: objectOrNull,
  in_reply_to: textOrNull,
  references: arrayOf('message ids', text),
  thread_id: textOrNull,
  events: arrayOf(
    'events',
    // Any type, so that tests can add types that a client does not know.
    objectOf<EmulatorLogEvent>({ event_type: text, created_at: moment, details: jsonObject }, ['event_type']),
  ),
  raw: {
    what: 'a string or a Uint8Array',
    hasType: (value) => typeof value === 'string' || value instanceof Uint8Array,
    form: { type: 'any of', kinds: [text, bytes] },
  },
});

const manyFields: Kind = {
  what: 'an iterable of objects',
  hasType: (value) => typeof value === 'object' && value !== null && Symbol.iterator in value,
  form: { type: 'array', of: logFields },
};

/** Throws for an unknown domain, or for the id of an existing message. */
function checkFacts({ domains, logs }: World, { domain_id, message_id }: EmulatorLogFields): void {
  if (domain_id !== undefined) domains.known(domain_id);
  const id = message_id?.toLowerCase();
  if (id !== undefined && logs.anywhere(id) !== undefined) {
    throw new RangeError(`There is already a message ${id}`);
  }
}

/** The controls of the email log. */
export const logControls = {
  'logs.add': control<EmulatorLogs['add']>(
    'POST /logs',
    { takes: { fields: optional(logFields) }, body: 'fields', returns: text, as: 'id' },
    (world, fields = {}) => {
      checkFacts(world, fields);
      const { accountId, domains, streams, clock } = world;
      const usual = usualFacts(accountId, domains.any(accountId));
      return addLog(world, streams.of('messages'), usual, fields, clock.now()).id;
    },
  ),
  'logs.addMany': control<EmulatorLogs['addMany']>(
    'POST /logs/many',
    { takes: { messages: needed(manyFields) }, returns: arrayOf('ids', text), as: 'ids' },
    (world, messages) => {
      const { accountId, domains, streams, clock } = world;
      const random = streams.of('messages');
      // One object for all messages, to save memory.
      const usual = usualFacts(accountId, domains.any(accountId));
      const now = clock.now();
      return Array.from(messages, (input, index) => {
        const fields = check(logFields, input, `messages[${index}]`);
        checkFacts(world, fields);
        return addLog(world, random, usual, fields, now).id;
      });
    },
  ),
};
