import type { EmailProxy } from './proxy.ts';

/** A request of `node:http` or `node:https`, as far as it is read. */
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
  /** Whether all of the body has arrived. */
  readonly complete: boolean;
}

/** A response of `node:http`, as far as it is written. */
export interface NodeResponse {
  /** The status. */
  statusCode: number;
  /** Whether all of it has been sent. */
  readonly writableFinished: boolean;
  /** Sets a header. */
  setHeader(name: string, value: string): unknown;
  /** Sends the rest. */
  end(body?: Uint8Array): unknown;
  /** Listens for the end of the connection. */
  on(event: 'close', listener: () => void): unknown;
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

/** The request as a `Request`; throws if it is not one that a browser would send. */
function requestOf(incoming: NodeRequest, signal: AbortSignal): Request {
  const { method = 'GET', url = '', originalUrl = url, socket, headers: given, body: read } = incoming;
  const origin = `${'encrypted' in socket ? 'https' : 'http'}://${String(given.host)}`;
  // Otherwise the host could be a part of the path, or the path of the host.
  if (new URL(origin).origin !== origin.toLowerCase() || !originalUrl.startsWith('/')) throw new TypeError();
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) headers.set(name, String(value));
  }
  const hasBody = given['transfer-encoding'] !== undefined || Number(given['content-length'] ?? 0) > 0;
  const isRead = method === 'GET' || method === 'HEAD' || !hasBody;
  const body = isRead ? null : read === undefined ? streamOf(incoming) : JSON.stringify(read);
  return new Request(origin + originalUrl, { method, headers, signal, body, duplex: 'half' } as RequestInit);
}

/**
 * A proxy as a listener of `node:http`, and so for Express and others: `app.use('/email', toNodeListener(proxy))`. It
 * may be mounted under a path, and the body may have been read by `express.json()`.
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
    // What is left of a body that was not read is not waited for.
    if (!incoming.complete) outgoing.setHeader('connection', 'close');
    outgoing.end(new Uint8Array(await response.arrayBuffer()));
  };
  return (incoming, outgoing) => {
    respond(incoming, outgoing).catch(() => outgoing.destroy());
  };
}
