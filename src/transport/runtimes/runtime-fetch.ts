/**
 * The `fetch` of a client, and the ways in which those of Node, Bun, Deno, browsers, Workers and frameworks differ from
 * the standard in sending a request: one fact a member. `failures.ts` reads their errors. Of ky, this uses only the
 * check of an address, by the `Request` that ky makes of it.
 */
import type { KyInstance } from 'ky';
import { ConfigurationError } from '../../core/errors.ts';
import { isBrowser, repeatingRuntime } from '../../core/platform.ts';
import type { HttpMethod } from '../../core/request.ts';
import type { Runtime } from '../../core/runtime.ts';
import { stopwatch } from '../../core/steady-time.ts';
import { steersFramework } from '../../core/steering.ts';
import { tried } from '../../core/tried.ts';
import { late } from '../../kit/late.ts';
import { ofStopped, stopped } from '../../kit/stopped.ts';
import { checkedResponse } from './foreign-response.ts';
import { isInMemory } from '../../core/emulator-fetch.ts';
import { onceConnected } from './once-connected.ts';
import { isPolluted, ownAddress, ownInit, ownKyOptions } from './own-options.ts';

/** The function that sends a request, with the signature of the platform's `fetch`. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** The facts of a request on which the way of sending it depends. */
interface SentRequest {
  readonly method: HttpMethod;
  readonly isRepeatable: boolean;
  /** Set if the address is signed: the request carries no token then. */
  readonly signedUrl: string | undefined;
}

/** Sends a request; throws if the result is no response. */
type Send = (address: string, init: RequestInit) => Promise<Response>;

/** A request in the form in which the current `fetch` sends it, and sends it once. */
export interface Sendable {
  readonly send: Send;
  readonly headers: { readonly 'content-length'?: string };
  readonly init: RequestInit;
  /** Whether `leaves` runs before the first byte leaves. Otherwise `fetch` does not tell the moment. */
  readonly tellsLeaving: boolean;
}

/** The function that a client sends with, and what is known about it. */
interface Current {
  readonly run: Fetch;
  readonly send: Send;
  readonly isNodesOwn: boolean;
}

/** Separate function, so that its closure does not retain the call and its response: Node keeps the closure for long. */
const fetchWith =
  (send: Send, init: RequestInit): Fetch =>
  (request) =>
    send((request as Request).url, init);

/** Within this time, a connection may end unnoticed in any process: the network itself takes longer. */
const JUST_NOW_MS = 1;

/** The clocks, and the turns of the event loop. */
type ReadingRuntime = Pick<Runtime, 'afterReading' | 'now' | 'wallNow'>;

export class RuntimeFetch {
  readonly #given: Fetch | undefined;
  readonly #runtime: ReadingRuntime;
  readonly #repeating = repeatingRuntime();
  readonly #isNode = this.#repeating === 'node';
  /** Without sockets there is nothing to read, and fake timers would wait in vain for the turns of the event loop. */
  readonly #isInMemory: boolean;
  /** The last current function: a look at its source text takes time. */
  #last: Current | undefined;
  /** Loaded at the first call: it creates a Request as it loads. */
  #ky: KyInstance | undefined;

  /** Milliseconds since the sockets were read. */
  #sinceReadingMs = () => Infinity;

  constructor(given: Fetch | undefined, runtime: ReadingRuntime) {
    this.#given = given;
    this.#isInMemory = isInMemory(given);
    this.#runtime = runtime;
  }

  /**
   * A browser hides the target of a redirect, so `fetch` itself has to follow it there. It takes all headers along except
   * `Authorization`.
   */
  readonly follows: boolean = isBrowser();

  /** A browser does not let a page set `User-Agent`. */
  readonly setsUserAgent: boolean = !isBrowser();

  /** Requests a file uncompressed: if the file is cut, its connection then breaks. A browser drops this header. */
  readonly fileHeaders = { 'accept-encoding': 'identity' } as const;

  /**
   * Node and Deno overlook that a compressed body is cut, which a server may send although the request declined
   * compression: Node decompresses the received part, and Deno leaves it compressed. Bun and Workers fail, as they should.
   * A browser overlooks it too, but chooses the compression itself.
   *
   * @returns the encoding of such a body; undefined if `fetch` would detect that it is cut
   */
  riskyEncoding({ headers }: Pick<Response, 'headers'>): string | undefined {
    if (this.#repeating !== 'node' && this.#repeating !== 'deno') return undefined;
    const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
    return ['', 'identity'].includes(encoding) ? undefined : encoding;
  }

  /** Next recognizes its errors by a text in `digest`, and React waits for a thrown promise: both must reach them. */
  readonly steers: (thrown: unknown) => boolean = steersFramework;

  /**
   * A process that was held up has not read its sockets: a connection may have ended meanwhile, and a request that must
   * not be repeated would be lost on it. And Node begins to count how long a connection is idle in the turns after its
   * response; a host may freeze the process as soon as the outcome is known.
   */
  async socketsRead(): Promise<void> {
    if (this.#isInMemory) return;
    await new Promise<void>(this.#runtime.afterReading);
    this.#sinceReadingMs = stopwatch(this.#runtime);
  }

  /**
   * Waits until a request may start. A process that has just read its sockets was not held up, as between the sends of a
   * loop. Rejects if fake timers have stopped what Node's own `fetch` needs: it would never end.
   */
  async ready({ isRepeatable }: SentRequest): Promise<void> {
    this.#ky ??= (await import('./load-ky.ts')).ky;
    if (!isRepeatable && this.#sinceReadingMs() > JUST_NOW_MS) await this.socketsRead();
    const names = this.#given === undefined ? await stopped() : undefined;
    if (names !== undefined) throw new ConfigurationError(ofStopped(names), { option: 'fetch' });
  }

  /** A test or a framework may replace the global `fetch` after the client was made, so each request reads it. */
  #current(): Current {
    const run = this.#given ?? fetch;
    if (this.#last?.run !== run) {
      // A polyfill or a mock may return anything.
      const send: Send = async (address, init) => checkedResponse(await run(address, init));
      this.#last = { run, send, isNodesOwn: this.#isNodesOwn(run) };
    }
    return this.#last;
  }

  /** The source text tells Node's `fetch`: a framework's, a mock's or a proxy's differs, whatever its name. */
  #isNodesOwn(run: Fetch): boolean {
    if (this.#given !== undefined || !this.#isNode) return false;
    return /\bfetchImpl\(/.test(Function.prototype.toString.call(run));
  }

  /** Workers refused `cache` until 2024. */
  readonly #noStore = late((): RequestInit => {
    const { signal } = new AbortController();
    const init: RequestInit = { method: 'GET', headers: {}, redirect: 'manual', cache: 'no-store', signal };
    const own = isPolluted() ? ownInit(this.#isNode, init) : init;
    const isKnown = tried(() => new Request('https://service.example', own)) !== undefined;
    return isKnown ? { cache: 'no-store' } : {};
  });

  /**
   * The request in its form for the current `fetch`.
   *
   * @param leaves - Runs when the connection stands, before the first byte leaves. If it throws, no request is sent.
   */
  sendable(request: SentRequest, body: string | Blob | undefined, leaves: () => void): Sendable {
    const { send, isNodesOwn } = this.#current();
    const { headers, init, tellsLeaving } = this.#bodyOf(request, body, isNodesOwn, leaves);
    const follows = request.signedUrl !== undefined && this.follows;
    return {
      send,
      headers,
      tellsLeaving,
      init: {
        method: request.method,
        redirect: follows ? 'follow' : 'manual', // the token would go with it
        // Frameworks answer from a cache. Node's own `fetch` has none, and would add two headers.
        ...(!isNodesOwn && this.#noStore()),
        ...init,
      },
    };
  }

  /**
   * Some `fetch` functions repeat a request unseen, and the service would send an email twice. Node's does so after a 421,
   * unless the body is a stream; the length is stated, because some gateways refuse chunks. Bun's and Deno's do so when a
   * reused connection breaks, and report the error of the second try. Bun's never does so on a new connection. Deno's
   * never does so with a Blob, which keeps its length, unlike a stream.
   */
  #bodyOf(
    { method, isRepeatable }: SentRequest,
    body: string | Blob | undefined,
    isNodesOwn: boolean,
    leaves: () => void,
  ): Omit<Sendable, 'send'> {
    const plain = { headers: {}, init: body === undefined ? {} : { body }, tellsLeaving: false };
    if (method === 'GET' || this.#repeating === undefined) return plain;
    if (this.#repeating === 'bun') return { ...plain, init: { ...plain.init, keepalive: false } };
    if (this.#repeating === 'deno') return { ...plain, init: { body: new Blob([body ?? '']) } };
    // Another function in place of Node's gets the text: a framework's or a mock reads it. An email that may be sent
    // repeatedly is limited to its retries: a repeat by `fetch` would exceed them.
    if (!isNodesOwn || (isRepeatable && method !== 'POST')) return plain;
    const content = body instanceof Blob ? body : new TextEncoder().encode(body);
    const length = content instanceof Blob ? content.size : content.length;
    return {
      headers: { 'content-length': String(length) },
      init: { body: onceConnected(content, leaves), duplex: 'half' } as RequestInit,
      tellsLeaving: true,
    };
  }

  /**
   * Sends a request that is {@link ready}. Some frameworks keep only the address of a `Request`, so `fetch` gets the
   * address and our options, never ky's `Request`. ky and `fetch` look up options in `Object.prototype`: where it is
   * polluted, their objects have all of them.
   */
  send(
    { send, init }: Sendable,
    address: string,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Response> {
    // oxlint-disable-next-line typescript/no-non-null-assertion -- `ready` has loaded it
    const ky = this.#ky!;
    const takesOwn = isPolluted();
    const whole = { headers, signal, ...init };
    const run = fetchWith(send, takesOwn ? ownInit(this.#isNode, whole) : whole);
    const options = { retry: 0, timeout: false, throwHttpErrors: false, fetch: run } as const;
    return takesOwn ? ky(ownAddress(address), ownKyOptions(this.#isNode, options)) : ky(address, options);
  }
}
