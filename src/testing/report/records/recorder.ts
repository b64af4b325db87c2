/**
 * The records that a report is made from. The recorder fills the recorder interfaces of the service. May import `service`; the service does
 * not import it.
 */
import { monotonicMs } from '../../../kit/monotonic.ts';
import type { LogRecord } from '../../service/state/emails/email-log.ts';
import type { Copy } from '../../service/state/emails/outbox.ts';
import type { EmulatorWebhookPost } from '../../service/state/posts/posts.ts';
import type { EmulatorRequest, Recording } from '../../service/engine/request-log.ts';
import type { EngineResponse } from '../../service/wire/engine-response.ts';
import { late } from '../../../kit/late.ts';
import { kindOf, type Kind } from './kind-of.ts';
import { realTime } from '../../../kit/real-time.ts';
import { Newest } from '../../common/newest.ts';
import type { ReaderLinks } from '../../service/state/emails/reader-links.ts';
import { SecretValues } from '../../service/wire/redacted.ts';
import { detailsOf } from './details.ts';
import { OVERHEAD, sharedBy, sizeOf, sizeOfMail, sizeOfPost } from './sizes.ts';
import type { Era, SeenLimit, SeenMail, SeenPost, SeenRequest } from './seen.ts';

export const MAX_MAILS = 5_000;
export const MAX_REQUESTS = 20_000;
const MAX_POSTS = 5_000;
const MAX_BYTES = 64 * 2 ** 20;
/** The most kinds of dropped mail that are counted. */
const MAX_KINDS = 2_000;
/** The longest wait for the body of a response, in milliseconds: a handler may return an endless body. */
const BODY_WAIT_MS = 1_000;

/** All copies of one email share its content: it is charged once. */
interface Charge {
  copies: number;
  readonly bytes: number;
}

/**
 * Remembers the emails, the requests and the posts of webhooks since the emulator was made. A reset does not empty it. It
 * keeps the newest 5,000 emails, 20,000 requests and 5,000 posts, 64 MB of them at most, and counts all others.
 */
export class Recorder {
  readonly mails = new Newest<SeenMail>(MAX_MAILS, (mail) => this.#mailLeaves(mail));
  readonly requests = new Newest<SeenRequest>(MAX_REQUESTS, ({ bytes }) => {
    this.#bytes -= bytes;
  });
  readonly posts = new Newest<SeenPost>(MAX_POSTS, ({ post }) => {
    this.#bytes -= sizeOfPost(post);
  });
  /** By the email, or by the mailing of a campaign. */
  readonly #charges = new WeakMap<object, Charge>();
  readonly #left = new Map<string, Kind & { count: number }>();
  readonly #reading = new Set<Promise<void>>();
  readonly #keepsDetails: boolean;
  #bytes = 0;
  #era: Era = { number: 1, endedAt: undefined };
  #working: SeenRequest | undefined;
  #lastRequest = 0;
  #lastPost = 0;
  /** The secrets of requests and responses, which other ones may quote. */
  readonly secrets = new SecretValues();
  /** The name of the test that runs now. */
  mark: string | undefined;
  readonly began = monotonicMs();
  /** The number of refused requests. */
  refused = 0;
  /** The pools that counted a request. */
  readonly limits = new Map<string, SeenLimit>();
  readonly #listeners = new Set<() => void>();
  readonly #followers = new Set<(seen: SeenMail | SeenRequest, more: number) => void>();
  /** The emails that the request of {@link #working} has sent: the first, and the number of the others. */
  #sent: { readonly first: SeenMail; more: number } | undefined;
  /** The emails that a person has deleted. */
  readonly forgotten: { readonly number: number; readonly version: number }[] = [];
  /** The last one of them. */
  #lastForgotten: SeenMail | undefined;
  /** Grows with each change. An item has the version of its last change. */
  version = 0;

  /** @param keepsDetails - Whether every request is kept with its details. */
  constructor(keepsDetails = false) {
    this.#keepsDetails = keepsDetails;
  }

  /** The kinds of the dropped emails, with their counts. */
  get left(): readonly (Kind & { readonly count: number })[] {
    return [...this.#left.values()];
  }

  /** Calls back with the first email of each call and the number of its others, and with each request that has a refusal. */
  follow(tell: (seen: SeenMail | SeenRequest, more: number) => void): void {
    this.#followers.add(tell);
  }

  /** Calls back after each change. */
  onChange(changed: () => void): void {
    this.#listeners.add(changed);
  }

  /** Resolves when the bodies of the responses so far are read. */
  async settled(): Promise<void> {
    if (this.#reading.size === 0) return;
    const ended = new AbortController();
    await Promise.race([Promise.all(this.#reading), realTime.sleep(BODY_WAIT_MS, ended.signal)]);
    ended.abort();
  }

  /** Ends the period: after a reset or a restored state, the emails so far get no more events. */
  reset(now: number): void {
    this.#era.endedAt = now;
    this.#era = { number: this.#era.number + 1, endedAt: undefined };
  }

  /** Records an email that was accepted. */
  mail(copy: Copy, number: number, record: LogRecord | undefined, links: ReaderLinks): void {
    this.#chargeMail(copy);
    const seen: SeenMail = {
      copy,
      number,
      kind: late(() => kindOf(copy)),
      at: Date.now(),
      era: this.#era,
      record,
      links,
      request: this.#working,
      mark: this.#working?.mark ?? this.mark,
      version: 0,
    };
    this.mails.push(seen);
    this.changed(seen);
    if (this.#working === undefined) this.#tell(seen, 0);
    else if (this.#sent === undefined) this.#sent = { first: seen, more: 0 };
    else this.#sent.more += 1;
  }

  #tell(seen: SeenMail | SeenRequest, more: number): void {
    for (const tell of this.#followers) tell(seen, more);
  }

  /** Forgets an email for the report and the page. The emulator keeps it. */
  forget(seen: SeenMail): void {
    this.mails.remove(seen, (mail) => this.#uncharge(mail));
    this.changed();
    this.forgotten.push({ number: seen.number, version: this.version });
    this.#lastForgotten = seen;
  }

  /** Takes the last {@link forget} back. Returns whether it was of the email with this number. */
  restore(number: string): boolean {
    const seen = this.#lastForgotten;
    if (seen === undefined || String(seen.number) !== number) return false;
    this.#lastForgotten = undefined;
    this.forgotten.splice(-1);
    this.#chargeMail(seen.copy);
    this.mails.insert(seen, (before) => before.number < seen.number);
    this.changed(seen);
    return true;
  }

  /** Records that a pool has counted a request. */
  used(pool: string, { requests, perMs }: Pick<SeenLimit, 'requests' | 'perMs'>, used: number): void {
    const limit = this.limits.get(pool) ?? { requests, perMs, mostUsed: 0, refused: 0 };
    limit.mostUsed = Math.max(limit.mostUsed, used);
    this.limits.set(pool, limit);
  }

  /** Records a post to a receiver. Returns the function for its end. */
  post(post: EmulatorWebhookPost, type: string): (nextAt: number | undefined) => void {
    this.#lastPost += 1;
    const seen: SeenPost = {
      post,
      id: this.#lastPost,
      at: Date.now(),
      type,
      era: this.#era,
      durationMs: null,
      nextAt: undefined,
      version: 0,
    };
    const began = monotonicMs();
    this.#bytes += sizeOfPost(post);
    this.posts.push(seen);
    this.changed(seen);
    return (nextAt) => {
      seen.durationMs = monotonicMs() - began;
      seen.nextAt = nextAt;
      this.changed(seen);
    };
  }

  /** Remembers a secret of a header. */
  secret(value: string): void {
    this.secrets.add(value);
  }

  /** Records a request that was received. */
  request(
    entry: EmulatorRequest,
    url: string,
    headers: () => string,
    keepsDetails: boolean,
    mark?: string,
  ): Recording {
    this.#lastRequest += 1;
    const bytes = OVERHEAD + 2 * (url.length + entry.path.length + entry.query.length);
    const seen: SeenRequest = {
      id: this.#lastRequest,
      entry,
      url,
      at: Date.now(),
      durationMs: null,
      pool: null,
      cause: undefined,
      details: undefined,
      mark: mark ?? this.mark,
      bytes,
      version: 0,
    };
    this.#bytes += bytes;
    this.requests.push(seen);
    this.changed(seen);
    const began = monotonicMs();
    const isKept = keepsDetails || this.#keepsDetails;
    let given: Uint8Array | undefined;
    return {
      wantsBody: isKept,
      body: (read) => {
        given = read;
      },
      counted: (pool, isRefused) => {
        seen.pool = pool ?? null;
        const limit = pool === undefined || !isRefused ? undefined : this.limits.get(pool);
        if (limit !== undefined) limit.refused += 1;
      },
      because: (cause) => {
        seen.cause = cause;
      },
      during: (work) => {
        this.#working = seen;
        try {
          return work();
        } finally {
          this.#working = undefined;
          const sent = this.#sent;
          this.#sent = undefined;
          if (sent !== undefined) this.#tell(sent.first, sent.more);
        }
      },
      over: (response) => {
        seen.durationMs = monotonicMs() - began;
        const isRefused = response.status >= 400;
        if (isRefused) this.refused += 1;
        const sent = isRefused || isKept ? this.#keepDetails(seen, headers(), given, response) : response;
        given = undefined;
        this.changed(seen);
        if (isRefused || seen.cause !== undefined) this.#tell(seen, 0);
        return sent;
      },
      broken: () => undefined,
    };
  }

  /** Keeps headers and bodies. Returns the response to send. */
  #keepDetails(
    seen: SeenRequest,
    headers: string,
    given: Uint8Array | undefined,
    response: EngineResponse,
  ): EngineResponse {
    const { details, sent, reading } = detailsOf(headers, given, response, this.secrets);
    seen.details = details;
    this.#charge(seen, sizeOf(details.headers) + sizeOf(details.responseHeaders) + sizeOf(details.body));
    const read = () => this.#charge(seen, sizeOf(details.responseBody));
    if (reading === undefined) read();
    else {
      const reads = reading.then(read).finally(() => this.#reading.delete(reads));
      this.#reading.add(reads);
    }
    return sent;
  }

  /** Skips a request that was dropped while its response was read. */
  #charge(seen: SeenRequest, bytes: number): void {
    if (seen.id <= this.requests.omitted) return;
    seen.bytes += bytes;
    this.#bytes += bytes;
    this.changed(seen);
  }

  /** Signals a change: of an item, or outside the records, such as of the clock. */
  changed(seen?: { version: number }): void {
    while (this.#bytes > MAX_BYTES) this.#dropOldest();
    this.version += 1;
    if (seen !== undefined) seen.version = this.version;
    for (const changed of this.#listeners) changed();
  }

  /** Drops the oldest mail, request or post. */
  #dropOldest(): void {
    const kept = [this.mails, this.requests, this.posts].filter(({ length }) => length > 0);
    const oldest = Math.min(...kept.map((one) => one.oldest?.at ?? Infinity));
    const first = kept.find((one) => one.oldest?.at === oldest);
    if (first === undefined) this.#bytes = 0;
    else first.shift();
  }

  #chargeMail(copy: Copy): void {
    const shared = sharedBy(copy);
    const charge = this.#charges.get(shared);
    if (charge === undefined) {
      const bytes = copy.mailing?.size ?? sizeOfMail(copy.mail);
      this.#charges.set(shared, { copies: 1, bytes });
      this.#bytes += bytes;
    } else {
      charge.copies += 1;
    }
    this.#bytes += OVERHEAD;
  }

  #uncharge(seen: SeenMail): void {
    const shared = sharedBy(seen.copy);
    this.#bytes -= OVERHEAD;
    const charge = this.#charges.get(shared);
    if (charge !== undefined) charge.copies -= 1;
    if (charge?.copies === 0) {
      this.#bytes -= charge.bytes;
      this.#charges.delete(shared);
    }
  }

  #mailLeaves(seen: SeenMail): void {
    this.#uncharge(seen);
    const kind = seen.kind();
    const known = this.#left.get(kind.id);
    if (known !== undefined) known.count += 1;
    else if (this.#left.size < MAX_KINDS) this.#left.set(kind.id, { ...kind, count: 1 });
  }
}
