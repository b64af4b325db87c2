import { happened, rejection, type Step } from './course.ts';
import type { EmulatorStream, LogRecord } from './email-log.ts';

/** The events of a message up to `now`. */
export function stepsOf(record: LogRecord, now: number): readonly Step[] {
  return happened(record.course, now - record.sentAt);
}

/** The number of events of this type up to `now`. */
export function countOf(record: LogRecord, type: string, now: number): number {
  return stepsOf(record, now).reduce((count, step) => (step.type === type ? count + 1 : count), 0);
}

/** The details of an event. Their keys depend on its type. */
export function detailsOf(step: Step, record: LogRecord): Readonly<Record<string, unknown>> {
  if (step.details !== undefined) return step.details;
  switch (step.type) {
    case 'delivery':
      return { ...routeTo(record.to, record.mail.stream) };
    case 'open':
    case 'unsubscribe':
      return { web_ip_address: READER_IP };
    case 'click':
      return { click_url: record.mail.link, web_ip_address: READER_IP };
    case 'bounce':
      return {
        ...routeTo(record.to, record.mail.stream),
        email_service_provider_status: '5.1.1',
        email_service_provider_response: `550 5.1.1 <${record.to}>: Recipient address rejected: User unknown`,
        bounce_category: 'badrecipient',
      };
    case 'soft_bounce':
      return {
        ...routeTo(record.to, record.mail.stream),
        email_service_provider_status: '4.2.2',
        email_service_provider_response: `452 4.2.2 <${record.to}>: The mailbox is full`,
        bounce_category: 'overquota',
      };
    case 'spam':
      return { spam_feedback_type: 'abuse' };
    case 'suspension':
      return { reject_reason: 'Sending from this domain is suspended' };
    case 'reject':
      return rejection('manual import');
    default:
      return {};
  }
}

// Addresses that are reserved for documentation.
const READER_IP = '203.0.113.80';
const SENDING_IPS = { transactional: '198.51.100.10', bulk: '198.51.100.20' } as const;

interface Provider {
  readonly name: string;
  readonly mx?: string;
  readonly domains: readonly string[];
}

const PROVIDERS: readonly Provider[] = [
  { name: 'Google', mx: 'gmail-smtp-in.l.google.com', domains: ['gmail.com', 'googlemail.com'] },
  { name: 'Yahoo', mx: 'mta5.am0.yahoodns.net', domains: ['yahoo.com', 'ymail.com'] },
  { name: 'Outlook', domains: ['outlook.com', 'hotmail.com', 'live.com'] },
];

/** The route of a message to its recipient. */
export function routeTo(to: string, stream: EmulatorStream) {
  const domain = to.slice(to.lastIndexOf('@') + 1).toLowerCase();
  const provider = PROVIDERS.find(({ domains }) => domains.includes(domain));
  return {
    sending_ip: SENDING_IPS[stream],
    recipient_mx: provider?.mx ?? `mx.${domain}`,
    email_service_provider: provider?.name ?? 'Other',
  };
}
