import type { DomainStore } from '../account/domains.ts';
import type { Step } from '../emails/course.ts';
import { detailsOf } from '../emails/events.ts';
import type { LogRecord, LogStore } from '../emails/email-log.ts';
import type { Random } from '../base/random.ts';
import type { Streams } from '../base/streams.ts';
import type { Posts } from './posts.ts';
import type { EmulatorWebhookType, WebhookRecord, WebhookStore } from './webhooks.ts';

/** The event types in subscriptions that differ from the log's names. */
const SUBSCRIBED: Readonly<Record<string, string>> = { spam: 'spam_complaint' };
/** The event types in posts that differ from the log's names. */
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

/** The event type in a subscription, for a name of the log. */
const subscribedName = (type: string): string => SUBSCRIBED[type] ?? type;

const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64) Reader/1.0';

/** The posted event of a message. */
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

/** The fields that only some types of events have. */
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

/** The number of emails of a campaign whose expected events are posted: those of all could fill the memory. */
const MAX_POSTED = 1000;

/** Whether a webhook gets the events of a message. */
function isFor({ type, stream, domainId }: WebhookRecord, { mail, mailing }: LogRecord): boolean {
  if (domainId !== null && domainId !== mail.domainId) return false;
  return mailing === undefined ? type === 'email_sending' && stream === mail.stream : type === 'campaigns';
}

/** The parts that the sources of events need. */
export interface SourceParts {
  readonly webhooks: WebhookStore;
  readonly posts: Posts;
  readonly domains: DomainStore;
  readonly streams: Streams;
}

/** Passes events to the webhooks that subscribe to them. */
export class EventSources {
  readonly #parts: SourceParts;
  readonly #random: Random;

  constructor(parts: SourceParts) {
    this.#parts = parts;
    this.#random = parts.streams.of('events');
    parts.posts.describe((record, step) => this.#written(record, step));
  }

  /** Adds the future events of a new message in the log. */
  logged(record: LogRecord, now: () => number): void {
    const { webhooks } = this.#parts;
    const { accountId } = record.mail;
    if (webhooks.count(accountId) === 0) return;
    // The clock sends a campaign's emails, and has then gone on to a later time than theirs.
    const from = record.mailing === undefined ? now() : record.sentAt;
    for (const webhook of webhooks.of(accountId)) this.#follow(webhook, record, from);
  }

  /** Adds an event of now. */
  happen(record: LogRecord, step: Step, now: number): void {
    for (const webhook of this.#parts.webhooks.of(record.mail.accountId)) {
      if (isFor(webhook, record)) this.#add(webhook, record, step, now);
    }
  }

  /** Adds the future events of earlier messages, for a new webhook. */
  added(webhook: WebhookRecord, logs: LogStore, now: number): void {
    if (logs.lastEventAt < now) return;
    for (const record of logs.sorted(webhook.accountId)) this.#follow(webhook, record, now);
  }

  /** Adds an event that does not come from the log. */
  emit(
    accountId: number,
    type: EmulatorWebhookType,
    event: Readonly<Record<string, unknown>>,
    at: number,
    isFor: (webhook: WebhookRecord) => boolean = () => true,
  ): void {
    for (const webhook of this.#parts.webhooks.of(accountId)) {
      if (webhook.type !== type || !isFor(webhook)) continue;
      // Each webhook gets the event with its own id.
      const whole = { event_id: this.#random.uuid(), ...event };
      this.#parts.posts.add(webhook, { at, name: null, event: whole });
    }
  }

  #follow(webhook: WebhookRecord, record: LogRecord, now: number): void {
    if (!isFor(webhook, record) || (record.turn ?? 0) >= MAX_POSTED) return;
    for (const step of record.course.steps) {
      const at = record.sentAt + step.afterMs;
      if (at >= now) this.#add(webhook, record, step, at);
    }
  }

  #add(webhook: WebhookRecord, record: LogRecord, step: Step, at: number): void {
    this.#parts.posts.add(webhook, { at, name: subscribedName(step.type), record, step });
  }

  #written(record: LogRecord, step: Step): Record<string, unknown> {
    const name = this.#parts.domains.anywhere(record.mail.domainId)?.name ?? '';
    return sendingEvent(record, step, name, this.#random.uuid());
  }
}
