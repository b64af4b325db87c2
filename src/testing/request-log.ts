import type { EmulatorHost, Located } from './hosts.ts';

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

/** At most two bytes for each character, and the object. */
const bytesOf = ({ path, query }: EmulatorRequest) => 2 * (path.length + query.length) + 200;

/** The most recent requests, oldest first. */
export class RequestLog {
  #entries: Writable[] = [];
  #bytes = 0;

  get entries(): readonly EmulatorRequest[] {
    return this.#entries;
  }

  /** Adds a request. The function that it returns records the status of the response. */
  received(
    method: string,
    located: Located,
    query: string,
    at: number,
    headers?: Headers,
  ): (status: number) => void {
    const entry: Writable = { method, host: located.host, path: located.path, query, at, status: null };
    const callId = headers?.get(CALL_ID_HEADER) ?? '';
    if (CALL_ID.test(callId)) entry.callId = callId;
    this.#entries.push(entry);
    this.#bytes += bytesOf(entry);
    if (this.#entries.length > MAX_KEPT || this.#bytes > MAX_BYTES) this.#dropOldest();
    return (status) => {
      entry.status = status;
    };
  }

  clear(): void {
    this.#entries = [];
    this.#bytes = 0;
  }

  /** Keeps half of what there may be, so that this happens rarely. */
  #dropOldest(): void {
    let from = this.#entries.length;
    let bytes = 0;
    for (const entry of this.#entries.slice(-MAX_KEPT / 2).reverse()) {
      if (bytes + bytesOf(entry) > MAX_BYTES / 2) break;
      bytes += bytesOf(entry);
      from -= 1;
    }
    this.#entries = this.#entries.slice(from);
    this.#bytes = bytes;
  }
}
