import type { EmulatorHost, Located } from './hosts.ts';

/** One request the emulator received. It never holds a token, a header or a body. */
export interface EmulatorRequest {
  /** The HTTP method, in upper case. */
  readonly method: string;
  /** Which of the four hosts it was sent to, or `storage`. */
  readonly host: EmulatorHost;
  /** The path as the service publishes it, without host and query. */
  readonly path: string;
  /** The query as it was sent, with its `?`; empty when there was none. */
  readonly query: string;
  /** When it was received, in milliseconds on the emulator's clock. */
  readonly at: number;
  /** The status it was answered with; `null` while, or because, it was not answered. */
  readonly status: number | null;
}

type Writable = { -readonly [Key in keyof EmulatorRequest]: EmulatorRequest[Key] };

/** Enough for any test, and a bound for an emulator that runs for days. */
const kept = 10_000;

/** The last requests received, oldest first. */
export class RequestLog {
  #entries: Writable[] = [];

  get entries(): readonly EmulatorRequest[] {
    return this.#entries;
  }

  /** Adds a request; the function returned notes its answer. */
  received(method: string, located: Located, query: string, at: number): (status: number) => void {
    const entry: Writable = { method, host: located.host, path: located.path, query, at, status: null };
    this.#entries.push(entry);
    if (this.#entries.length > kept) this.#entries = this.#entries.slice(-kept / 2);
    return (status) => {
      entry.status = status;
    };
  }

  clear(): void {
    this.#entries = [];
  }
}
