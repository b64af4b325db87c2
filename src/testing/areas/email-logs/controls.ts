import { check } from '../../checks/argument.ts';
import {
  arrayOf,
  bytes,
  objectOf,
  oneOf,
  or,
  jsonObject,
  positive,
  text,
  textLike,
  time,
  type Kind,
} from '../../checks/kind.ts';
import { LAST_MOMENT } from '../../clock.ts';
import { control, needed, optional } from '../../control.ts';
import type { EmulatorLogs } from '../../emulator-types.ts';
import type { World } from '../world.ts';
import { addLog, usualFacts, type EmulatorLogEvent, type EmulatorLogFields } from './add.ts';
import type { EmulatorLogStatus } from './course.ts';
import { isUuid, type EmulatorStream } from './record.ts';

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
    // Any type: clients must cope with types that they do not know.
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

/** Refuses what names a domain that there is not, or a message that there is already. */
function checkFacts({ domains, logs }: World, { domain_id, message_id }: EmulatorLogFields): void {
  if (domain_id !== undefined) domains.known(domain_id);
  const id = message_id?.toLowerCase();
  if (id !== undefined && logs.anywhere(id) !== undefined) {
    throw new RangeError(`There is already a message ${id}`);
  }
}

/** What a test can do to the email log. */
export const logControls = {
  'logs.add': control<EmulatorLogs['add']>({ fields: optional(logFields) }, (world, fields = {}) => {
    checkFacts(world, fields);
    const { accountId, domains, streams, clock } = world;
    const usual = usualFacts(accountId, domains.any(accountId));
    return addLog(world, streams.of('messages'), usual, fields, clock.now()).id;
  }),
  'logs.addMany': control<EmulatorLogs['addMany']>({ messages: needed(manyFields) }, (world, messages) => {
    const { accountId, domains, streams, clock } = world;
    const random = streams.of('messages');
    // One for all of them: there may be a great many.
    const usual = usualFacts(accountId, domains.any(accountId));
    const now = clock.now();
    return Array.from(messages, (fields, index) => {
      check(logFields, fields, `messages[${index}]`);
      checkFacts(world, fields);
      return addLog(world, random, usual, fields, now).id;
    });
  }),
};
