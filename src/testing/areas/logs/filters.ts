import type { Form } from '../forms.ts';
import { statusAt } from './course.ts';
import { countOf, detailsOf, stepsOf } from './events.ts';
import * as operators from './operators.ts';
import type { Operator } from './operators.ts';
import type { LogRecord } from './record.ts';

/** Something messages can be filtered by. */
export interface Filter {
  readonly operators: Readonly<Record<string, Operator>>;
  /** What a message has of it. */
  readonly has: (record: LogRecord, now: number) => readonly string[];
  /** Whether a value is one there could be; any text when left out. */
  readonly valid?: (value: string) => boolean;
  /** Whether what a message has of it changes with time. */
  readonly changes?: true;
}

const text = (value: string | null): readonly string[] => (value === null ? [] : [value]);
const isOneOf =
  (...values: string[]) =>
  (value: string) =>
    values.includes(value);
const isInteger = (value: string) => /^-?\d+$/.test(value);

/** The values an event's details have under a key, over all events so far. */
const fromEvents = (key: string) => (record: LogRecord, now: number) =>
  stepsOf(record, now).flatMap((step) => {
    const value = detailsOf(step, record)[key];
    return typeof value === 'string' ? [value] : [];
  });

const count = (type: string): Filter => ({
  operators: operators.comparison,
  has: (record, now) => [String(countOf(record, type, now))],
  valid: isInteger,
  changes: true,
});

const domain: Filter = {
  operators: operators.equality,
  has: ({ mail }) => [String(mail.domainId)],
  valid: isInteger,
};

const common: Readonly<Record<string, Filter>> = {
  to: { operators: operators.caselessText, has: ({ to }) => [to] },
  from: { operators: operators.caselessText, has: ({ mail }) => [mail.from] },
  subject: {
    operators: { ...operators.caselessText, ...operators.emptiness },
    has: ({ mail }) => text(mail.subject),
  },
  status: {
    operators: operators.equality,
    has: (record, now) => [statusAt(record.course, now - record.sentAt)],
    valid: isOneOf('delivered', 'not_delivered', 'enqueued', 'opted_out'),
    changes: true,
  },
  events: {
    operators: operators.inclusion,
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
    changes: true,
  },
  clicks_count: count('click'),
  opens_count: count('open'),
  client_ip: {
    operators: { ...operators.equality, ...operators.containment },
    has: ({ mail }) => text(mail.clientIp),
  },
  sending_ip: {
    operators: { ...operators.equality, ...operators.containment },
    has: fromEvents('sending_ip'),
    changes: true,
  },
  email_service_provider_response: {
    operators: operators.caselessText,
    has: fromEvents('email_service_provider_response'),
    changes: true,
  },
  email_service_provider: {
    operators: operators.equality,
    has: fromEvents('email_service_provider'),
    changes: true,
  },
  recipient_mx: { operators: operators.caselessText, has: fromEvents('recipient_mx'), changes: true },
  category: { operators: operators.equality, has: ({ mail }) => text(mail.category) },
  sending_stream: {
    operators: operators.equality,
    has: ({ mail }) => [mail.stream],
    valid: isOneOf('transactional', 'bulk'),
  },
};

/** The filters of each form of the path. The domain has another name in each, and is unknown by that of the other. */
export const filters: Readonly<Record<Form, Readonly<Record<string, Filter>>>> = {
  token: { ...common, domain_id: domain },
  account: { ...common, sending_domain_id: domain },
};
