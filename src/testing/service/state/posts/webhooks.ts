import { HOST } from '../account/word-rules.ts';
import {
  arrayOf,
  callable,
  duration,
  objectOf,
  positive,
  textLike,
  webUrl,
  whole,
} from '../../../declare/kind.ts';
import { isHost } from '../../../common/allowed-hosts.ts';
import { isHeaderName } from '../../../common/cors.ts';
import { option, type Options, type Settings } from '../../../declare/option.ts';
import type { Random } from '../base/random.ts';
import type { State } from '../base/state.ts';
import type { Streams } from '../base/streams.ts';
import { emptyTable, type Row, Table } from '../base/table.ts';

/** The receiver of all events. */
export interface EmulatorForwarding {
  /** Address of the receiver. */
  url: string;
  /** The secret that signs every post. */
  secret: string;
}

/** The options of webhooks. */
export interface EmulatorWebhookOptions {
  /**
   * Receives every post, instead of the network. Without it, a listening emulator posts over HTTP, and an emulator in
   * memory counts each post as received with status 200.
   */
  receive?: (request: Request) => Response | Promise<Response>;
  /**
   * Names of other machines that may receive posts over HTTP. By default, a post to another machine fails, so that a test
   * cannot reach a real receiver.
   */
  hosts?: readonly string[];
  /**
   * Posts every event of the emulator's account to one address, from the start and after every reset, through a webhook of
   * each type; of a campaign, the events of its first 1,000 emails, and every unsubscription through a link. With `flushMs: 0`, posts each event when it happens.
   */
  forward?: EmulatorForwarding;
  /**
   * Name of the header with the signature. The service's documentation names its header: set it here for a receiver that
   * reads that one.
   * @defaultValue 'x-webhook-signature'
   */
  signatureHeader?: string;
  /**
   * How long events are gathered before they are posted, in milliseconds.
   * @defaultValue 30_000
   */
  flushMs?: number;
  /**
   * The most events in a post.
   * @defaultValue 500
   */
  maxEvents?: number;
  /**
   * The wait before a failed post is repeated, in milliseconds; for inbound events, the first of waits that double.
   * @defaultValue 300_000, or 84_500 for inbound events: ten doubling waits make up a day
   */
  retryMs?: number;
  /**
   * How often a failed post is repeated before its webhook is paused.
   * @defaultValue 40, or 10 for inbound events
   */
  maxRetries?: number;
}

type Without = 'receive' | 'forward' | 'retryMs' | 'maxRetries';

export type WebhookSettings = Settings<EmulatorWebhookOptions, Without>;

const forwarding = objectOf<EmulatorForwarding>(
  {
    url: webUrl,
    secret: { ...textLike('text that is not empty', (secret) => secret !== ''), isSecret: true },
  },
  ['url', 'secret'],
);

export const webhookOptions: Options<EmulatorWebhookOptions, Without> = {
  receive: option(callable, undefined, 'up to the test'),
  hosts: option(
    arrayOf('host names', textLike(HOST, isHost)),
    [],
    'no test reaches a real receiver by mistake',
  ),
  forward: option(forwarding, undefined, 'up to the test'),
  signatureHeader: option(
    textLike('the name of a header', isHeaderName),
    'x-webhook-signature',
    "chosen here: the service's documentation names its header, which you can set here",
  ),
  flushMs: option(duration, 30_000, 'the public reference'),
  maxEvents: option(positive, 500, 'the public reference'),
  retryMs: option(duration, undefined, 'the public reference; it differs by the type of the webhook'),
  maxRetries: option(
    whole(0, 1000),
    undefined,
    'the public reference; it differs by the type of the webhook',
  ),
};

/** The type of a webhook, by its events. */
export type EmulatorWebhookType = 'email_sending' | 'campaigns' | 'audit_log' | 'inbound_receiving';
export const WEBHOOK_TYPES: readonly EmulatorWebhookType[] = [
  'email_sending',
  'campaigns',
  'audit_log',
  'inbound_receiving',
];

/** The fields that a caller can change. */
export interface WebhookFields {
  url: string;
  active: boolean;
  format: 'json' | 'jsonlines';
  eventTypes: readonly string[];
  inboxId: number | null;
}

/** A webhook as the emulator stores it. */
export interface WebhookRecord extends Row<number> {
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
