import type { Step } from '../email-logs/course.ts';
import { detailsOf } from '../email-logs/events.ts';
import type { LogRecord } from '../email-logs/record.ts';

/** The names under which a webhook subscribes to the events of the log, where they differ. */
const SUBSCRIBED: Readonly<Record<string, string>> = { spam: 'spam_complaint' };
/** The names that posted events have, where they differ. */
const POSTED: Readonly<Record<string, string>> = { soft_bounce: 'soft bounce' };

export const EVENT_TYPES: readonly string[] = [
  'delivery',
  'soft_bounce',
  'bounce',
  'suspension',
  'unsubscribe',
  'open',
  'spam_complaint',
  'click',
  'reject',
];

/** The name under which a webhook subscribes to an event of the log. */
export const subscribedName = (type: string): string => SUBSCRIBED[type] ?? type;

const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64) Reader/1.0';

/** An event of a message, as it is posted. */
export function sendingEvent(
  record: LogRecord,
  step: Step,
  domainName: string,
  eventId: string,
): Record<string, unknown> {
  const { mail } = record;
  return {
    event: POSTED[step.type] ?? step.type,
    message_id: record.id,
    sending_stream: mail.stream,
    email: record.to,
    sending_domain_name: domainName,
    ...(mail.category === null ? {} : { category: mail.category }),
    ...(mail.customVariables === null ? {} : { custom_variables: mail.customVariables }),
    ...more(step.type, detailsOf(step, record)),
    timestamp: Math.floor((record.sentAt + step.afterMs) / 1000),
    event_id: eventId,
  };
}

/** What a type of event has besides. */
function more(type: string, details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const web = { ip: details.web_ip_address, user_agent: USER_AGENT };
  switch (type) {
    case 'open':
    case 'unsubscribe':
      return web;
    case 'click':
      return { ...web, url: details.click_url };
    case 'bounce':
    case 'soft_bounce': {
      const { email_service_provider_response: response, bounce_category } = details;
      return { response, response_code: parseInt(String(response), 10), bounce_category };
    }
    case 'suspension':
    case 'reject':
      return { reason: details.reject_reason };
    default:
      return {};
  }
}
