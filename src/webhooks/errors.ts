import { brand, EmailPlatformError, type ErrorCode } from '../core/error-base.ts';

/**
 * A post is not from the service, as far as can be told: it has no signature (code `webhook_signature_missing`), or
 * another than the secret makes of this body (`webhook_signature_invalid`). Respond with 401, and do nothing.
 *
 * The body may also have been changed on its way, by a body parser for instance. It is not part of the error.
 */
export class WebhookSignatureError extends EmailPlatformError {
  /** @internal */
  constructor(message: string, code?: ErrorCode) {
    super(message, { effect: 'none', ...(code && { code }) });
  }
}

/**
 * A post is from the service, but its body cannot be read: it is not JSON or JSON lines, or has no events. Or its body
 * broke off while it was read, or is larger than `maxBytes`, and was not verified. The body is not part of the error.
 */
export class WebhookPayloadError extends EmailPlatformError {
  /** @internal */
  constructor(message: string) {
    super(message, { effect: 'none' });
  }
}

brand(WebhookSignatureError, 'WebhookSignatureError', 'webhook_signature_invalid');
brand(WebhookPayloadError, 'WebhookPayloadError', 'webhook_payload_unreadable');
