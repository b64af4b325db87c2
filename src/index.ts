/**
 * The client, its errors and its types.
 *
 * @module email-platform
 */

export { EmailPlatform, type ClientLimits } from './client/client.ts';
export type { AppInfo, EmailPlatformOptions, Hosts } from './client/options.ts';

export { ApiPromise, type ResponseInfo, type WithResponse } from './core/api-promise.ts';
export {
  ApiError,
  AuthenticationError,
  BadRequestError,
  LifecycleError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  UnprocessableError,
  ValidationError,
  type BadRequestReason,
} from './core/api-errors.ts';
export { EmailPlatformError, type Effect, type ErrorCode, type RequestSummary } from './core/error-base.ts';
export {
  AbortedError,
  ConfigurationError,
  ConnectionError,
  IdempotencyError,
  InvalidRequestError,
  JournalError,
  RecipientRefusedError,
  ResponseFormatError,
  TimeoutError,
  type ConnectionPhase,
  type Issue,
  type PreviousSend,
} from './core/errors.ts';
export type { Journal } from './core/journal.ts';
export type { RecipientOptions } from './recipients/options.ts';
export { Pager, type Page } from './core/pager.ts';
export type { QueryValue } from './core/query.ts';
export type { StandardSchema } from './core/standard-schema.ts';
export type { RateLimitInfo } from './core/api-promise.ts';
export type { HostName, HttpMethod, RequestOptions, RetryOptions, Stream } from './core/request.ts';
export type {
  AccountPoolName,
  PoolName,
  PoolSnapshot,
  Priority,
  RateLimit,
  RateLimitWindows,
  ThrottleLimits,
  ThrottleSnapshot,
  ThrottleWait,
} from './core/limits.ts';

export * from './resources/types.ts';

// The classes of the areas.
export * from './resources/accounts/accounts.ts';
export type { AnyRequest } from './resources/any-endpoint.ts';
export * from './resources/api-tokens/api-tokens.ts';
export * from './resources/billing/billing.ts';
export * from './resources/campaigns/campaigns.ts';
export * from './resources/sending-domains/company-info.ts';
export * from './resources/contacts/exports.ts';
export * from './resources/contacts/fields.ts';
export { ContactImports } from './resources/contacts/imports.ts';
export * from './resources/contacts/lists.ts';
export * from './resources/contacts/contacts.ts';
export * from './resources/email-logs/email-logs.ts';
export * from './resources/sandbox/attachments.ts';
export * from './resources/sandbox/inboxes.ts';
export * from './resources/sandbox/messages.ts';
export * from './resources/sandbox/projects.ts';
export * from './resources/sandbox/sandbox.ts';
export * from './resources/organizations/organizations.ts';
export * from './resources/inbound/forward-rules.ts';
export * from './resources/inbound/folders.ts';
export * from './resources/inbound/inboxes.ts';
export * from './resources/inbound/messages.ts';
export * from './resources/inbound/threads.ts';
export * from './resources/inbound/inbound.ts';
export * from './resources/sending/sending.ts';
export * from './resources/sending-domains/sending-domains.ts';
export * from './resources/stats/stats.ts';
export * from './resources/suppressions/suppressions.ts';
export * from './resources/templates/templates.ts';
export {
  templateUuid,
  type TemplateUuidOptions,
  type TemplateUuids,
} from './resources/templates/template-uuid.ts';
export * from './resources/tracking-opt-outs/tracking-opt-outs.ts';
export * from './resources/webhooks/webhooks.ts';

export type { AuthScheme, MismatchAction, TokenSource } from './transport/config.ts';
export type { Fetch } from './transport/runtimes/runtime-fetch.ts';
export type {
  CallEvent,
  EndEvent,
  Hooks,
  MismatchEvent,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  ThrottleEvent,
} from './transport/hooks.ts';
export type { LogFields, Logger, LogLevel } from './transport/logger.ts';
export type { ErrorSummary } from './transport/call-summary.ts';
export type { AttemptTrace, CallTrace, Traced, TracedServer } from './transport/tracing.ts';
export type { RetryReason } from './transport/retry-policy.ts';
export { createThrottle } from './throttle/create-throttle.ts';
export type { ThrottleOptions } from './throttle/limits.ts';
export type { Pace } from './throttle/permit-window.ts';
export type { Throttle } from './throttle/throttle.ts';
export { VERSION } from './version.ts';
