import { streamOf } from '../../../kit/own-body.ts';
import { readBytes } from '../../../kit/read-bytes.ts';

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> | null;

/** A response as the engine makes it: a server writes it as it is, without a web `Response`. */
export interface EngineResponse {
  /** The HTTP status; 0 if the connection breaks instead. */
  readonly status: number;
  /** By names in lower case. A list has a line for each value, as cookies do. */
  readonly headers: Record<string, string | string[]>;
  /** A stream only if a handler responded with one. */
  readonly body: Body;
}

/** The response of a handler, for the engine. */
export function ofWebResponse({ status, headers, body }: Response): EngineResponse {
  const lines: EngineResponse['headers'] = {};
  for (const [name, value] of headers) {
    lines[name] = Object.hasOwn(lines, name) ? [lines[name] ?? [], value].flat() : value;
  }
  return { status, headers: lines, body };
}

/** The headers of a response, one pair for each line. */
export const linesOf = ({ headers }: Pick<EngineResponse, 'headers'>): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );

/** The response as a web response. */
export const toWebResponse = ({ status, headers, body }: EngineResponse): Response =>
  new Response(typeof body === 'string' || body instanceof Uint8Array ? streamOf(body) : body, {
    status,
    headers: linesOf({ headers }),
  });

/** The body in one piece: a stream is read to its end. */
export async function wholeBody({ body }: EngineResponse): Promise<Uint8Array<ArrayBuffer>> {
  if (body instanceof Uint8Array) return body;
  if (typeof body === 'string') return new TextEncoder().encode(body);
  return (body && (await readBytes(body, Infinity))) ?? new Uint8Array();
}
