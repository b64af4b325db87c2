import type { Random } from '../../random.ts';

/** What a webhook tells of. */
export type EmulatorWebhookType = 'email_sending' | 'campaigns' | 'audit_log' | 'inbound_receiving';
export const WEBHOOK_TYPES: readonly EmulatorWebhookType[] = [
  'email_sending',
  'campaigns',
  'audit_log',
  'inbound_receiving',
];

/** What a caller can change. */
export interface WebhookSettings {
  url: string;
  active: boolean;
  format: 'json' | 'jsonlines';
  eventTypes: readonly string[];
  inboxId: number | null;
}

/** A webhook as the emulator stores it. */
export interface WebhookRecord {
  readonly id: number;
  readonly accountId: number;
  readonly type: EmulatorWebhookType;
  readonly stream: string | null;
  readonly domainId: number | null;
  readonly secret: string;
  settings: WebhookSettings;
}

/** All webhooks. */
export class WebhookStore {
  readonly #random: Random;
  readonly #webhooks = new Map<number, WebhookRecord>();
  #nextId = 5001;

  constructor(random: Random) {
    this.#random = random;
  }

  add(fields: Omit<WebhookRecord, 'id' | 'secret'>): WebhookRecord {
    const webhook = { ...fields, id: this.#nextId, secret: this.#random.hex(32) };
    this.#nextId += 1;
    this.#webhooks.set(webhook.id, webhook);
    return webhook;
  }

  of(accountId: number): WebhookRecord[] {
    return [...this.#webhooks.values()].filter((webhook) => webhook.accountId === accountId);
  }

  find(accountId: number, id: number): WebhookRecord | undefined {
    const webhook = this.#webhooks.get(id);
    return webhook?.accountId === accountId ? webhook : undefined;
  }

  has(webhook: WebhookRecord): boolean {
    return this.#webhooks.has(webhook.id);
  }

  remove(webhook: WebhookRecord): void {
    this.#webhooks.delete(webhook.id);
  }
}
