import { Refused } from './verdict.ts';

export const FLUSH_MS = 30_000;

/** The events of every email in this model, with their times. */
const COURSE = [
  ['delivery', 1000],
  ['open', 60_000],
  ['click', 120_000],
] as const;

export interface WebhookModel {
  readonly id: number;
  readonly stream: 'transactional' | 'bulk';
  types: readonly string[];
  isActive: boolean;
  /** Events that are not posted yet, or may be left out. */
  pending: { readonly at: number; readonly type: string; readonly messageId: string }[];
}

/** Webhooks, and what they have posted, as the public reference describes them. */
export class Hooks {
  readonly webhooks = new Map<number, WebhookModel>();
  /** Everything that has been posted: the webhook, the event and the message. */
  readonly posted: string[] = [];
  readonly #sent: { readonly id: string; readonly stream: string; readonly at: number }[] = [];

  webhook(id: number): WebhookModel {
    const found = this.webhooks.get(id);
    if (found === undefined) throw new Refused(404, 'NotFoundError');
    return found;
  }

  /** A new webhook hears of what is still to come, of earlier emails too. */
  add(webhook: Omit<WebhookModel, 'pending'>, now: number): void {
    const added = { ...webhook, pending: [] };
    this.webhooks.set(added.id, added);
    for (const { id, stream, at } of this.#sent) this.#follow(added, id, stream, at, now);
  }

  sent(id: string, stream: 'transactional' | 'bulk', now: number): void {
    this.#sent.push({ id, stream, at: now });
    for (const webhook of this.webhooks.values()) this.#follow(webhook, id, stream, now, now);
  }

  #follow(webhook: WebhookModel, messageId: string, stream: string, sentAt: number, now: number): void {
    if (webhook.stream !== stream) return;
    for (const [type, afterMs] of COURSE) {
      const at = sentAt + afterMs;
      if (at >= now) webhook.pending.push({ at, type, messageId });
    }
  }

  /** Half a minute after the first event that waits, all that have happened are posted together. */
  settle(now: number): void {
    for (const webhook of this.webhooks.values()) {
      for (;;) {
        const flushAt = Math.min(...webhook.pending.map(({ at }) => at)) + FLUSH_MS;
        if (flushAt > now) break;
        for (const { at, type, messageId } of webhook.pending) {
          if (at <= flushAt && webhook.isActive && webhook.types.includes(type))
            this.posted.push(`${webhook.id} ${type} ${messageId}`);
        }
        webhook.pending = webhook.pending.filter(({ at }) => at > flushAt);
      }
    }
  }
}
