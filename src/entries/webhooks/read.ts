import { ConfigurationError } from '../../core/errors.ts';
import { isolatedIfPlain } from '../../core/isolated.ts';
import { isRecord, memberOf } from '../../core/record.ts';
import { readBytes } from '../../kit/read-bytes.ts';
import type { WebhookEvent } from '../../resources/webhooks/event-types.ts';
import { WebhookPayloadError } from './errors.ts';
import { eventsIn } from './events.ts';
import { isSignature, signaturesIn } from './signatures.ts';
import {
  bytesIn,
  checkSignature,
  signaturesOf,
  type VerifyWebhookOptions,
  type WebhookPayload,
  type WebhookPost,
  type WebhookPostWithHeaders,
} from './verify.ts';

const DEFAULT_MAX_BYTES = 5 * 2 ** 20;

/** The part of a `Request` that is read. The `Request` of any framework or runtime has it. */
export interface WebhookRequest {
  /** Its headers. */
  readonly headers: {
    /** Returns the value of a header. */
    get(name: string): string | null;
    /** Calls back with each header. Without it, the option `signatureHeader` is required. */
    forEach?(callback: (value: string, name: string) => void): void;
  };
  /** Its body as a stream. At most `maxBytes` bytes of it are read. */
  readonly body?:
    | {
        /** Returns a reader of its pieces. */
        getReader(): {
          /** Reads the next piece. */
          read(): Promise<{
            /** Whether the stream has ended. */
            readonly done: boolean;
            /** The piece; absent at the end. */
            readonly value?: Uint8Array | undefined;
          }>;
          /** Ends the stream. */
          cancel(reason?: unknown): Promise<unknown>;
        };
      }
    | null
    | undefined;
  /** Whether its body has been read. */
  readonly bodyUsed?: boolean | undefined;
  /** Reads its body if there is no stream. */
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Options of `readWebhook`. */
export interface ReadWebhookOptions extends VerifyWebhookOptions {
  /**
   * Largest accepted body, in bytes.
   *
   * @defaultValue 5_242_880
   */
  readonly maxBytes?: number | undefined;
}

const tooLarge = (maxBytes: number) =>
  new WebhookPayloadError(`The body of the post is larger than ${maxBytes} bytes (maxBytes)`);

/**
 * Reads the body of a request, up to `maxBytes`.
 *
 * @throws WebhookPayloadError
 */
async function bodyOf(request: WebhookRequest, maxBytes: number): Promise<ArrayBuffer | Uint8Array> {
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes);
  const { body } = request;
  if (!body) return request.arrayBuffer();
  const bytes = await readBytes(body as ReadableStream<Uint8Array>, maxBytes);
  if (bytes === undefined) throw tooLarge(maxBytes);
  return bytes;
}

/**
 * The body of a request and its signatures. Does not read the body if no header has the form of a signature.
 *
 * @throws WebhookPayloadError, ConfigurationError
 */
async function received(
  request: WebhookRequest,
  header: string | undefined,
  maxBytes: number,
): Promise<{ payload: WebhookPayload; signatures: readonly string[] }> {
  const signatures = signaturesIn(request.headers, header);
  if (!signatures.some(isSignature)) return { payload: '', signatures };
  try {
    if (request.bodyUsed !== true) return { payload: await bodyOf(request, maxBytes), signatures };
  } catch (error) {
    if (error instanceof WebhookPayloadError) throw error;
  }
  throw new WebhookPayloadError(
    'The body of the post ended early, or was read before: pass the unread request',
  );
}

/**
 * Verifies a post of the service and returns its events in order. Takes a `Request` (Hono, Next, Workers, Bun, Deno),
 * or the raw body and the headers (Express, Fastify). Reads both formats, JSON and JSON lines.
 *
 * Finds the signature among the headers by its form, unless `signatureHeader` names its header.
 *
 * Events have the types of the email log. An event whose type is unknown to this version has the kind `unknown`.
 *
 * @throws {@link WebhookSignatureError} when there is no signature, or a wrong one; {@link WebhookPayloadError} when the
 * body cannot be read, is larger than `maxBytes`, or has no events; {@link ConfigurationError} when an option is missing
 * or wrong, the payload is not the raw body, or the headers of a request cannot be listed and none is named
 * @example
 * ```ts
 * for (const event of await readWebhook(request, { secret })) {
 *   if (event.kind === 'sending' && event.event_type === 'bounce') console.log(event.email, event.response);
 * }
 * ```
 */
export async function readWebhook(
  post: WebhookRequest | WebhookPost | WebhookPostWithHeaders,
  options: ReadWebhookOptions,
): Promise<WebhookEvent[]> {
  // Copied once, without fields of `Object.prototype`: they could replace the secret or the limit.
  const checked = isolatedIfPlain(Object(options) as ReadWebhookOptions);
  const { secret, signatureHeader, maxBytes = DEFAULT_MAX_BYTES } = checked;
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 1)
    throw new ConfigurationError('maxBytes must be a positive whole number', { option: 'maxBytes' });
  const posted = Object(post) as typeof post;
  if (
    !isRecord(options) ||
    (memberOf(checked, 'secret') === undefined &&
      (memberOf(post, 'secret') ?? memberOf(post, 'request')) !== undefined)
  )
    throw new ConfigurationError('secret must be in a second argument: readWebhook(request, { secret })', {
      option: 'secret',
    });
  const { signatures, ...request } =
    'arrayBuffer' in posted
      ? await received(posted, signatureHeader, maxBytes)
      : { signatures: signaturesOf(posted, signatureHeader) };
  const body = bytesIn('payload' in request ? request : posted);
  if (body.length > maxBytes) throw tooLarge(maxBytes);
  await checkSignature(body, signatures, secret);
  return eventsIn(body);
}
