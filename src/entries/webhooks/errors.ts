import { brand, EmailPlatformError, type ErrorCode } from '../../core/error-base.ts';

/**
 * A post is probably not from the service: it has no signature (code `webhook_signature_missing`), or a wrong
 * signature for its body (`webhook_signature_invalid`). Respond with 401, and ignore the post.
 *
 * A body parser may also have changed the body before the verification. The error does not contain the body.
 */
export class WebhookSignatureError extends EmailPlatformError {
  /** @internal */
  constructor(message: string, code?: ErrorCode) {
    super(message, { effect: 'none', ...(code && { code }) });
  }
}

/**
 * The body of a post is unreadable. Either the post is from the service, but the body is not JSON or JSON lines, or
 * has no events. Or the body ended early or is larger than `maxBytes`, and was not verified. The error does not
 * contain the body.
 */
export class WebhookPayloadError extends EmailPlatformError {
  /** @internal */
  constructor(message: string) {
    super(message, { effect: 'none' });
  }
}

brand(WebhookSignatureError, 'WebhookSignatureError', 'webhook_signature_invalid');
brand(WebhookPayloadError, 'WebhookPayloadError', 'webhook_payload_unreadable');
