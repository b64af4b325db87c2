import type { EmailProxy } from './proxy.ts';

/** A request of `node:http`, `node:https` or `node:http2`, as far as it is read. */
export interface NodeRequest extends AsyncIterable<unknown> {
  /** The HTTP method. */
  readonly method?: string | undefined;
  /** Path and query. */
  readonly url?: string | undefined;
  /** The whole path, where a framework cuts `url` short. */
  readonly originalUrl?: string | undefined;
  /** The headers, by names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The connection; one over TLS is `encrypted`. */
  readonly socket: object;
  /** The body, where a framework has read it. */
  readonly body?: unknown;
  /** Whether anybody has begun to read the body from the connection. */
  readonly readableDidRead?: boolean | undefined;
  /** Whether all of the body has arrived. */
  readonly complete: boolean;
}

/** A response of `node:http`, `node:https` or `node:http2`, as far as it is written. */
export interface NodeResponse {
  /** The status. */
  statusCode: number;
  /** Whether all of it has been sent. */
  readonly writableFinished: boolean;
  /** Sets a header; a list is a line for each. */
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

/** The body as a stream that is read only as far as it is wanted. */
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

/** The body, if there may be one: from the connection, or as a framework has read it from there. */
function bodyIn(incoming: NodeRequest): ReadableStream<Uint8Array> | string | Uint8Array<ArrayBuffer> | null {
  const { method, headers, body: read, readableDidRead } = incoming;
  // HTTP/2 says neither how long a body is nor whether there is one.
  const hasBody =
    isHttp2(incoming) ||
    headers['transfer-encoding'] !== undefined ||
    Number(headers['content-length'] ?? 0) > 0;
  if (method === 'GET' || method === 'HEAD' || !hasBody) return null;
  // Some parsers leave an empty object where they did not read what is of another type than theirs.
  if (read === undefined || readableDidRead === false) return streamOf(incoming);
  if (typeof read === 'string') return read;
  return read instanceof Uint8Array ? new Uint8Array(read) : JSON.stringify(read);
}

/** The request as a `Request`; throws if it is not one that a browser would send. */
function requestOf(incoming: NodeRequest, signal: AbortSignal): Request {
  const { method = 'GET', url = '', originalUrl = url, socket, headers: given } = incoming;
  const host = given[':authority'] ?? given.host;
  const origin = `${'encrypted' in socket ? 'https' : 'http'}://${String(host)}`;
  // Otherwise the host could be a part of the path, or the path of the host.
  if (new URL(origin).origin !== origin.toLowerCase() || !originalUrl.startsWith('/')) throw new TypeError();
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && !name.startsWith(':')) headers.set(name, String(value));
  }
  const body = bodyIn(incoming);
  return new Request(origin + originalUrl, { method, headers, signal, body, duplex: 'half' } as RequestInit);
}

/** Sends a body, no faster than the connection takes it. Rejects if the body breaks off. */
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
 * A proxy as a listener of `node:http` or `node:http2`, and so for Express and others:
 * `app.use('/email', toNodeListener(proxy))`. It may be mounted under a path, and a parser such as `express.json()`,
 * `express.text()` or `express.raw()` may have read the body.
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
    // Each is a line of its own.
    const cookies = response.headers.getSetCookie();
    if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies);
    // What is left of a body that was not read is not waited for.
    if (!incoming.complete && !isHttp2(incoming)) outgoing.setHeader('connection', 'close');
    if (response.body) await send(response.body, outgoing);
    outgoing.end();
  };
  return (incoming, outgoing) => {
    respond(incoming, outgoing).catch(() => outgoing.destroy());
  };
}
