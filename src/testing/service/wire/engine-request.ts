import { readBytes } from '../../../kit/read-bytes.ts';
import { ownBody } from '../../../kit/own-body.ts';

/** The headers of a request, by names in lower case. A `Headers` is one. */
export interface RequestHeaders extends Iterable<readonly [name: string, value: string]> {
  get(name: string): string | null;
}

/** A request as the engine reads it, whether it came as a web `Request` or through a server. */
export interface EngineRequest {
  /** The HTTP method, in upper case. */
  readonly method: string;
  readonly url: URL;
  readonly headers: RequestHeaders;
  /** Is aborted when the sender waits no longer. */
  readonly signal: AbortSignal | undefined;
  /** Reads the body, at most once; `undefined` if a server dropped it, because it is larger than the limit. */
  readonly body: () => Promise<Uint8Array<ArrayBuffer> | undefined>;
}

/** The web request, for the engine. */
export const ofWebRequest = (request: Request, signal: AbortSignal | undefined): EngineRequest => ({
  method: request.method.toUpperCase(),
  url: new URL(request.url),
  headers: request.headers,
  signal,
  body: () => bytesOf(request),
});

/** A body of a browser that gives it only whole has no stream. */
const bytesOf = async (request: Request): Promise<Uint8Array<ArrayBuffer> | undefined> =>
  request.body ? readBytes(request.body, Infinity) : new Uint8Array(await request.arrayBuffer());

/** The request as a web request, with a body that has not been read. */
export function toWebRequest(
  { method, url, headers }: EngineRequest,
  body: Uint8Array<ArrayBuffer>,
): Request {
  const isBodyless = method === 'GET' || method === 'HEAD';
  return new Request(url, {
    method,
    headers: new Headers([...headers].map(([name, value]): [string, string] => [name, value])),
    ...(!isBodyless && ownBody(body)),
  });
}
