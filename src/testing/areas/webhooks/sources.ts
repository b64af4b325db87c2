import type { Random } from '../../random.ts';
import type { Streams } from '../../streams.ts';
import type { Step } from '../email-logs/course.ts';
import type { LogRecord } from '../email-logs/record.ts';
import type { LogStore } from '../email-logs/store.ts';
import { sendingEvent, subscribedName } from './events.ts';
import type { Posts } from './posts.ts';
import type { EmulatorWebhookType, WebhookRecord, WebhookStore } from './store.ts';

/** What events are made of. */
export interface SourceParts {
  readonly webhooks: WebhookStore;
  readonly posts: Posts;
  /** The name of a sending domain; empty if there is none. */
  readonly domainName: (id: number) => string;
  readonly streams: Streams;
}

/** Where events come from, and which webhooks they go to. */
export class EventSources {
  readonly #parts: SourceParts;
  readonly #random: Random;

  constructor(parts: SourceParts) {
    this.#parts = parts;
    this.#random = parts.streams.of('events');
    parts.posts.describe((record, step) => this.#written(record, step));
  }

  /** The events of a message that has just been added to the log: those that are still to come. */
  logged(record: LogRecord, now: () => number): void {
    const { webhooks } = this.#parts;
    const { accountId } = record.mail;
    if (webhooks.count(accountId) === 0) return;
    for (const webhook of webhooks.of(accountId)) this.#follow(webhook, record, now());
  }

  /** The events to come of the messages that were sent before a webhook was created. */
  added(webhook: WebhookRecord, logs: LogStore, now: number): void {
    if (logs.lastEventAt < now) return;
    for (const record of logs.sorted(webhook.accountId)) this.#follow(webhook, record, now);
  }

  /** An event of another kind. */
  emit(
    accountId: number,
    type: EmulatorWebhookType,
    event: Readonly<Record<string, unknown>>,
    at: number,
    isFor: (webhook: WebhookRecord) => boolean = () => true,
  ): void {
    for (const webhook of this.#parts.webhooks.of(accountId)) {
      if (webhook.type !== type || !isFor(webhook)) continue;
      // Each webhook is told under an id of its own.
      const whole = { event_id: this.#random.uuid(), ...event };
      this.#parts.posts.add(webhook, { at, name: null, event: whole });
    }
  }

  #follow(webhook: WebhookRecord, record: LogRecord, now: number): void {
    const { mail, sentAt, course } = record;
    const { type, stream, domainId } = webhook;
    if (type !== 'email_sending' || stream !== mail.stream) return;
    if (domainId !== null && domainId !== mail.domainId) return;
    for (const step of course.steps) {
      const at = sentAt + step.afterMs;
      if (at >= now) this.#parts.posts.add(webhook, { at, name: subscribedName(step.type), record, step });
    }
  }

  #written(record: LogRecord, step: Step): Record<string, unknown> {
    const name = this.#parts.domainName(record.mail.domainId);
    return sendingEvent(record, step, name, this.#random.uuid());
  }
}
