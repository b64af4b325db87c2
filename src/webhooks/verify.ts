import { ConfigurationError } from '../core/errors.ts';
import { WebhookSignatureError } from './errors.ts';
import { isEqual, isSignature, signaturesIn, type WebhookHeaders } from './signatures.ts';

/** The body of a post as it arrived, before anything has parsed it: bytes, or their text. */
export type WebhookPayload = ArrayBufferView | ArrayBuffer | string;

/** The `signing_secret` of a webhook; several, if several webhooks post to the same address. */
export type WebhookSecret = string | readonly string[];

/** A post whose body has been read, with its headers. The signature is found among them. */
export interface WebhookPostWithHeaders {
  /** The body as it arrived. Anything that has been parsed and written again no longer fits its signature. */
  readonly payload: WebhookPayload;
  /** All headers: `request.headers` of Express, Fastify and Node, or a `Headers`. */
  readonly headers: WebhookHeaders;
}

/** A post whose body has been read, with its signature. */
export interface WebhookPost {
  /** The body as it arrived. Anything that has been parsed and written again no longer fits its signature. */
  readonly payload: WebhookPayload;
  /** The value of the header with the signature. */
  readonly signature: string | readonly string[] | null | undefined;
}

const encoded = (text: string) => new TextEncoder().encode(text);

/**
 * The bytes of a body, as a copy: what is verified is what is read, whatever becomes of the original.
 *
 * @throws ConfigurationError
 */
export function bytesOf(payload: unknown): Uint8Array<ArrayBuffer> {
  if (typeof payload === 'string') return encoded(payload);
  // Not by `instanceof`: test environments have classes of their own.
  if (ArrayBuffer.isView(payload))
    return Uint8Array.from(new Uint8Array(payload.buffer, payload.byteOffset, payload.byteLength));
  if (Object.prototype.toString.call(payload) === '[object ArrayBuffer]')
    return new Uint8Array(payload as ArrayBuffer).slice();
  throw new ConfigurationError(
    'payload must be the body as it arrived, as bytes or text: nothing may have parsed it before',
    { option: 'payload' },
  );
}

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
  return signature === undefined || signature === null ? [] : [String(signature)];
}

/**
 * Refuses a body that none of the signatures fits. The HMAC of each secret is computed once, however many signatures there
 * are.
 *
 * @throws WebhookSignatureError, ConfigurationError
 */
export async function checkSignature(
  body: Uint8Array<ArrayBuffer>,
  signatures: readonly string[],
  secret: WebhookSecret,
): Promise<void> {
  const secrets = [secret].flat();
  if (secrets.length === 0 || !secrets.every((each) => typeof each === 'string' && each !== ''))
    throw new ConfigurationError("secret must be a webhook's signing_secret, or several", {
      option: 'secret',
    });
  const given = signatures.filter((signature) => signature !== '');
  if (given.length === 0)
    throw new WebhookSignatureError('The post has no signature', 'webhook_signature_missing');
  if (!given.some(isSignature))
    throw new WebhookSignatureError(
      'The signature of the post is not one: it has to be 64 hexadecimal digits',
    );
  const macs = given.filter(isSignature).map(fromHex);
  for (const each of secrets) {
    const hmac = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', encoded(each), hmac, false, ['sign']);
    const expected = new Uint8Array(await crypto.subtle.sign('HMAC', key, body));
    if (macs.filter((mac) => isEqual(expected, mac)).length > 0) return;
  }
  throw new WebhookSignatureError('The signature of the post is not that of its body, made with this secret');
}

/** Options of `verifyWebhook`. */
export interface VerifyWebhookOptions {
  /** The `signing_secret` of the webhook; several, if several webhooks post to the same address. */
  readonly secret: WebhookSecret;
  /** Name of the header with the signature. Without it, each header whose value has the form of one is compared. */
  readonly signatureHeader?: string | undefined;
}

/**
 * Verifies that a post is from the service: that its signature is the HMAC-SHA256 of the body's bytes, made with the
 * webhook's secret. Resolves if so. The comparison takes as long for any signature.
 *
 * The signature has no time: a post that was recorded and sent again is verified too. Recognize it by the `event_id` of its
 * events.
 *
 * @throws {@link WebhookSignatureError} when there is no signature, or a wrong one; {@link ConfigurationError} when the
 * secret is empty, or the payload is neither bytes nor text
 * @example
 * ```ts
 * await verifyWebhook({ payload: rawBody, headers: request.headers, secret });
 * ```
 */
export async function verifyWebhook(
  post: (WebhookPost | WebhookPostWithHeaders) & VerifyWebhookOptions,
): Promise<void> {
  const given = Object(post) as typeof post;
  const { payload, secret, signatureHeader } = given;
  await checkSignature(bytesOf(payload), signaturesOf(given, signatureHeader), secret);
}
