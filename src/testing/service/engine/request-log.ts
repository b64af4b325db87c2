import { monotonicMs } from '../../../kit/monotonic.ts';
import type { RequestHeaders } from '../wire/engine-request.ts';
import type { EngineResponse } from '../wire/engine-response.ts';
import type { EmulatorHost, Located } from '../wire/hosts.ts';
import { late } from '../../../kit/late.ts';
import { decoded } from '../../encoding/decoded.ts';
import { shownHeaders } from '../wire/redacted.ts';
import { Waiters } from '../../common/waiters.ts';

/** One request that the emulator received. It never contains a token, a body, or any other header. */
export interface EmulatorRequest {
  /** The HTTP method, in upper case. */
  readonly method: string;
  /** The host of the request: `api`, `send`, `bulk`, `sandbox` or `storage`. */
  readonly host: EmulatorHost;
  /** The path as the service publishes it, without host or query. */
  readonly path: string;
  /** The query with its `?`, as the client sent it. Empty if there was none. */
  readonly query: string;
  /** The time of arrival, in milliseconds on the emulator's clock. */
  readonly at: number;
  /** The status of the response; `null` until the response, and for a request that fails without one. */
  readonly status: number | null;
  /** The id of the client's call, in hooks, logs and traces; absent unless the client has the option `sendCallId`. */
  readonly callId?: string;
}

/** The name of the test that makes a request, percent-encoded. */
export const MARK_HEADER = 'email-platform-mark';
/** The domains of the mailboxes of a connected emulator, separated by commas. */
export const DOMAINS_HEADER = 'email-platform-mailbox-domains';
/** The longest name of a test. */
const MARK = 500;

function markIn(headers: RequestHeaders): string | undefined {
  const given = headers.get(MARK_HEADER);
  if (given === null || given === '') return undefined;
  return decoded(given).slice(0, MARK);
}

/** The header of the client's option `sendCallId`. Any program can send it, so the pattern limits its values. */
const CALL_ID_HEADER = 'email-platform-call-id';
const CALL_ID = /^[\w.-]{1,64}$/;

type Writable = { -readonly [Key in keyof EmulatorRequest]: EmulatorRequest[Key] };

/** The most requests in the log: a limit for an emulator that runs for days. */
const MAX_KEPT = 10_000;
/** The most memory of the log, in bytes: a program can send long paths. */
const MAX_BYTES = 64 * 2 ** 20;

/** Details of a request, which the log keeps while there is a control API. */
export interface RequestDetails {
  /** The time until the response, in milliseconds of real time; `null` if there is no response. */
  durationMs: number | null;
  /** The headers, without secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; `null` if there was none, or if it was larger than 64 KiB. */
  body: string | null;
}

/** Details in the log. The headers are one text: an object of a thousand headers takes several times its memory. */
type Kept = Omit<RequestDetails, 'headers'> & { readonly headers: string };

const MAX_BODY = 64 * 1024;

/** The recording of one request. */
export interface Recording {
  /** Whether the body is kept, whatever the response. */
  readonly wantsBody: boolean;
  body(bytes: Uint8Array): void;
  /** Says which pool counted it, and whether that pool refused it. */
  counted(pool: string | undefined, isRefused: boolean): void;
  /** Says why it is refused, if the response does not. */
  because(cause: string): void;
  /** Runs the work of the request: the emails that it sends belong to it. */
  during<Result>(work: () => Result): Result;
  /** Ends the request. Returns the response to send: the recorder may have split its stream. */
  over(response: EngineResponse): EngineResponse;
  /** Ends a request without a response. */
  broken(): void;
}

/** Records requests beyond a reset. */
export interface RequestRecorder {
  /** `headers` returns the headers without secrets, as the JSON of an object. */
  request(
    entry: EmulatorRequest,
    url: string,
    headers: () => string,
    keepsDetails: boolean,
    mark: string | undefined,
  ): Recording;
  /** Takes a secret of a header. */
  secret(value: string): void;
}

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

  constructor(recorder: RequestRecorder) {
    this.#recorder = recorder;
  }

  get entries(): readonly EmulatorRequest[] {
    return this.#entries;
  }

  /** The details of a request; `undefined` if there was no control API when it arrived. */
  detailsOf(entry: EmulatorRequest): RequestDetails | undefined {
    const kept = this.#details.get(entry);
    return kept && { ...kept, headers: JSON.parse(kept.headers) as RequestDetails['headers'] };
  }

  /** Adds a request. */
  received(
    method: string,
    located: Located,
    query: string,
    at: number,
    headers: RequestHeaders = new Headers(),
  ): Recording {
    const entry: Writable = { method, host: located.host, path: located.path, query, at, status: null };
    const callId = headers.get(CALL_ID_HEADER) ?? '';
    if (CALL_ID.test(callId)) entry.callId = callId;
    // The log and the recorder share this text.
    const shown = late(() =>
      JSON.stringify(Object.fromEntries(shownHeaders(headers, (secret) => this.#recorder.secret(secret)))),
    );
    const details = this.controlApis > 0 ? { durationMs: null, headers: shown(), body: null } : undefined;
    if (details !== undefined) this.#details.set(entry, details);
    this.#entries.push(entry);
    this.#open.add(entry);
    this.#bytes += this.#bytesOf(entry);
    if (this.#entries.length > MAX_KEPT || this.#bytes > MAX_BYTES) this.#dropOldest();
    const url = located.base + located.path;
    return this.#followed(
      entry,
      details,
      this.#recorder.request(entry, url, shown, this.controlApis > 0, markIn(headers)),
    );
  }

  /** Resolves with the requests that fit and have ended. If there is none yet, waits for the first. */
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

  #followed(entry: Writable, details: Kept | undefined, recording: Recording): Recording {
    const began = details === undefined ? 0 : monotonicMs();
    const ended = () => {
      this.#open.delete(entry);
      if (this.#waiters.count > 0) this.#waiters.tell(entry);
    };
    return {
      ...recording,
      body: (bytes) => {
        recording.body(bytes);
        if (details === undefined || bytes.length === 0 || bytes.length > MAX_BODY) return;
        details.body = new TextDecoder().decode(bytes);
        this.#bytes += 2 * details.body.length;
      },
      over: (response) => {
        entry.status = response.status;
        if (details !== undefined) details.durationMs = monotonicMs() - began;
        const sent = recording.over(response);
        ended();
        return sent;
      },
      broken: () => {
        recording.broken();
        ended();
      },
    };
  }

  /** An upper estimate: two bytes for each character, and 500 for the objects. */
  #bytesOf(entry: EmulatorRequest): number {
    const { headers = '', body } = this.#details.get(entry) ?? {};
    const texts = [entry.path, entry.query, headers, body ?? ''];
    return 2 * texts.reduce((sum, text) => sum + text.length, 0) + 500;
  }

  /** Drops down to half of both limits, so that this happens rarely. */
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
