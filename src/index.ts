/**
 * The client, its errors and its types.
 *
 * @module email-platform
 */

export { EmailPlatform, type ClientLimits } from './client.ts';
export type { AppInfo, EmailPlatformOptions, Hosts } from './options.ts';

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
  isAbortedError,
  isApiError,
  isAuthenticationError,
  isBadRequestError,
  isConfigurationError,
  isConnectionError,
  isEmailPlatformError,
  isInvalidRequestError,
  isLifecycleError,
  isNotFoundError,
  isPermissionDeniedError,
  isRateLimitError,
  isResponseFormatError,
  isServerError,
  isTimeoutError,
  isUnprocessableError,
  isValidationError,
} from './error-guards.ts';
export {
  AbortedError,
  ConfigurationError,
  ConnectionError,
  InvalidRequestError,
  ResponseFormatError,
  TimeoutError,
  type ConnectionPhase,
  type Issue,
} from './core/errors.ts';
export { Pager, type Page } from './core/pager.ts';
export type { QueryValue } from './core/query.ts';
export type { ResponseSchemaName, ResponseSchemas } from './models/response-schemas.ts';
export type { StandardSchema } from './core/standard-schema.ts';
export type { RateLimitInfo } from './core/api-promise.ts';
export type { HostName, HttpMethod, RequestOptions, RetryOptions, Stream } from './core/request.ts';
export type {
  AccountPoolName,
  PoolName,
  PoolSnapshot,
  Priority,
  RateLimit,
  ThrottleLimits,
  ThrottleSnapshot,
  ThrottleWait,
} from './core/limits.ts';

export {
  CAMPAIGN_STATES,
  isKnownCampaignState,
  isKnownDeliveryMode,
  type Campaign,
  type CampaignCreateParams,
  type CampaignListParams,
  type CampaignPage,
  type CampaignScheduleParams,
  type CampaignState,
  type CampaignStateMetadata,
  type CampaignStats,
  type CampaignStatsParams,
  type CampaignSummary,
  type CampaignTemplate,
  type CampaignTemplateParams,
  type CampaignTemplateSummary,
  type CampaignUpdateParams,
  type DeliveryMode,
  type DeliveryOptions,
  type KnownCampaignState,
  type KnownDeliveryMode,
  type ReplyTo,
  type TokenPagination,
} from './models/campaigns.ts';
export type {
  Account,
  AccountAccess,
  AccountAccessListParams,
  AccessResourceType,
  PermissionChange,
  PermissionResource,
  PermissionsUpdated,
  RemovedAccess,
  RemovedPermission,
  ResourceAccess,
  SpecifierType,
} from './models/accounts.ts';
export type {
  ApiToken,
  ApiTokenCreateParams,
  ApiTokenResetParams,
  NewApiToken,
} from './models/api-tokens.ts';
export type { BillingCount, BillingProduct, BillingUsage } from './models/billing.ts';
export type { CompanyInfo, CompanyInfoCreateParams, CompanyInfoUpdateParams } from './models/company-info.ts';
export type {
  ContactExport,
  ContactExportCreateParams,
  ContactExportFilter,
  ContactExportStatus,
} from './models/contact-exports.ts';
export type {
  ContactImport,
  ContactImportCreateParams,
  ContactImportItem,
  ContactImportStatus,
  FailedImportOutcome,
  FinishedImportOutcome,
  ImportedPart,
  ImportOutcome,
  ImportProgress,
  ImportRunOptions,
  NotSentImportOutcome,
  RejectedContact,
  RejectedImportOutcome,
  UnknownImportOutcome,
} from './models/contact-imports.ts';
export type {
  Contact,
  ContactCreateParams,
  ContactEvent,
  ContactEventCreateParams,
  ContactField,
  ContactFieldCreateParams,
  ContactFieldType,
  ContactFieldUpdateParams,
  ContactList,
  ContactListListParams,
  ContactListParams,
  ContactStatus,
  ContactUpdateParams,
  ContactUpdateResult,
  ContactValue,
  ContactValues,
} from './models/contacts.ts';
export {
  EMAIL_LOG_EVENT_TYPES,
  isKnownEmailLogEvent,
  type BounceDetails,
  type ClickDetails,
  type DeliveryDetails,
  type EmailLogEvent,
  type EmailLogEventType,
  type KnownEmailLogEvent,
  type RejectDetails,
  type SpamDetails,
  type UnknownEmailLogEvent,
  type WebDetails,
} from './models/email-log-events.ts';
export type {
  AddressFilter,
  CountFilter,
  EmailLogFilters,
  EmailLogListParams,
  EventFilter,
  SubjectFilter,
  TextFilter,
  ValueFilter,
} from './models/email-log-filters.ts';
export type {
  EmailLogMessage,
  EmailLogMessageDetails,
  EmailLogPage,
  EmailLogStatus,
  SendingStream,
} from './models/email-logs.ts';
export type { SubAccount, SubAccountCreateParams } from './models/organizations.ts';
export type {
  AcceptedOutcome,
  BatchAllOptions,
  BatchInput,
  BatchOutcome,
  BatchProgress,
  BatchRun,
  NotSentOutcome,
  RejectedOutcome,
  UnknownOutcome,
} from './models/batch-outcomes.ts';
export type {
  SandboxInbox,
  SandboxInboxCreateParams,
  SandboxInboxUpdateParams,
  SandboxPermissions,
  SandboxProject,
  SandboxProjectParams,
  SandboxShareLinks,
} from './models/sandbox.ts';
export type {
  BodyForm,
  BodyOptions,
  BodyTypes,
  SandboxAttachment,
  SandboxAttachmentListParams,
  SandboxBlacklist,
  SandboxBlacklistReport,
  SandboxForwardParams,
  SandboxForwardResult,
  SandboxHtmlAnalysis,
  SandboxMarkReadParams,
  SandboxMessage,
  SandboxMessageFilter,
  SandboxMessageHeaders,
  SandboxMessageListParams,
  SandboxSmtpData,
  SandboxSmtpInformation,
  SandboxSpamReport,
  SandboxSpamRule,
} from './models/sandbox-messages.ts';
export type { ByteStream } from './models/attachment-content.ts';
export type {
  Attachment,
  AttachmentContent,
  BatchBase,
  BatchParams,
  BatchRequest,
  BatchResponse,
  BatchResult,
  EmailAddress,
  EmailAddressInput,
  InlineContent,
  InlineFields,
  MailDefaults,
  MailFields,
  RecipientFields,
  Recipients,
  SendOptions,
  SendParams,
  SendParamsWithout,
  SendResult,
  TemplateContent,
} from './models/sending.ts';
export type {
  ComplianceStatus,
  DnsRecord,
  DnsRecordStatus,
  SendingDomain,
  SendingDomainCreateParams,
  SendingDomainPage,
  SendingDomainUpdateParams,
} from './models/sending-domains.ts';
export type {
  CategoryStats,
  DateStats,
  DomainStats,
  EmailServiceProviderStats,
  EmailStats,
  StatsParams,
} from './models/stats.ts';
export type {
  Suppression,
  SuppressionCreateParams,
  SuppressionListParams,
  SuppressionType,
  TrackingOptOut,
  TrackingOptOutCreateParams,
  TrackingOptOutPage,
} from './models/suppressions.ts';
export type { WaitOptions } from './models/wait-options.ts';
export type { Template, TemplateCreateParams, TemplateUpdateParams } from './models/templates.ts';
export { AccountAccesses, Accounts, Permissions } from './resources/accounts.ts';
export type { AnyRequest } from './resources/any-endpoint.ts';
export { ApiTokens } from './resources/api-tokens.ts';
export { Billing } from './resources/billing.ts';
export { Campaigns } from './resources/campaigns.ts';
export { CompanyInfos } from './resources/company-info.ts';
export { ContactExports } from './resources/contact-exports.ts';
export { ContactFields } from './resources/contact-fields.ts';
export { ContactImports } from './resources/contact-imports.ts';
export { ContactLists } from './resources/contact-lists.ts';
export { Contacts } from './resources/contacts.ts';
export { EmailLogs, type DownloadOptions } from './resources/email-logs.ts';
export { SandboxAttachments } from './resources/sandbox-attachments.ts';
export { SandboxInboxes } from './resources/sandbox-inboxes.ts';
export { SandboxMessages } from './resources/sandbox-messages.ts';
export { SandboxProjects } from './resources/sandbox-projects.ts';
export { Sandbox } from './resources/sandbox.ts';
export { Organizations, SubAccounts } from './resources/organizations.ts';
export { Sending } from './resources/sending.ts';
export { SendingDomains, type WaitUntilVerifiedOptions } from './resources/sending-domains.ts';
export { Stats } from './resources/stats.ts';
export { Suppressions } from './resources/suppressions.ts';
export { Templates } from './resources/templates.ts';
export { TrackingOptOuts } from './resources/tracking-opt-outs.ts';

export type { AuthScheme, Fetch, MismatchAction, TokenSource } from './call/config.ts';
export type {
  CallEvent,
  EndEvent,
  Hooks,
  MismatchEvent,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  ThrottleEvent,
} from './call/hooks.ts';
export type { RetryReason } from './retry/policy.ts';
export { createThrottle } from './throttle/create-throttle.ts';
export type { ThrottleOptions } from './throttle/limits.ts';
export type { Pace } from './throttle/permit-window.ts';
export type { Throttle } from './throttle/throttle.ts';
export { VERSION } from './version.ts';
