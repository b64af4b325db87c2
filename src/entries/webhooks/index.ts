/**
 * Verifies and reads the webhooks that the service posts. Runs in Node, Bun, Deno and Workers; needs only Web Crypto.
 *
 * @module email-platform/webhooks
 */

export {
  EmailPlatformError,
  type Effect,
  type ErrorCode,
  type RequestSummary,
} from '../../core/error-base.ts';
export { ConfigurationError } from '../../core/errors.ts';
export type { SendingStream } from '../../resources/email-logs/types.ts';
export type {
  AuditEvent,
  BouncedEvent,
  ClickedEvent,
  DeliveredEvent,
  InboundEvent,
  OpenedEvent,
  RejectedEvent,
  SendingEvent,
  UnknownEvent,
  WebhookEvent,
} from '../../resources/webhooks/event-types.ts';
export { WebhookPayloadError, WebhookSignatureError } from './errors.ts';
export { readOneClick, type OneClickRequest } from './one-click.ts';
export { readWebhook, type ReadWebhookOptions, type WebhookRequest } from './read.ts';
export type { WebhookHeaders } from './signatures.ts';
export {
  verifyWebhook,
  type VerifyWebhookOptions,
  type WebhookPayload,
  type WebhookPost,
  type WebhookPostWithHeaders,
  type WebhookSecret,
} from './verify.ts';
