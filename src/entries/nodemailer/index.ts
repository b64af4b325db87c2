/**
 * A transport for nodemailer 8.0.5 and later, and the fields that this package adds to nodemailer's messages.
 *
 * @module email-platform/nodemailer
 */
export {
  EmailPlatformError,
  type Effect,
  type ErrorCode,
  type RequestSummary,
} from '../../core/error-base.ts';
export { ConfigurationError, InvalidRequestError, type Issue } from '../../core/errors.ts';
export type { PoolName, AccountPoolName } from '../../core/limits.ts';
export type { Stream } from '../../core/request.ts';
export type { NodemailerErrorFields } from './errors.ts';
export type { EmailPlatformTransportOptions } from './options.ts';
export { EmailPlatformTransport, emailPlatformTransport, type TransportCallback } from './transport.ts';
export type { EmailPlatformFields, IgnorableField, TemplateReference } from './message-types.ts';
export type { Mail, MailAddress, MailClient, SentEnvelope, SentInfo } from './types.ts';
