/** Webhooks and their posts. May import the rooms of the state above, except delivery. */
import { AlarmClock } from '../base/alarm-clock.ts';
import type { VirtualClock } from '../base/clock.ts';
import { hmac } from '../../../encoding/hashes.ts';
import { ownBody } from '../../../../kit/own-body.ts';
import type { State } from '../base/state.ts';
import type { Step } from '../emails/course.ts';
import type { LogRecord } from '../emails/email-log.ts';
import type { WebhookRecord, WebhookSettings, WebhookStore } from './webhooks.ts';

/** A post that the emulator made. */
export interface EmulatorWebhookPost {
  /** Its number: 1 for the first post of the emulator. */
  readonly id: number;
  /** Id of the webhook. */
  readonly webhookId: number;
  /** The address of the receiver. */
  readonly url: string;
  /** The due time, in milliseconds on the emulator's clock. */
  readonly at: number;
  /** 1 for the first attempt, 2 for the first repetition, and so on. */
  readonly attempt: number;
  /** The headers, including the signature. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, the same in every attempt. */
  readonly body: string;
  /** The status of the response; `null` until it arrives, and for a post that fails without one. */
  readonly status: number | null;
}

/** An event to post: a step of a message in the log, or another event. */
export type Pending = {
  readonly at: number;
  /** The event type in the webhook's subscription; `null` if the event needs no subscription. */
  readonly name: string | null;
} & (
  | { readonly record: LogRecord; readonly step: Step }
  | { readonly event: Readonly<Record<string, unknown>> }
);

/** Delivers a post to its receiver. */
export type DeliverPost = (request: Request) => Promise<Response>;

/** The number of repetitions of a failed post, and the waits before them. */
interface RetryRule {
  readonly maxRetries: number;
  readonly waitMs: (attempt: number) => number;
}

const MAX_KEPT = 10_000;
/** The time limit of a receiver, in milliseconds of real time. */
const TIMEOUT_MS = 30_000;

/** Records posts beyond a reset. */
export interface PostRecorder {
  /** Records a post. At its end the caller calls the returned function with the time of the next attempt, if there is one. */
  post(post: EmulatorWebhookPost, type: string): (nextAt: number | undefined) => void;
}

/** The parts that posts need. */
export interface PostParts {
  readonly state: State;
  readonly clock: VirtualClock;
  readonly webhooks: WebhookStore;
  readonly deliver: DeliverPost;
  readonly recorder: PostRecorder;
  readonly settings: { readonly webhooks: WebhookSettings };
}

/** The kind of the tasks on the clock. */
const TASK = 'webhook post';

/** A task on the clock: post the gathered events, or repeat a failed post. */
type Planned =
  | { readonly does: 'flush'; readonly webhookId: number }
  | { readonly does: 'repeat'; readonly webhookId: number; readonly body: string; readonly attempt: number };

/** The gathered events of a webhook. */
interface Gathered {
  /** The time of the earliest event. */
  earliest: number;
  readonly events: Pending[];
}

type MadePost = EmulatorWebhookPost & { status: number | null };

/** Gathers the events of every webhook, and posts them when they are due on the clock. */
export class Posts {
  readonly #parts: PostParts;
  readonly #alarm: AlarmClock;
  /** By the id of the webhook. */
  readonly #pending: Map<number, Gathered>;
  readonly #made: MadePost[];
  readonly #underWay = new Set<Promise<unknown>>();
  #describe: (record: LogRecord, step: Step) => Record<string, unknown> = () => ({});
  #isStopped = false;

  constructor(parts: PostParts) {
    this.#parts = parts;
    this.#alarm = new AlarmClock(parts.clock, TASK);
    const initial = { pending: new Map<number, Gathered>(), made: [] as MadePost[] };
    const { pending, made } = parts.state.part('webhook posts', initial);
    this.#pending = pending;
    this.#made = made;
    parts.clock.on(TASK, (planned: Planned, at) => this.#happen(planned, at));
  }

  /** Sets the function that makes the posted event of a message. It is called at the time of the post. */
  describe(describe: (record: LogRecord, step: Step) => Record<string, unknown>): void {
    this.#describe = describe;
  }

  /** The latest posts, oldest first. */
  get made(): readonly EmulatorWebhookPost[] {
    return this.#made;
  }

  /** Adds an event. */
  add(webhook: WebhookRecord, event: Pending): void {
    const gathered = this.#pending.get(webhook.id);
    if (gathered === undefined) {
      this.#pending.set(webhook.id, { earliest: event.at, events: [event] });
      this.#planFlush(webhook, event.at);
      return;
    }
    gathered.events.push(event);
    if (event.at >= gathered.earliest) return;
    gathered.earliest = event.at;
    this.#planFlush(webhook, event.at);
  }

  /** Posts the events up to now without waiting for `flushMs`. Resolves when all posts have their responses. */
  async flush(): Promise<void> {
    const { clock } = this.#parts;
    clock.settle();
    const now = clock.now();
    for (const [id, { earliest }] of [...this.#pending]) {
      const webhook = earliest <= now ? this.#parts.webhooks.anywhere(id) : undefined;
      if (webhook !== undefined) this.#flush(webhook, now);
    }
    await this.settled();
  }

  /** Makes a post again, with the same body, and returns it with its response. It is not repeated if it fails. */
  async redeliver(id: number): Promise<EmulatorWebhookPost> {
    const post = this.#made.find((one) => one.id === id);
    if (post === undefined) throw new RangeError(`There is no post ${id}`);
    const webhook = this.#parts.webhooks.anywhere(post.webhookId);
    if (webhook === undefined) throw new RangeError(`The webhook ${post.webhookId} has been deleted`);
    return this.#running(this.#deliver(webhook, post.body, post.attempt + 1, this.#parts.clock.now()));
  }

  /** Resolves when no post is under way or due. */
  async settled(): Promise<void> {
    this.#parts.clock.settle();
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** Starts the timer for the planned posts of the state. */
  start(): void {
    this.#alarm.set();
  }

  /** Stops all further posts. */
  stop(): void {
    this.#isStopped = true;
    this.#alarm.stop();
  }

  get #settings(): WebhookSettings {
    return this.#parts.settings.webhooks;
  }

  #plan(at: number, planned: Planned): void {
    this.#parts.clock.plan(at, TASK, planned);
    this.#alarm.set();
  }

  #planFlush({ id: webhookId }: WebhookRecord, earliest: number): void {
    this.#plan(earliest + this.#settings.flushMs, { does: 'flush', webhookId });
  }

  #happen(planned: Planned, at: number): void {
    const webhook = this.#parts.webhooks.anywhere(planned.webhookId);
    if (webhook === undefined) {
      this.#pending.delete(planned.webhookId);
    } else if (planned.does === 'repeat') {
      if (webhook.settings.active) this.#start(webhook, planned.body, planned.attempt, at);
    } else if (at === (this.#pending.get(webhook.id)?.earliest ?? NaN) + this.#settings.flushMs) {
      // If the times differ, an earlier event has arrived since, and another task is planned.
      this.#flush(webhook, at);
    }
  }

  /** Posts the events up to now, and plans the next post. */
  #flush(webhook: WebhookRecord, now: number): void {
    const all = this.#pending.get(webhook.id)?.events ?? [];
    this.#pending.delete(webhook.id);
    const later = all.filter(({ at }) => at > now);
    if (later.length > 0) {
      const earliest = later.reduce((least, { at }) => Math.min(least, at), Infinity);
      this.#pending.set(webhook.id, { earliest, events: later });
      this.#planFlush(webhook, earliest);
    }
    const { active, eventTypes } = webhook.settings;
    if (!active) return;
    const due = all
      .filter(({ at, name }) => at <= now && (name === null || eventTypes.includes(name)))
      .sort((a, b) => a.at - b.at);
    const { maxEvents } = this.#settings;
    for (let from = 0; from < due.length; from += maxEvents) {
      const events = due.slice(from, from + maxEvents).map((one) => this.#written(one));
      this.#start(webhook, bodyOf(webhook, events), 1, now);
    }
  }

  #written(pending: Pending): Readonly<Record<string, unknown>> {
    return 'event' in pending ? pending.event : this.#describe(pending.record, pending.step);
  }

  #start(webhook: WebhookRecord, body: string, attempt: number, at: number): void {
    const failed = () => this.#failed(webhook, body, attempt, at);
    void this.#running(this.#deliver(webhook, body, attempt, at, failed));
  }

  #running<Result>(work: Promise<Result>): Promise<Result> {
    const running = work.finally(() => this.#underWay.delete(running));
    this.#underWay.add(running);
    return running;
  }

  async #deliver(
    webhook: WebhookRecord,
    body: string,
    attempt: number,
    at: number,
    failed: () => number | undefined = () => undefined,
  ): Promise<EmulatorWebhookPost> {
    const { url } = webhook.settings;
    const isJson = webhook.settings.format === 'json';
    const headers = {
      'content-type': isJson ? 'application/json' : 'application/jsonl',
      [this.#settings.signatureHeader]: hmac(webhook.secret, body),
    };
    const id = (this.#made.at(-1)?.id ?? 0) + 1;
    const post = {
      id,
      webhookId: webhook.id,
      url,
      at,
      attempt,
      headers,
      body,
      status: null as number | null,
    };
    this.#made.push(post);
    if (this.#made.length > MAX_KEPT) this.#made.shift();
    const isOver = this.#parts.recorder.post(post, webhook.type);
    post.status = await this.#statusOf(() => requestTo(url, headers, body));
    // As published, any status other than 200 is a failure.
    isOver(post.status === 200 ? undefined : failed());
    return post;
  }

  async #statusOf(request: () => Request): Promise<number | null> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tooLate = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), TIMEOUT_MS);
    });
    const answered = async () => {
      const { status, body } = await this.#parts.deliver(request());
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

  /** Plans the next attempt, and returns its time. After the last one, the webhook is switched off. */
  #failed(webhook: WebhookRecord, body: string, attempt: number, at: number): number | undefined {
    if (this.#isStopped || !this.#parts.webhooks.has(webhook)) return undefined;
    const { maxRetries, waitMs } = this.#ruleOf(webhook);
    if (attempt > maxRetries) {
      webhook.settings = { ...webhook.settings, active: false };
      return undefined;
    }
    const nextAt = at + waitMs(attempt);
    this.#plan(nextAt, { does: 'repeat', webhookId: webhook.id, body, attempt: attempt + 1 });
    // The clock may have moved on while the receiver took its time.
    this.#parts.clock.settle();
    return nextAt;
  }

  #ruleOf({ type }: WebhookRecord): RetryRule {
    const { retryMs, maxRetries } = this.#settings;
    if (type !== 'inbound_receiving')
      return { maxRetries: maxRetries ?? 40, waitMs: () => retryMs ?? 300_000 };
    return {
      maxRetries: maxRetries ?? 10,
      waitMs: (attempt) => (retryMs ?? 84_500) * 2 ** (attempt - 1),
    };
  }
}

/** Makes the request. Moves a user and a password from the address to a header, because `Request` refuses them. */
function requestTo(url: string, headers: Readonly<Record<string, string>>, body: string): Request {
  const address = new URL(url);
  const { username, password } = address;
  address.username = address.password = '';
  const credentials = btoa([username, password].map(decodeURIComponent).join(':'));
  const authorization = username === '' ? {} : { authorization: `Basic ${credentials}` };
  return new Request(address, {
    method: 'POST',
    headers: { ...headers, ...authorization },
    ...ownBody(body),
  });
}

function bodyOf({ settings }: WebhookRecord, events: readonly unknown[]): string {
  if (settings.format === 'json') return JSON.stringify({ events });
  return events.map((event) => JSON.stringify(event)).join('\n');
}
