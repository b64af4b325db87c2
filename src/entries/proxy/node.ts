import type { EmailProxy } from './proxy.ts';

/** The part of a request of `node:http`, `node:https` or `node:http2` that the proxy reads. */
export interface NodeRequest extends AsyncIterable<unknown> {
  /** The HTTP method. */
  readonly method?: string | undefined;
  /** Path and query. */
  readonly url?: string | undefined;
  /** The whole path and query, if a framework shortens `url`. */
  readonly originalUrl?: string | undefined;
  /** The headers, by names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The connection; one over TLS is `encrypted`. */
  readonly socket: object;
  /** The body, if a framework has read it. */
  readonly body?: unknown;
  /** Whether the body has been read from the connection, at least in part. */
  readonly readableDidRead?: boolean | undefined;
  /** Whether the whole body has arrived. */
  readonly complete: boolean;
}

/** The part of a response of `node:http`, `node:https` or `node:http2` that the proxy uses. */
export interface NodeResponse {
  /** The status. */
  statusCode: number;
  /** Whether the whole response has been sent. */
  readonly writableFinished: boolean;
  /** Sets a header; a list becomes one line for each value. */
  setHeader(name: string, value: string | string[]): unknown;
  /** Sends a piece of the body; false if no more should be sent before `drain`. */
  write(piece: Uint8Array): boolean;
  /** Ends the response. */
  end(): unknown;
  /** Listens for the end of the connection, or for room for more. */
  on(event: 'close' | 'drain', listener: () => void): unknown;
  /** Breaks the connection off. */
  destroy(): unknown;
}

/** The body as a stream. Reads from the connection only on demand. */
function streamOf(incoming: NodeRequest): ReadableStream<Uint8Array> {
  const parts = incoming[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const next = await parts.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
  });
}

/** In HTTP/2, method, path and host are among the headers. */
const isHttp2 = ({ headers }: NodeRequest): boolean => ':method' in headers;

/** The body, if there can be one: from the connection, or from a framework that has read it. */
function bodyIn(incoming: NodeRequest): ReadableStream<Uint8Array> | string | Uint8Array<ArrayBuffer> | null {
  const { method, headers, body: read, readableDidRead } = incoming;
  // HTTP/2 says neither how long a body is nor whether there is one.
  const hasBody =
    isHttp2(incoming) ||
    headers['transfer-encoding'] !== undefined ||
    Number(headers['content-length'] ?? 0) > 0;
  if (method === 'GET' || method === 'HEAD' || !hasBody) return null;
  // Some parsers set an empty object for a body of a type that they do not read.
  if (read === undefined || readableDidRead === false) return streamOf(incoming);
  if (typeof read === 'string') return read;
  return read instanceof Uint8Array ? new Uint8Array(read) : JSON.stringify(read);
}

/** Converts to a `Request`; throws for a request that no browser would send. */
function requestOf(incoming: NodeRequest, signal: AbortSignal): Request {
  const { method = 'GET', url = '', originalUrl = url, socket, headers: fields } = incoming;
  const host = fields[':authority'] ?? fields.host;
  const origin = `${'encrypted' in socket ? 'https' : 'http'}://${String(host)}`;
  // Keeps host and path apart: text of one must not become a part of the other.
  if (new URL(origin).origin !== origin.toLowerCase() || !originalUrl.startsWith('/')) throw new TypeError();
  const headers = new Headers();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && !name.startsWith(':')) headers.set(name, String(value));
  }
  const body = bodyIn(incoming);
  return new Request(origin + originalUrl, { method, headers, signal, body, duplex: 'half' } as RequestInit);
}

/** Sends a body at the speed of the connection. Rejects if the body ends early. */
async function send(body: ReadableStream<Uint8Array>, outgoing: NodeResponse): Promise<void> {
  const connection = { isGone: false, go: (): void => undefined };
  outgoing.on('drain', () => connection.go());
  outgoing.on('close', () => {
    connection.isGone = true;
    connection.go();
  });
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    if (connection.isGone) return reader.cancel();
    if (!outgoing.write(value)) await new Promise<void>((resolve) => (connection.go = resolve));
  }
}

/**
 * Makes a listener of `node:http` or `node:http2` from a proxy, also for Express and others:
 * `app.use('/email', toNodeListener(proxy))`. It may be mounted under a path, and a parser such as
 * `express.json()`, `express.text()` or `express.raw()` may have read the body.
 */
export function toNodeListener(proxy: EmailProxy): (incoming: NodeRequest, outgoing: NodeResponse) => void {
  const respond = async (incoming: NodeRequest, outgoing: NodeResponse): Promise<void> => {
    const gone = new AbortController();
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) gone.abort();
    });
    let request: Request;
    try {
      request = requestOf(incoming, gone.signal);
    } catch {
      outgoing.statusCode = 400;
      outgoing.end();
      return;
    }
    const response = await proxy(request);
    outgoing.statusCode = response.status;
    for (const [name, value] of response.headers) outgoing.setHeader(name, value);
    // One line for each cookie.
    const cookies = response.headers.getSetCookie();
    if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies);
    // Closes the connection instead of waiting for the rest of an unread body.
    if (!incoming.complete && !isHttp2(incoming)) outgoing.setHeader('connection', 'close');
    if (response.body) await send(response.body, outgoing);
    outgoing.end();
  };
  return (incoming, outgoing) => {
    respond(incoming, outgoing).catch(() => outgoing.destroy());
  };
}
