import type { EmulatorHost, Located } from './hosts.ts';
import { Waiters } from './waiters.ts';

/** One request that the emulator received. It never contains a token, a body, or any other header. */
export interface EmulatorRequest {
  /** The HTTP method, in upper case. */
  readonly method: string;
  /** The host it was sent to: one of the four, or `storage`. */
  readonly host: EmulatorHost;
  /** The path as the service publishes it, without host or query. */
  readonly path: string;
  /** The query as it was sent, with its `?`. Empty if there was none. */
  readonly query: string;
  /** When it was received, in milliseconds on the emulator's clock. */
  readonly at: number;
  /** The status of the response; `null` while there is none, or if there never was one. */
  readonly status: number | null;
  /** The id of the client's call, in hooks, logs and traces; absent unless the client has the option `sendCallId`. */
  readonly callId?: string;
}

/** What a client with the option `sendCallId` sends, and what it may be: whoever can connect chooses it. */
const CALL_ID_HEADER = 'email-platform-call-id';
const CALL_ID = /^[\w.-]{1,64}$/;

type Writable = { -readonly [Key in keyof EmulatorRequest]: EmulatorRequest[Key] };

/** Enough for any test, and a limit for an emulator that runs for days. */
const MAX_KEPT = 10_000;
/** Whoever can connect chooses how long a path is. */
const MAX_BYTES = 64 * 2 ** 20;

/** What is known of a request besides, while there is a control API. */
export interface RequestDetails {
  /** How long the response took, in milliseconds of real time; `null` while there is none, or if there never was one. */
  durationMs: number | null;
  /** The headers, without secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; `null` if there was none, or if it was larger than 64 KiB. */
  body: string | null;
}

/** Details as they are kept: an object of a thousand headers takes several times the room of its text. */
type Kept = Omit<RequestDetails, 'headers'> & { readonly headers: string };

const SECRET_HEADERS = ['authorization', 'api-token', 'proxy-authorization', 'cookie'];
const MAX_BODY = 64 * 1024;

/** The recording of one request. */
export interface Recording {
  /** Whether the body is kept, whatever the response. */
  readonly wantsBody: boolean;
  body(bytes: Uint8Array): void;
  /** Says which pool counted it, and whether that pool refused it. */
  counted(pool: string | undefined, isRefused: boolean): void;
  /** Runs the work of the request: the emails that it sends belong to it. */
  during<Result>(work: () => Result): Result;
  /** The request is over; `undefined` if there is no response. */
  over(response: Response | undefined): void;
}

/** Records requests beyond a reset. */
export interface RequestRecorder {
  request(entry: EmulatorRequest, url: string, headers: Headers, keepsDetails: boolean): Recording;
}

/** A request that has just been received. */
export type Received = Recording;

/** Records nothing. */
const NO_RECORDER: RequestRecorder = {
  request: () => ({
    wantsBody: false,
    body: () => undefined,
    counted: () => undefined,
    during: (work) => work(),
    over: () => undefined,
  }),
};

/** The most recent requests, oldest first. */
export class RequestLog {
  #entries: Writable[] = [];
  #bytes = 0;
  readonly #open = new Set<EmulatorRequest>();
  readonly #waiters = new Waiters<EmulatorRequest>();
  readonly #details = new WeakMap<EmulatorRequest, Kept>();
  readonly #recorder: RequestRecorder;
  /** How many control APIs there are: details of the requests are kept for them. */
  controlApis = 0;

  constructor(recorder = NO_RECORDER) {
    this.#recorder = recorder;
  }

  get entries(): readonly EmulatorRequest[] {
    return this.#entries;
  }

  /** What is known of a request besides; `undefined` if there was no control API. */
  detailsOf(entry: EmulatorRequest): RequestDetails | undefined {
    const kept = this.#details.get(entry);
    return kept && { ...kept, headers: JSON.parse(kept.headers) as RequestDetails['headers'] };
  }

  /** Adds a request. */
  received(method: string, located: Located, query: string, at: number, headers = new Headers()): Received {
    const entry: Writable = { method, host: located.host, path: located.path, query, at, status: null };
    const callId = headers.get(CALL_ID_HEADER) ?? '';
    if (CALL_ID.test(callId)) entry.callId = callId;
    const details =
      this.controlApis > 0 ? { durationMs: null, headers: shown(headers), body: null } : undefined;
    if (details !== undefined) this.#details.set(entry, details);
    this.#entries.push(entry);
    this.#open.add(entry);
    this.#bytes += this.#bytesOf(entry);
    if (this.#entries.length > MAX_KEPT || this.#bytes > MAX_BYTES) this.#dropOldest();
    const url = located.base + located.path;
    return this.#followed(entry, details, this.#recorder.request(entry, url, headers, this.controlApis > 0));
  }

  /** Resolves with the requests that fit and are over; as soon as there is one, if there is none yet. */
  wait(
    fits: (entry: EmulatorRequest) => boolean,
    ms: number,
    signal?: AbortSignal,
  ): Promise<EmulatorRequest[]> {
    const there = this.#entries.filter((entry) => fits(entry) && (ms === 0 || !this.#open.has(entry)));
    return there.length > 0 ? Promise.resolve(there) : this.#waiters.wait(fits, ms, signal);
  }

  clear(): void {
    this.#entries = [];
    this.#bytes = 0;
    this.#open.clear();
  }

  #followed(entry: Writable, details: Kept | undefined, recording: Recording): Received {
    const began = details === undefined ? 0 : performance.now();
    return {
      ...recording,
      body: (bytes) => {
        recording.body(bytes);
        if (details === undefined || bytes.length === 0 || bytes.length > MAX_BODY) return;
        details.body = new TextDecoder().decode(bytes);
        this.#bytes += 2 * details.body.length;
      },
      over: (response) => {
        const status = response?.status ?? null;
        this.#open.delete(entry);
        entry.status = status;
        if (details !== undefined && status !== null) details.durationMs = performance.now() - began;
        recording.over(response);
        if (this.#waiters.count > 0) this.#waiters.tell(entry);
      },
    };
  }

  /** At most two bytes for each character, and the objects. */
  #bytesOf(entry: EmulatorRequest): number {
    const { headers = '', body } = this.#details.get(entry) ?? {};
    const texts = [entry.path, entry.query, headers, body ?? ''];
    return 2 * texts.reduce((sum, text) => sum + text.length, 0) + 500;
  }

  /** Keeps half of what there may be, so that this happens rarely. */
  #dropOldest(): void {
    let from = this.#entries.length;
    let bytes = 0;
    for (const entry of this.#entries.slice(-MAX_KEPT / 2).reverse()) {
      const own = this.#bytesOf(entry);
      if (bytes + own > MAX_BYTES / 2) break;
      bytes += own;
      from -= 1;
    }
    for (const entry of this.#entries.slice(0, from)) this.#open.delete(entry);
    this.#entries = this.#entries.slice(from);
    this.#bytes = bytes;
  }
}

const shown = (headers: Headers): string =>
  JSON.stringify(
    Object.fromEntries(
      [...headers].map(([name, value]) => [name, SECRET_HEADERS.includes(name) ? '[redacted]' : value]),
    ),
  );
