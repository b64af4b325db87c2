import type { VirtualClock } from '../../clock.ts';
import { hmac } from '../../hmac.ts';
import type { EmulatorWebhookOptions, WEBHOOK_DEFAULTS } from './options.ts';
import { AlarmClock } from './alarm-clock.ts';
import type { WebhookRecord, WebhookStore } from './store.ts';

/** A post that the emulator made. */
export interface EmulatorWebhookPost {
  /** Id of the webhook. */
  readonly webhookId: number;
  /** The address that it was posted to. */
  readonly url: string;
  /** When it was due, in milliseconds on the emulator's clock. */
  readonly at: number;
  /** 1 for the first attempt, 2 for the first repetition, and so on. */
  readonly attempt: number;
  /** Its headers; among them that with the signature. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its body: the same in every attempt. */
  readonly body: string;
  /** The status of the response; `null` until there is one, and if there is none. */
  readonly status: number | null;
}

/** Carries a post to its receiver. */
export type Carry = (request: Request) => Promise<Response>;

/** An event that is to be posted. */
interface Pending {
  readonly at: number;
  readonly name: string | undefined;
  readonly event: () => Record<string, unknown>;
}

/** How often a failed post is repeated, and after which wait. */
interface RetryRule {
  readonly maxRetries: number;
  readonly waitMs: (attempt: number) => number;
}

const MAX_KEPT = 10_000;
/** The time that a receiver has, in real time. */
const TIMEOUT_MS = 30_000;

/** Gathers the events of every webhook, and posts them when the clock says so. */
export class Posts {
  readonly #clock: VirtualClock;
  readonly #alarm: AlarmClock;
  readonly #store: WebhookStore;
  readonly #carry: Carry;
  readonly #options: EmulatorWebhookOptions & typeof WEBHOOK_DEFAULTS;
  readonly #pending = new Map<WebhookRecord, { earliest: number; cancel: () => void; events: Pending[] }>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #made: (EmulatorWebhookPost & { status: number | null })[] = [];
  #isStopped = false;

  constructor(
    clock: VirtualClock,
    store: WebhookStore,
    carry: Carry,
    options: EmulatorWebhookOptions & typeof WEBHOOK_DEFAULTS,
  ) {
    this.#clock = clock;
    this.#alarm = new AlarmClock(clock);
    this.#store = store;
    this.#carry = carry;
    this.#options = options;
  }

  /** The latest posts, oldest first. */
  get made(): readonly EmulatorWebhookPost[] {
    return this.#made;
  }

  /** Adds an event that happens at a time. `name` is what a webhook has to be subscribed to; any is if left out. */
  add(webhook: WebhookRecord, at: number, name: string | undefined, event: Pending['event']): void {
    const known = this.#pending.get(webhook);
    if (known === undefined) {
      this.#pending.set(webhook, this.#planned(webhook, [{ at, name, event }], at));
      return;
    }
    known.events.push({ at, name, event });
    if (at >= known.earliest) return;
    known.cancel();
    this.#pending.set(webhook, this.#planned(webhook, known.events, at));
  }

  /** Resolves when no post is under way or due. */
  async settled(): Promise<void> {
    this.#clock.settle();
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** Makes no more posts. */
  stop(): void {
    this.#isStopped = true;
    this.#alarm.stop();
  }

  #planned(webhook: WebhookRecord, events: Pending[], earliest: number) {
    const cancel = this.#alarm.at(earliest + this.#options.flushMs, (at) => this.#flush(webhook, at));
    return { earliest, cancel, events };
  }

  /** Posts what has happened up to now, and plans the next time. */
  #flush(webhook: WebhookRecord, now: number): void {
    const all = this.#pending.get(webhook)?.events ?? [];
    this.#pending.delete(webhook);
    if (!this.#store.has(webhook)) return;
    const later = all.filter(({ at }) => at > now);
    if (later.length > 0) {
      const earliest = later.reduce((least, { at }) => Math.min(least, at), Infinity);
      this.#pending.set(webhook, this.#planned(webhook, later, earliest));
    }
    const { active, eventTypes } = webhook.settings;
    if (!active) return;
    const due = all
      .filter(({ at, name }) => at <= now && (name === undefined || eventTypes.includes(name)))
      .sort((a, b) => a.at - b.at);
    const { maxEvents } = this.#options;
    for (let from = 0; from < due.length; from += maxEvents) {
      const events = due.slice(from, from + maxEvents).map(({ event }) => event());
      this.#start(webhook, bodyOf(webhook, events), 1, now);
    }
  }

  #start(webhook: WebhookRecord, body: string, attempt: number, at: number): void {
    const running = this.#post(webhook, body, attempt, at).finally(() => this.#underWay.delete(running));
    this.#underWay.add(running);
  }

  async #post(webhook: WebhookRecord, body: string, attempt: number, at: number): Promise<void> {
    const { url } = webhook.settings;
    const isJson = webhook.settings.format === 'json';
    const headers = {
      'content-type': isJson ? 'application/json' : 'application/jsonl',
      [this.#options.signatureHeader]: hmac(webhook.secret, body),
    };
    const post = { webhookId: webhook.id, url, at, attempt, headers, body, status: null as number | null };
    this.#made.push(post);
    if (this.#made.length > MAX_KEPT) this.#made.shift();
    post.status = await this.#statusOf(() => requestTo(url, headers, body));
    // As published: any other response is a failure.
    if (post.status !== 200) this.#failed(webhook, body, attempt, at);
  }

  async #statusOf(request: () => Request): Promise<number | null> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tooLate = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), TIMEOUT_MS);
    });
    const answered = async () => {
      const { status, body } = await this.#carry(request());
      await body?.cancel();
      return status;
    };
    try {
      return await Promise.race([answered(), tooLate]);
    } catch {
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  #failed(webhook: WebhookRecord, body: string, attempt: number, at: number): void {
    if (this.#isStopped || !this.#store.has(webhook)) return;
    const { maxRetries, waitMs } = this.#ruleOf(webhook);
    if (attempt > maxRetries) {
      webhook.settings = { ...webhook.settings, active: false };
      return;
    }
    this.#alarm.at(at + waitMs(attempt), (due) => {
      if (this.#store.has(webhook) && webhook.settings.active) this.#start(webhook, body, attempt + 1, due);
    });
    // The clock may have moved on while the receiver took its time.
    this.#clock.settle();
  }

  #ruleOf({ type }: WebhookRecord): RetryRule {
    const { retryMs, maxRetries } = this.#options;
    if (type !== 'inbound_receiving')
      return { maxRetries: maxRetries ?? 40, waitMs: () => retryMs ?? 300_000 };
    return {
      maxRetries: maxRetries ?? 10,
      waitMs: (attempt) => (retryMs ?? 84_500) * 2 ** (attempt - 1),
    };
  }
}

/** A user and a password in the address are sent as a header, because a Request may not have them. */
function requestTo(url: string, headers: Readonly<Record<string, string>>, body: string): Request {
  const address = new URL(url);
  const { username, password } = address;
  address.username = address.password = '';
  const credentials = btoa([username, password].map(decodeURIComponent).join(':'));
  const authorization = username === '' ? {} : { authorization: `Basic ${credentials}` };
  return new Request(address, { method: 'POST', headers: { ...headers, ...authorization }, body });
}

function bodyOf({ settings }: WebhookRecord, events: readonly unknown[]): string {
  if (settings.format === 'json') return JSON.stringify({ events });
  return events.map((event) => JSON.stringify(event)).join('\n');
}
