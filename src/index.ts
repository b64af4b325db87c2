/**
 * The client, its errors, and the types of what programs write by name. Every other type of the client is reached from
 * the client's name: `EmailPlatform.Contact`.
 *
 * @module email-platform
 */

export { EmailPlatform } from './client/client.ts';
export type { EmailPlatformOptions } from './client/options.ts';
export { ApiPromise } from './core/api-promise.ts';
export type { RequestOptions } from './core/request.ts';
export { VERSION } from './version.ts';

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
} from './core/api-errors.ts';
export { EmailPlatformError } from './core/error-base.ts';
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
} from './core/errors.ts';

export type {
  BatchBase,
  BatchOptions,
  BatchParams,
  BatchRequest,
  BatchResult,
  OwnEmail,
  SendOptions,
  SendParams,
  SendResult,
  StoredMail,
  TemplateEmail,
} from './resources/sending/types.ts';
export type {
  BatchAllOptions,
  BatchOutcome,
  BatchRun,
  BatchTotals,
} from './resources/sending/batch/types.ts';
export type { Journal } from './core/journal.ts';
export { oneClickUnsubscribe } from './resources/sending/one-click.ts';

export { Pager } from './core/pager.ts';
export { createThrottle } from './throttle/create-throttle.ts';
export type { ThrottleOptions } from './throttle/limits.ts';
export type { Throttle } from './throttle/throttle.ts';

export {
  CAMPAIGN_STATES,
  isFinishedCampaignState,
  isKnownCampaignState,
} from './resources/campaigns/types.ts';
export { EMAIL_LOG_EVENT_TYPES, isKnownEmailLogEvent } from './resources/email-logs/event-types.ts';
export { templateUuid, type TemplateUuids } from './client/template-uuid.ts';
