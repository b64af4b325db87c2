import { isKnownEmailLogEvent, type ApiPromise, type EmailPlatform, type Pager } from 'email-platform';
import type { Same } from './same.ts';

type Some<T> = T | readonly T[];

/** What each operator of a filter takes, as the public reference lists it. */
interface Text {
  ci_contain: string;
  ci_not_contain: string;
  ci_equal: Some<string>;
  ci_not_equal: Some<string>;
}
interface Value<T> {
  equal: Some<T>;
  not_equal: Some<T>;
}
interface Count {
  equal: number;
  greater_than: number;
  less_than: number;
}
interface Address extends Value<string> {
  contain: string;
  not_contain: string;
}
interface Subject extends Text {
  empty: undefined;
  not_empty: undefined;
}
interface Events {
  include_event: Some<EmailPlatform.EmailLogEventType>;
  not_include_event: Some<EmailPlatform.EmailLogEventType>;
}
interface Operators {
  to: Text;
  from: Text;
  subject: Subject;
  status: Value<EmailPlatform.EmailLogStatus>;
  events: Events;
  clicks_count: Count;
  opens_count: Count;
  client_ip: Address;
  sending_ip: Address;
  email_service_provider_response: Text;
  email_service_provider: Value<string>;
  recipient_mx: Text;
  category: Value<string>;
  domain_id: Value<number>;
  sending_stream: Value<EmailPlatform.SendingStream>;
}

type Filter<Name extends keyof Operators> = Exclude<EmailPlatform.EmailLogFilters[Name], undefined>;
/** Whether a filter's type takes all of its operators, and the values of all, and no other. */
type Fits<Name extends keyof Operators> = Same<
  [operator: Filter<Name>['operator'], value: Filter<Name>['value']],
  [operator: keyof Operators[Name], value: Operators[Name][keyof Operators[Name]]]
>;

export const everyFilter: { [Name in keyof Operators]: Fits<Name> } = {
  to: true,
  from: true,
  subject: true,
  status: true,
  events: true,
  clicks_count: true,
  opens_count: true,
  client_ip: true,
  sending_ip: true,
  email_service_provider_response: true,
  email_service_provider: true,
  recipient_mx: true,
  category: true,
  domain_id: true,
  sending_stream: true,
};
export const noOther: Same<
  keyof EmailPlatform.EmailLogFilters,
  keyof Operators | 'sent_after' | 'sent_before'
> = true;

export const filters: EmailPlatform.EmailLogFilters[] = [
  {},
  { sent_after: new Date(), sent_before: '2026-01-31T12:00:00Z' },
  { to: { operator: 'ci_contain', value: '@example.org' }, from: undefined },
  { to: { operator: 'ci_equal', value: ['ann@example.org', 'bob@example.org'] } },
  { subject: { operator: 'empty' } },
  { status: { operator: 'not_equal', value: ['delivered', 'enqueued'] } },
  { events: { operator: 'include_event', value: 'click' } },
  { opens_count: { operator: 'greater_than', value: 0 } },
  { client_ip: { operator: 'not_contain', value: '203.0.113.' } },
  { domain_id: { operator: 'equal', value: [301, 302] as const } },
  { sending_stream: { operator: 'equal', value: 'bulk' } },
  // Values the service has added since: the types permit them, and the client refuses them.
  { status: { operator: 'equal', value: 'sent' } },
  { events: { operator: 'include_event', value: ['open', 'opened'] } },
  { sending_stream: { operator: 'equal', value: 'inbound' } },
];

export const wrongFilters: EmailPlatform.EmailLogFilters[] = [
  // @ts-expect-error no such filter
  { recipient: { operator: 'ci_equal', value: 'a' } },
  // @ts-expect-error the service's other name for domain_id; the SDK fills it in
  { sending_domain_id: { operator: 'equal', value: 1 } },
  // @ts-expect-error a number is not a date
  { sent_after: Date.now() },
  // @ts-expect-error dates have no operator
  { sent_before: { operator: 'equal', value: '2026-01-31T12:00:00Z' } },
  // @ts-expect-error a value needs an operator
  { to: 'ann@example.org' },
  // @ts-expect-error the operator is required
  { to: { value: 'ann@example.org' } },
  // @ts-expect-error the value is required
  { to: { operator: 'ci_equal' } },
  // @ts-expect-error addresses are compared without regard to case
  { to: { operator: 'equal', value: 'ann@example.org' } },
  // @ts-expect-error only a subject can be empty
  { from: { operator: 'empty' } },
  // @ts-expect-error not an operator of events
  { events: { operator: 'equal', value: 'open' } },
  // @ts-expect-error a count is compared with one number
  { clicks_count: { operator: 'equal', value: [1, 2] } },
  // @ts-expect-error a count is a number
  { opens_count: { operator: 'less_than', value: '3' } },
  // @ts-expect-error not an operator of counts
  { opens_count: { operator: 'not_equal', value: 3 } },
  // @ts-expect-error not an operator of IP addresses
  { client_ip: { operator: 'ci_contain', value: '203' } },
  // @ts-expect-error a provider is compared as a whole
  { email_service_provider: { operator: 'ci_contain', value: 'Goo' } },
  // @ts-expect-error categories are compared with regard to case
  { category: { operator: 'ci_equal', value: 'orders' } },
  // @ts-expect-error an id is a number
  { domain_id: { operator: 'equal', value: '301' } },
];

export async function results(client: EmailPlatform): Promise<unknown[]> {
  const { emailLogs } = client;
  const pager = emailLogs.list({ filters: filters[0], search_after: undefined }, { accountId: 1 });
  const page = await pager;
  const message = await emailLogs.get('0d9cbb52-7e39-4b1e-9fd4-0a5a7ba8b4c1');
  const stream = emailLogs.downloadRaw(message, { as: 'stream' });
  const bytes = emailLogs.downloadRaw(new URL(message.raw_message_url), { timeoutMs: 1000 });
  const checks: [
    Same<typeof pager, Pager<EmailPlatform.EmailLogMessage, EmailPlatform.EmailLogPage>>,
    Same<typeof page.messages, EmailPlatform.EmailLogMessage[]>,
    Same<typeof page.next_page_cursor, string | null>,
    Same<typeof page.total_count, number>,
    Same<typeof message, EmailPlatform.EmailLogMessageDetails>,
    Same<typeof message.events, EmailPlatform.EmailLogEvent[]>,
    Same<typeof stream, ApiPromise<ReadableStream<Uint8Array>>>,
    Same<typeof bytes, ApiPromise<Uint8Array>>,
  ] = [true, true, true, true, true, true, true, true];
  const added: typeof message.status = 'a status the service has added since';
  // @ts-expect-error a subject may be null
  const subject: string = message.subject;
  const domain: number = message.domain_id;
  const domainUnderAccount: number | undefined = page.items[0]?.sending_domain_id;
  // @ts-expect-error only a single message has events
  const happened: unknown = page.items[0]?.events;
  return [...checks, added, subject, domain, domainUnderAccount, happened];
}

export function wrongCalls({ emailLogs }: EmailPlatform): unknown[] {
  return [
    // @ts-expect-error filters belong under `filters`
    emailLogs.list({ to: { operator: 'ci_equal', value: 'a' } }),
    // @ts-expect-error the service has no page size
    emailLogs.list({ per_page: 10 }),
    // @ts-expect-error a cursor is text, or left out
    emailLogs.list({ search_after: null }),
    // @ts-expect-error an id is a UUID
    emailLogs.get(1),
    // @ts-expect-error the log is read only
    emailLogs.delete,
    // @ts-expect-error a listed message has no URL of its raw form
    emailLogs.downloadRaw({} as EmailPlatform.EmailLogMessage),
    // @ts-expect-error as is bytes or stream
    emailLogs.downloadRaw('https://example.com/raw', { as: 'text' }),
    // @ts-expect-error no headers are sent to a signed URL
    emailLogs.downloadRaw('https://example.com/raw', { headers: { 'x-trace': '1' } }),
  ];
}

export function events(event: EmailPlatform.EmailLogEvent): unknown {
  const added: EmailPlatform.EmailLogEvent = {
    event_type: 'teleported',
    created_at: '',
    details: { to: 'Mars' },
  };
  // @ts-expect-error the type may be unknown
  const early: unknown = event.details.click_url;
  if (!isKnownEmailLogEvent(event)) return [early, added, event.details];
  switch (event.event_type) {
    case 'delivery':
      return event.details satisfies EmailPlatform.DeliveryDetails;
    case 'open':
    case 'unsubscribe':
      return event.details satisfies EmailPlatform.WebDetails;
    case 'click': {
      const details: Same<typeof event.details, EmailPlatform.ClickDetails> = true;
      // @ts-expect-error the service may not have the URL
      const url: string = event.details.click_url;
      return [details, url, event.details.web_ip_address];
    }
    case 'soft_bounce':
    case 'bounce': {
      const details: Same<typeof event.details, EmailPlatform.BounceDetails> = true;
      // @ts-expect-error a bounce has no link
      return [details, event.details.bounce_category, event.details.click_url];
    }
    case 'spam': {
      const details: Same<typeof event.details, EmailPlatform.SpamDetails> = true;
      return [details, event.details.spam_feedback_type];
    }
    case 'suspension':
    case 'reject':
      return event.details satisfies EmailPlatform.RejectDetails;
    default:
      // Every known type has been handled.
      return event satisfies never;
  }
}
