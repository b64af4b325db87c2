import * as operators from './operators.ts';
import { statusAt } from '../../state/emails/course.ts';
import { countOf, detailsOf, stepsOf } from '../../state/emails/events.ts';
import type { Operator } from './operators.ts';
import type { LogRecord } from '../../state/emails/email-log.ts';

/** A property that messages can be filtered by. */
export interface Filter {
  readonly operators: Readonly<Record<string, Operator>>;
  /** The values of a message. */
  readonly has: (record: LogRecord, now: number) => readonly string[];
  /** Whether a value in the query is valid. By default, every text is valid. */
  readonly valid?: (value: string) => boolean;
  /** Set if the values of a message change with time. */
  readonly changesWithTime?: true;
}

const text = (value: string | null): readonly string[] => (value === null ? [] : [value]);
const isOneOf =
  (...values: string[]) =>
  (value: string) =>
    values.includes(value);
const isInteger = (value: string) => /^-?\d+$/.test(value);

/** A filter by the values of a key in the details of all events so far. */
const fromEvents = (key: string, own: Filter['operators']): Filter => ({
  operators: own,
  has: (record, now) =>
    stepsOf(record, now).flatMap((step) => {
      const value = detailsOf(step, record)[key];
      return typeof value === 'string' ? [value] : [];
    }),
  changesWithTime: true,
});

const count = (type: string): Filter => ({
  operators: operators.COMPARISON,
  has: (record, now) => [String(countOf(record, type, now))],
  valid: isInteger,
  changesWithTime: true,
});

const DOMAIN: Filter = {
  operators: operators.EQUALITY,
  has: ({ mail }) => [String(mail.domainId)],
  valid: isInteger,
};

/** The filters by name. The domain filter has two names, the specified and the recorded one. */
export const FILTERS: Readonly<Record<string, Filter>> = {
  domain_id: DOMAIN,
  sending_domain_id: DOMAIN,
  to: { operators: operators.CASELESS_TEXT, has: ({ to }) => [to] },
  from: { operators: operators.CASELESS_TEXT, has: ({ mail }) => [mail.from] },
  subject: {
    operators: { ...operators.CASELESS_TEXT, ...operators.EMPTINESS },
    has: ({ mail }) => text(mail.subject),
  },
  status: {
    operators: operators.EQUALITY,
    has: (record, now) => [statusAt(record.course, now - record.sentAt)],
    valid: isOneOf('delivered', 'not_delivered', 'enqueued', 'opted_out'),
    changesWithTime: true,
  },
  events: {
    operators: operators.INCLUSION,
    has: (record, now) => stepsOf(record, now).map(({ type }) => type),
    valid: isOneOf(
      'delivery',
      'open',
      'click',
      'soft_bounce',
      'bounce',
      'spam',
      'unsubscribe',
      'suspension',
      'reject',
    ),
    changesWithTime: true,
  },
  clicks_count: count('click'),
  opens_count: count('open'),
  client_ip: {
    operators: { ...operators.EQUALITY, ...operators.CONTAINMENT },
    has: ({ mail }) => text(mail.clientIp),
  },
  sending_ip: fromEvents('sending_ip', { ...operators.EQUALITY, ...operators.CONTAINMENT }),
  email_service_provider_response: fromEvents('email_service_provider_response', operators.CASELESS_TEXT),
  email_service_provider: fromEvents('email_service_provider', operators.EQUALITY),
  recipient_mx: fromEvents('recipient_mx', operators.CASELESS_TEXT),
  category: { operators: operators.EQUALITY, has: ({ mail }) => text(mail.category) },
  sending_stream: {
    operators: operators.EQUALITY,
    has: ({ mail }) => [mail.stream],
    valid: isOneOf('transactional', 'bulk'),
  },
};
