import { ConfigurationError } from '../core/errors.ts';
import type { WebhookEvent } from '../resources/webhooks/event-types.ts';
import { WebhookPayloadError } from './errors.ts';
import { eventsIn } from './events.ts';
import { bytesOf, checkSignature, type WebhookPost, type WebhookSecret } from './verify.ts';

/** What is needed of a `Request`; that of any framework or runtime fits. */
export interface WebhookRequest {
  /** Its headers. */
  readonly headers: {
    /** Returns the value of a header. */
    get(name: string): string | null;
  };
  /** Reads its body. */
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Options of `readWebhook`. */
export interface ReadWebhookOptions {
  /** The `signing_secret` of the webhook; several, if several webhooks post to the same address. */
  readonly secret: WebhookSecret;
  /** Name of the header with the signature, as the service documents it. Only needed to read a `Request`. */
  readonly signatureHeader?: string | undefined;
}

/**
 * What there is to verify of a request. Its body is not read where nothing says that it is from the service.
 *
 * @throws WebhookPayloadError, ConfigurationError
 */
async function received(request: WebhookRequest, header: string | undefined): Promise<WebhookPost> {
  let signature;
  try {
    signature = request.headers.get(header ?? '');
  } catch {
    throw new ConfigurationError('signatureHeader must be the name of a header', {
      option: 'signatureHeader',
    });
  }
  try {
    return { payload: signature ? await request.arrayBuffer() : '', signature };
  } catch {
    throw new WebhookPayloadError('The body of the post broke off, or had been read before');
  }
}

/**
 * Verifies a post of the service and returns its events, in their order: from a `Request` (Hono, Next, Workers, Bun,
 * Deno), or from the raw body and the signature (Express, Fastify). Both formats are read, JSON and JSON lines.
 *
 * Types of events have the names of the email log. A type that this version does not know is of the kind `unknown`.
 *
 * @throws {@link WebhookSignatureError} when there is no signature, or a wrong one; {@link WebhookPayloadError} when the
 * body cannot be read; {@link ConfigurationError} when an option is missing, or the payload is not the raw body
 * @example
 * ```ts
 * for (const event of await readWebhook(request, { secret, signatureHeader })) {
 *   if (event.kind === 'sending' && event.event_type === 'bounce') console.log(event.email, event.response);
 * }
 * ```
 */
export async function readWebhook(
  post: WebhookRequest,
  options: ReadWebhookOptions & { readonly signatureHeader: string },
): Promise<WebhookEvent[]>;
export async function readWebhook(post: WebhookPost, options: ReadWebhookOptions): Promise<WebhookEvent[]>;
export async function readWebhook(
  post: WebhookRequest | WebhookPost,
  options: ReadWebhookOptions,
): Promise<WebhookEvent[]> {
  const { secret, signatureHeader } = Object(options) as ReadWebhookOptions;
  const given = Object(post) as typeof post;
  const { payload, signature } = 'arrayBuffer' in given ? await received(given, signatureHeader) : given;
  const body = bytesOf(payload);
  await checkSignature(body, signature, secret);
  return eventsIn(body);
}
