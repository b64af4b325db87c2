import type { EmulatorEventType } from '../service/state/emails/course.ts';

/** The type of an event of {@link triggerEvent}: a name of the email log, or of another kind of webhook. */
export type TriggerType = EmulatorEventType | 'inbound.message_received' | `activity_log.${string}`;

/** The listed types. Any other type that begins with `activity_log.` is an event of the audit log. */
export const TRIGGER_TYPES = [
  'delivery',
  'soft_bounce',
  'bounce',
  'suspension',
  'unsubscribe',
  'open',
  'spam',
  'click',
  'reject',
  'inbound.message_received',
  'activity_log.webhook.updated',
] as const satisfies readonly TriggerType[];

const WEB = { ip: '192.0.2.7', user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Reader/1.0' };

/** Fields that only some events of an email have. */
const MORE: Readonly<Record<EmulatorEventType, Readonly<Record<string, unknown>>>> = {
  delivery: {},
  spam: {},
  open: WEB,
  unsubscribe: WEB,
  click: { ...WEB, url: 'https://example.com/' },
  soft_bounce: { response: '452 4.2.2 Mailbox full', response_code: 452, bounce_category: 'overquota' },
  bounce: { response: '550 5.1.1 Mailbox unavailable', response_code: 550, bounce_category: 'badrecipient' },
  suspension: { reason: 'The sending domain is suspended' },
  reject: { reason: 'Recipient in suppression list. Reason: unsubscription' },
};

/** Whether an event is about an email. */
export const isSendingType = (type: string): type is EmulatorEventType => Object.hasOwn(MORE, type);

/** Whether events of this type can be made. */
export const isTriggerType = (type: string): type is TriggerType =>
  isSendingType(type) || type === 'inbound.message_received' || /^activity_log\.\w[\w.]*$/.test(type);

/** Makes an event in the service's format, with example data. `now` is in milliseconds. */
export function sampleEvent(type: TriggerType, now: number, uuid: () => string): Record<string, unknown> {
  const seconds = Math.floor(now / 1000);
  if (isSendingType(type))
    return {
      event: type === 'soft_bounce' ? 'soft bounce' : type,
      message_id: uuid(),
      sending_stream: 'transactional',
      email: 'ann@example.org',
      sending_domain_name: 'mail.example.com',
      ...MORE[type],
      timestamp: seconds,
      event_id: uuid(),
    };
  if (type === 'inbound.message_received')
    return {
      event: type,
      event_id: uuid(),
      timestamp: now,
      inbox_id: 1,
      message_id: '1870314786754420736',
      from: 'Ann <ann@example.org>',
    };
  return {
    event: type,
    description: 'Webhook updated',
    actor: { id: 1, type: 'user', name: 'Ann' },
    resource: { id: '1', type: 'webhook', name: 'Webhook' },
    changes: { active: { from: false, to: true } },
    timestamp: seconds,
  };
}

/** Fields that an event of an email has if the email was sent with them. */
const IF_SENT = ['category', 'custom_variables'];

/** The fields of an event's kind: a field that no event of the kind has is a slip. */
export function fieldsOf(type: TriggerType): readonly string[] {
  const sample = Object.keys(sampleEvent(type, 0, () => ''));
  if (isSendingType(type))
    return [...new Set([...sample, ...Object.values(MORE).flatMap(Object.keys), ...IF_SENT])];
  return sample.includes('event_id') ? sample : [...sample, 'event_id'];
}
