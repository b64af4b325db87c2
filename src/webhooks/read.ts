import { ConfigurationError } from '../core/errors.ts';
import { isolatedIfPlain } from '../core/isolated.ts';
import { readBytes } from '../core/streams.ts';
import type { WebhookEvent } from '../resources/webhooks/event-types.ts';
import { WebhookPayloadError } from './errors.ts';
import { eventsIn } from './events.ts';
import { isSignature, signaturesIn } from './signatures.ts';
import {
  bytesOf,
  checkSignature,
  signaturesOf,
  type VerifyWebhookOptions,
  type WebhookPayload,
  type WebhookPost,
  type WebhookPostWithHeaders,
} from './verify.ts';

const DEFAULT_MAX_BYTES = 5 * 2 ** 20;

/** What is needed of a `Request`; that of any framework or runtime fits. */
export interface WebhookRequest {
  /** Its headers. */
  readonly headers: {
    /** Returns the value of a header. */
    get(name: string): string | null;
    /** Calls back with each header. Where it is missing, `signatureHeader` has to name the header. */
    forEach?(callback: (value: string, name: string) => void): void;
  };
  /** Its body as a stream, which is read no further than `maxBytes`. */
  readonly body?:
    | {
        /** Returns what reads it piece by piece. */
        getReader(): {
          /** Reads the next piece. */
          read(): Promise<{
            /** Whether there are no more. */
            readonly done: boolean;
            /** The piece; absent at the end. */
            readonly value?: Uint8Array | undefined;
          }>;
          /** Ends it. */
          cancel(reason?: unknown): Promise<unknown>;
        };
      }
    | null
    | undefined;
  /** Whether its body has been read. */
  readonly bodyUsed?: boolean | undefined;
  /** Reads its body, where there is no stream. */
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Options of `readWebhook`. */
export interface ReadWebhookOptions extends VerifyWebhookOptions {
  /**
   * The largest body that is read, in bytes.
   * @defaultValue 5_242_880
   */
  readonly maxBytes?: number | undefined;
}

const tooLarge = (maxBytes: number) =>
  new WebhookPayloadError(`The body of the post is larger than ${maxBytes} bytes (maxBytes)`);

/**
 * The body of a request, read as far as `maxBytes`.
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
 * The body of a request and its signatures. The body is not read where no header has the form of a signature.
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
  throw new WebhookPayloadError('The body of the post broke off, or had been read before');
}

/**
 * Verifies a post of the service and returns its events, in their order: from a `Request` (Hono, Next, Workers, Bun,
 * Deno), or from the raw body and the headers (Express, Fastify). Both formats are read, JSON and JSON lines.
 *
 * The signature is found by its form among the headers, unless `signatureHeader` names its header.
 *
 * Types of events have the names of the email log. A type that this version does not know is of the kind `unknown`.
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
  const given = isolatedIfPlain(Object(options) as ReadWebhookOptions);
  const { secret, signatureHeader, maxBytes = DEFAULT_MAX_BYTES } = given;
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 1)
    throw new ConfigurationError('maxBytes must be a positive whole number', { option: 'maxBytes' });
  const posted = Object(post) as typeof post;
  const { payload, signatures } =
    'arrayBuffer' in posted
      ? await received(posted, signatureHeader, maxBytes)
      : { payload: posted.payload, signatures: signaturesOf(posted, signatureHeader) };
  const body = bytesOf(payload);
  if (body.length > maxBytes) throw tooLarge(maxBytes);
  await checkSignature(body, signatures, secret);
  return eventsIn(body);
}
