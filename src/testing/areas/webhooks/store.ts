import type { Random } from '../../random.ts';
import type { State } from '../../state.ts';
import type { Streams } from '../../streams.ts';
import { emptyTable, Table } from '../../table.ts';

/** What a webhook tells of. */
export type EmulatorWebhookType = 'email_sending' | 'campaigns' | 'audit_log' | 'inbound_receiving';
export const WEBHOOK_TYPES: readonly EmulatorWebhookType[] = [
  'email_sending',
  'campaigns',
  'audit_log',
  'inbound_receiving',
];

/** What a caller can change. */
export interface WebhookFields {
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
  settings: WebhookFields;
}

/** All webhooks. */
export class WebhookStore extends Table<WebhookRecord> {
  readonly #random: Random;

  constructor({ state, streams }: { readonly state: State; readonly streams: Streams }) {
    super(state.part('webhooks', emptyTable<WebhookRecord>(5001)));
    this.#random = streams.of('webhooks');
  }

  add(fields: Omit<WebhookRecord, 'id' | 'secret'>, secret = this.#random.hex(32)): WebhookRecord {
    return this.insert({ ...fields, secret });
  }
}
