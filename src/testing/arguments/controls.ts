import type { EmulatorCampaignState } from '../areas/campaigns/record.ts';
import { isDomainName } from '../areas/domains/name.ts';
import type { EmulatorLogEvent, EmulatorLogFields } from '../areas/logs/add.ts';
import type { EmulatorLogStatus } from '../areas/logs/course.ts';
import { isUuid, type EmulatorStream } from '../areas/logs/record.ts';
import { LAST_MOMENT } from '../clock.ts';
import type { EmulatorAccess, EmulatorArea, EmulatorTokenOptions } from '../tokens.ts';
import {
  anything,
  arrayOf,
  flag,
  number,
  objectOf,
  oneOf,
  or,
  plainObject,
  positive,
  text,
  textLike,
  type Kind,
  type Kinds,
} from './kind.ts';

const moment: Kind = {
  what: 'a Date, an ISO 8601 string or milliseconds since the Unix epoch, up to the year 9999',
  hasType: (value) => value instanceof Date || typeof value === 'string' || typeof value === 'number',
  isAllowed: (value) => Math.abs(new Date(value as Date | string | number).getTime()) <= LAST_MOMENT,
};

export { flag } from './kind.ts';
export const id = positive;
export const metadata = plainObject;
export const advance = number('a number of milliseconds, 0 or more', (ms) => ms >= 0 && ms <= LAST_MOMENT);
export const billing = oneOf(['within-limits', 'exceeded']);

export const request: Kind = {
  what: 'a Request',
  // Judged by its shape: a test environment may have a class of its own.
  hasType: (value) => typeof value === 'object' && value !== null && 'url' in value && 'headers' in value,
};

const access = oneOf(['none', 'viewer', 'admin'] satisfies EmulatorAccess[]);

export const tokenOptions = objectOf<EmulatorTokenOptions>({
  permissions: objectOf<Record<EmulatorArea, EmulatorAccess>>({
    campaigns: access,
    emailLogs: access,
    sending: access,
    templates: access,
    domains: access,
    account: access,
    billing: access,
    contacts: access,
    suppressions: access,
    stats: access,
    sandbox: access,
  }),
  domains: arrayOf('domain ids', id),
  accountId: id,
});

export const state = oneOf([
  'draft',
  'scheduled',
  'started',
  'queued',
  'paused',
  'terminating',
  'under_review',
  'finished',
  'failed',
  'failed_immediately',
] satisfies EmulatorCampaignState[]);

const any = <Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, anything])) as Kinds<Record<Name, unknown>>;

/** Names only: the values go through the service's own validation. */
export const campaignFields = objectOf({
  ...any('name', 'domain_id', 'from_local_part', 'from_display_name'),
  reply_to: or(objectOf(any('display_name', 'local_part', 'domain')), null),
  delivery_mode: anything,
  delivery_options: or(objectOf(any('emails_per_hour')), null),
  ...any('contact_list_ids', 'contact_segment_ids'),
  template_attributes: objectOf(any('subject', 'body_html', 'body_text', 'merge_tags')),
  state,
  metadata,
});

export const domain = objectOf<{ name: string; verified: boolean; accountId: number }>(
  { name: textLike('a domain name', isDomainName), verified: flag, accountId: id },
  ['name'],
);

const textOrNull = or(text, null);
const objectOrNull = or(plainObject, null);

export const logFields = objectOf<EmulatorLogFields>({
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
  domain_id: id,
  template_id: or(id, null),
  template_variables: objectOrNull,
  in_reply_to: textOrNull,
  references: arrayOf('message ids', text),
  thread_id: textOrNull,
  events: arrayOf(
    'events',
    // Any type: clients must cope with types that they do not know.
    objectOf<EmulatorLogEvent>({ event_type: text, created_at: moment, details: plainObject }, [
      'event_type',
    ]),
  ),
  raw: {
    what: 'a string or a Uint8Array',
    hasType: (value) => typeof value === 'string' || value instanceof Uint8Array,
  },
});

export const messages: Kind = {
  what: 'an iterable of objects',
  hasType: (value) => typeof value === 'object' && value !== null && Symbol.iterator in value,
};
