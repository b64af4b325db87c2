import { ConfigurationError } from '../core/errors.ts';
import { WebhookSignatureError } from './errors.ts';

/** The body of a post as it arrived, before anything has parsed it: bytes, or their text. */
export type WebhookPayload = ArrayBufferView | ArrayBuffer | string;

/** The `signing_secret` of a webhook; several, if several webhooks post to the same address. */
export type WebhookSecret = string | readonly string[];

/** A post whose body has been read. */
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

/** Whether a text has the form of a signature: 64 lowercase hexadecimal digits. */
export const isSignature = (text: string | null | undefined): boolean => /^[\da-f]{64}$/.test(text ?? '');

const fromHex = (text: string) => Uint8Array.from(text.match(/../g) ?? [], (digits) => parseInt(digits, 16));

/**
 * Refuses a body whose signature none of the secrets makes.
 *
 * @throws WebhookSignatureError, ConfigurationError
 */
export async function checkSignature(
  body: Uint8Array<ArrayBuffer>,
  signature: WebhookPost['signature'],
  secret: WebhookSecret,
): Promise<void> {
  const secrets = [secret].flat();
  if (secrets.length === 0 || !secrets.every((each) => typeof each === 'string' && each !== ''))
    throw new ConfigurationError("secret must be a webhook's signing_secret, or several", {
      option: 'secret',
    });
  const given = String(signature ?? '');
  if (given === '') throw new WebhookSignatureError('The post has no signature', 'webhook_signature_missing');
  if (!isSignature(given))
    throw new WebhookSignatureError(
      'The signature of the post is not one: it has to be 64 hexadecimal digits',
    );
  const mac = fromHex(given);
  for (const each of secrets) {
    const hmac = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', encoded(each), hmac, false, ['verify']);
    if (await crypto.subtle.verify('HMAC', key, mac, body)) return;
  }
  throw new WebhookSignatureError('The signature of the post is not that of its body, made with this secret');
}

/**
 * Verifies that a post is from the service: that its signature is the HMAC-SHA256 of the body's bytes, made with the
 * webhook's secret. Resolves if so. The comparison takes as long for any signature.
 *
 * A signature says nothing about when: a post that somebody recorded and sends again is verified too. Recognize it by
 * the `event_id` of its events.
 *
 * @throws {@link WebhookSignatureError} when there is no signature, or a wrong one; {@link ConfigurationError} when the
 * secret is empty, or the payload is neither bytes nor text
 * @example
 * ```ts
 * await verifyWebhook({ payload: rawBody, signature: request.get(signatureHeader), secret });
 * ```
 */
export async function verifyWebhook(post: WebhookPost & { readonly secret: WebhookSecret }): Promise<void> {
  const { payload, signature, secret } = Object(post) as typeof post;
  await checkSignature(bytesOf(payload), signature, secret);
}
