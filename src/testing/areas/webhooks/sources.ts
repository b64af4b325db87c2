import type { Random } from '../../random.ts';
import type { DomainStore } from '../domains/store.ts';
import type { Step } from '../logs/course.ts';
import type { LogRecord } from '../logs/record.ts';
import type { LogStore } from '../logs/store.ts';
import { sendingEvent, subscribedName } from './events.ts';
import type { Posts } from './posts.ts';
import type { EmulatorWebhookType, WebhookRecord, WebhookStore } from './store.ts';

/** Where events come from, and which webhooks they go to. */
export class EventSources {
  readonly #store: WebhookStore;
  readonly #posts: Posts;
  readonly #domains: DomainStore;
  readonly #random: Random;

  constructor(store: WebhookStore, posts: Posts, domains: DomainStore, random: Random) {
    this.#store = store;
    this.#posts = posts;
    this.#domains = domains;
    this.#random = random;
  }

  /** The events of a message that has just been added to the log: those that are still to come. */
  logged(record: LogRecord, now: () => number): void {
    const webhooks = this.#store.of(record.mail.accountId);
    for (const webhook of webhooks) this.#follow(webhook, record, now());
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
    for (const webhook of this.#store.of(accountId)) {
      if (webhook.type !== type || !isFor(webhook)) continue;
      // Each webhook is told under an id of its own.
      const whole = { event_id: this.#random.uuid(), ...event };
      this.#posts.add(webhook, at, undefined, () => whole);
    }
  }

  #follow(webhook: WebhookRecord, record: LogRecord, now: number): void {
    const { mail, sentAt, course } = record;
    const { type, stream, domainId } = webhook;
    if (type !== 'email_sending' || stream !== mail.stream) return;
    if (domainId !== null && domainId !== mail.domainId) return;
    for (const step of course.steps) {
      const at = sentAt + step.afterMs;
      if (at >= now)
        this.#posts.add(webhook, at, subscribedName(step.type), () => this.#written(record, step));
    }
  }

  #written(record: LogRecord, step: Step): Record<string, unknown> {
    const name = this.#domains.get(record.mail.domainId)?.name ?? '';
    return sendingEvent(record, step, name, this.#random.uuid());
  }
}
