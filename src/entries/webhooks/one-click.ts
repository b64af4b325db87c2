import { ConfigurationError } from '../../core/errors.ts';
import { fieldOf, isRecord, memberOf } from '../../core/record.ts';
import { streamOfReads } from '../../core/streams.ts';
import { readBytes } from '../../kit/read-bytes.ts';
import { named, type WebhookHeaders } from './signatures.ts';
import { bytesOf } from './verify.ts';

/** A request that may be a click: a `Request`, or Node's request with the body as Express or Fastify gives it. */
export interface OneClickRequest {
  /** The method, such as `POST`. */
  readonly method?: string | undefined;
  /** The headers. */
  readonly headers: WebhookHeaders;
  /** The body: a stream, bytes, text, or the fields of a parsed form. Without it, Node's request is read itself. */
  readonly body?: unknown;
}

/** A click has some hundred bytes. */
const MAX_BYTES = 16_384;
const FORM = /^\s*(?:application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i;

const isBytes = (body: unknown) =>
  typeof body === 'string' || ArrayBuffer.isView(body) || body instanceof ArrayBuffer;

const isStream = (body: unknown): body is ReadableStream<Uint8Array> =>
  typeof memberOf(body, 'getReader') === 'function';

const isNodeStream = (
  request: object,
): request is AsyncIterable<Uint8Array> & { readonly readableDidRead?: boolean } =>
  typeof (request as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === 'function';

/** The unread body of Node's request as a stream. */
const streamOf = (request: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> => {
  const pieces = request[Symbol.asyncIterator]() as AsyncIterator<Uint8Array<ArrayBuffer>, undefined>;
  return streamOfReads(
    () => pieces.next(),
    async () => void (await pieces.return?.()),
  );
};

/**
 * Whether a request is a click on the unsubscribe button of a mail program (RFC 8058): a POST of the single form field
 * `List-Unsubscribe=One-Click`, URL-encoded or multipart. A GET is not: scanners follow links, and unsubscribe no one. The
 * request proves nothing about its sender: check the token in its address before you unsubscribe the recipient.
 *
 * @param request - A `Request`, or a request of Express or Fastify
 * @returns false for any other request, and for one whose body is broken or larger than 16 kB
 * @throws {@link ConfigurationError} if the argument is no request, or its body was read before
 * @example
 * ```ts
 * app.post('/unsubscribe', async (request, response) => {
 *   if (await readOneClick(request)) await unsubscribe(request.query.token);
 *   response.sendStatus(200);
 * });
 * ```
 */
export async function readOneClick(request: OneClickRequest): Promise<boolean> {
  const [method, headers, body] = ['method', 'headers', 'body'].map((name) => memberOf(request, name));
  if (typeof method !== 'string' || !isRecord(headers))
    throw new ConfigurationError('request must be a Request, or have a method, headers and a body', {
      option: 'request',
    });
  const [type] = named(headers as WebhookHeaders, 'content-type');
  if (method.toUpperCase() !== 'POST' || typeof type !== 'string' || !FORM.test(type)) return false;
  const isParsed = isRecord(body) && !isStream(body) && !isBytes(body) && Object.keys(body).length > 0;
  if (isParsed) return Object.keys(body).length === 1 && fieldOf(body, 'List-Unsubscribe') === 'One-Click';
  const isOwn = !isBytes(body) && !isStream(body) && isNodeStream(request);
  if (memberOf(request, 'bodyUsed') === true || (isOwn && memberOf(request, 'readableDidRead') === true))
    throw new ConfigurationError('The body was read before: pass the unread request, or its body', {
      option: 'request',
    });
  const stream = isOwn ? streamOf(request) : body;
  if (!isStream(stream) && !isBytes(stream)) return false;
  // A body that breaks, and less or more than a form, is not a click.
  const read = isStream(stream) ? readBytes(stream, MAX_BYTES) : Promise.resolve(bytesOf(stream));
  const bytes = await read.catch(() => undefined);
  if (bytes === undefined || bytes.length > MAX_BYTES) return false;
  const parsed = new Response(bytes, { headers: { 'content-type': type } }).formData();
  const form = await parsed.catch(() => undefined);
  return form !== undefined && [...form].length === 1 && form.get('List-Unsubscribe') === 'One-Click';
}
