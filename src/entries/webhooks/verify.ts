import { ConfigurationError } from '../../core/errors.ts';
import { memberOf } from '../../core/record.ts';
import { WebhookPayloadError, WebhookSignatureError } from './errors.ts';
import { isEqual, isSignature, signaturesIn, type WebhookHeaders } from './signatures.ts';

/** The raw body of a post, before any parser: bytes, or their text. */
export type WebhookPayload = ArrayBufferView | ArrayBuffer | string;

/** The `signing_secret` of a webhook; several, if several webhooks post to the same address. */
export type WebhookSecret = string | readonly string[];

/** A post whose body has been read, with its headers. The signature is one of them. */
export interface WebhookPostWithHeaders {
  /** The raw body. A body that was parsed and written again does not fit its signature. */
  readonly payload: WebhookPayload;
  /** All headers: `request.headers` of Express, Fastify and Node, or a `Headers`. */
  readonly headers: WebhookHeaders;
}

/** A post whose body has been read, with its signature. */
export interface WebhookPost {
  /** The raw body. A body that was parsed and written again does not fit its signature. */
  readonly payload: WebhookPayload;
  /** The value of the header with the signature. */
  readonly signature: string | readonly string[] | null | undefined;
}

const encoded = (text: string) => new TextEncoder().encode(text);

/**
 * Copies the bytes of a body, so that the verified bytes are the parsed ones even if the original changes.
 *
 * @throws ConfigurationError
 */
export function bytesOf(payload: unknown): Uint8Array<ArrayBuffer> {
  if (typeof payload === 'string') return encoded(payload);
  // Without `instanceof`, because test environments have their own classes.
  if (ArrayBuffer.isView(payload))
    return Uint8Array.from(new Uint8Array(payload.buffer, payload.byteOffset, payload.byteLength));
  if (Object.prototype.toString.call(payload) === '[object ArrayBuffer]')
    return new Uint8Array(payload as ArrayBuffer).slice();
  throw new ConfigurationError(
    'payload must be the raw body, as bytes or text: pass it before any parser reads it',
    { option: 'payload' },
  );
}

const FORMS = 'pass { payload, headers } with the raw body; readWebhook takes a Request, too';

/**
 * The bytes of a post's body.
 *
 * @throws ConfigurationError, WebhookPayloadError
 */
export function bytesIn(post: object): Uint8Array<ArrayBuffer> {
  if (!('payload' in post))
    throw new ConfigurationError(`payload is missing: ${FORMS}`, { option: 'payload' });
  const { payload } = post as { readonly payload?: unknown };
  // Parsers leave undefined, null or an empty object for a post without a body.
  const isEmpty = payload === undefined || payload === null || isEmptyObject(payload);
  if (isEmpty)
    throw new WebhookPayloadError(
      "The post has no body, or a body parser skipped it: in Express, use express.raw({ type: '*/*' })",
    );
  return bytesOf(payload);
}

const isEmptyObject = (value: unknown) =>
  Object.prototype.toString.call(value) === '[object Object]' && Object.keys(value as object).length === 0;

const fromHex = (text: string) => Uint8Array.from(text.match(/../g) ?? [], (digits) => parseInt(digits, 16));

/**
 * The signatures of a post whose body has been read.
 *
 * @throws ConfigurationError
 */
export function signaturesOf(
  post: WebhookPost | WebhookPostWithHeaders,
  signatureHeader: string | undefined,
): readonly string[] {
  const { signature, headers } = post as Partial<WebhookPost & WebhookPostWithHeaders>;
  if (signature === undefined && headers) return signaturesIn(headers, signatureHeader);
  if (!('signature' in post))
    throw new ConfigurationError(`headers is missing: ${FORMS}`, { option: 'headers' });
  return signature === undefined || signature === null ? [] : [String(signature)];
}

/**
 * Throws unless one of the signatures fits the body. Computes one HMAC for each secret, regardless of the number of
 * signatures.
 *
 * @throws WebhookSignatureError, ConfigurationError
 */
export async function checkSignature(
  body: Uint8Array<ArrayBuffer>,
  signatures: readonly string[],
  secret: WebhookSecret,
): Promise<void> {
  const secrets = [secret].flat();
  const wrong = secrets.findIndex((each) => typeof each !== 'string' || each === '');
  if (secrets.length === 0 || wrong !== -1) {
    const place = wrong !== -1 && Array.isArray(secret) ? `secret[${wrong}]` : 'secret';
    throw new ConfigurationError(`${place} must be a webhook's signing_secret, or several`, {
      option: 'secret',
    });
  }
  const nonEmpty = signatures.filter((signature) => signature !== '');
  if (nonEmpty.length === 0)
    throw new WebhookSignatureError('The post has no signature', 'webhook_signature_missing');
  if (!nonEmpty.some(isSignature))
    throw new WebhookSignatureError(
      'The signature of the post has a wrong form: it must be 64 hexadecimal digits',
    );
  const macs = nonEmpty.filter(isSignature).map(fromHex);
  for (const each of secrets) {
    const hmac = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', encoded(each), hmac, false, ['sign']);
    const expected = new Uint8Array(await crypto.subtle.sign('HMAC', key, body));
    if (macs.filter((mac) => isEqual(expected, mac)).length > 0) return;
  }
  const cause = isBase64(body)
    ? 'the body is base64, as some function hosts pass it: decode it, Buffer.from(event.body, "base64")'
    : 'check the secret, and pass the raw body';
  throw new WebhookSignatureError(
    `The signature of the post does not fit its body and this secret: ${cause}`,
  );
}

/** Whether a body is base64 of JSON or JSON lines. */
function isBase64(body: Uint8Array): boolean {
  // Base64 of a text that begins with a brace or a bracket begins so.
  return /^[eW][w-z0-3][A-Za-z0-9+/]*={0,2}$/.test(new TextDecoder().decode(body));
}

/** Options of `verifyWebhook`. */
export interface VerifyWebhookOptions {
  /** The `signing_secret` of the webhook; several, if several webhooks post to the same address. */
  readonly secret: WebhookSecret;
  /** Name of the header with the signature. Without it, every header value in the form of a signature is compared. */
  readonly signatureHeader?: string | undefined;
}

/**
 * Verifies that a post is from the service: its signature must be the HMAC-SHA256 of the body's bytes with the
 * webhook's secret. The comparison takes the same time for any signature.
 *
 * The signature contains no time, so it also verifies a recorded post that is sent again. Detect such a post by the
 * `event_id` of its events.
 *
 * @throws {@link WebhookSignatureError} when there is no signature, or a wrong one; {@link WebhookPayloadError} when
 * there is no body; {@link ConfigurationError} when the secret is empty, or the payload is neither bytes nor text
 * @example
 * ```ts
 * await verifyWebhook({ payload: rawBody, headers: request.headers, secret });
 * ```
 */
export async function verifyWebhook(
  post: (WebhookPost | WebhookPostWithHeaders) & VerifyWebhookOptions,
): Promise<void> {
  const input = Object(post) as typeof post;
  const { secret, signatureHeader } = input;
  if (typeof memberOf(post, 'arrayBuffer') === 'function')
    throw new ConfigurationError(
      'payload must be the raw body, in one object: verifyWebhook({ payload, headers, secret }); for a request, readWebhook(request, { secret })',
      { option: 'payload' },
    );
  await checkSignature(bytesIn(input), signaturesOf(input, signatureHeader), secret);
}
