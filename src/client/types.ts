/** Every type of `EmailPlatform`'s namespace. */
export type * from '../resources/types.ts';
export type { AppInfo, Hosts } from './options.ts';
export type { BadRequestReason } from '../core/api-errors.ts';
export type { RateLimitInfo, ResponseInfo, WithResponse } from '../core/api-promise.ts';
export type { Effect, ErrorCode, RequestSummary } from '../core/error-base.ts';
export type { ConnectionPhase, Issue, PreviousSend } from '../core/errors.ts';
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
} from '../core/limits.ts';
export type { Page } from '../core/pager.ts';
export type { QueryValue } from '../core/query.ts';
export type { HostName, HttpMethod, RetryOptions, Stream } from '../core/request.ts';
export type { SettleOptions, SettleProgress, SettleResult, SettledKey } from '../core/settle-types.ts';
export type { StandardSchema } from '../core/standard-schema.ts';
export type { RecipientOptions } from '../recipients/options.ts';
export type { AccountAccesses, Accounts, Permissions } from '../resources/accounts/accounts.ts';
export type { AnyRequest } from '../resources/any-endpoint.ts';
export type { ApiTokens } from '../resources/api-tokens/api-tokens.ts';
export type { Billing } from '../resources/billing/billing.ts';
export type { Campaigns } from '../resources/campaigns/campaigns.ts';
export type { Contacts } from '../resources/contacts/contacts.ts';
export type { ContactExports } from '../resources/contacts/exports.ts';
export type { ContactFields } from '../resources/contacts/fields.ts';
export type { ContactImports } from '../resources/contacts/imports.ts';
export type { ContactLists } from '../resources/contacts/lists.ts';
export type { DownloadOptions, EmailLogs } from '../resources/email-logs/email-logs.ts';
export type { InboundFolders } from '../resources/inbound/folders.ts';
export type { ForwardRules } from '../resources/inbound/forward-rules.ts';
export type { Inbound } from '../resources/inbound/inbound.ts';
export type { InboundInboxes } from '../resources/inbound/inboxes.ts';
export type { InboundMessages } from '../resources/inbound/messages.ts';
export type { InboundThreads } from '../resources/inbound/threads.ts';
export type { Organizations, SubAccounts } from '../resources/organizations/organizations.ts';
export type { SandboxAttachments } from '../resources/sandbox/attachments.ts';
export type { SandboxInboxes } from '../resources/sandbox/inboxes.ts';
export type { SandboxMessages } from '../resources/sandbox/messages.ts';
export type { SandboxProjects } from '../resources/sandbox/projects.ts';
export type { Sandbox } from '../resources/sandbox/sandbox.ts';
export type { CompanyInfos } from '../resources/sending-domains/company-info.ts';
export type {
  SendingDomains,
  WaitUntilVerifiedOptions,
} from '../resources/sending-domains/sending-domains.ts';
export type { Sending } from '../resources/sending/sending.ts';
export type { Stats } from '../resources/stats/stats.ts';
export type { Suppressions } from '../resources/suppressions/suppressions.ts';
export type { TemplateUuidOptions } from './template-uuid.ts';
export type { PaginatedTemplates, Templates } from '../resources/templates/templates.ts';
export type { TrackingOptOuts } from '../resources/tracking-opt-outs/tracking-opt-outs.ts';
export type { Webhooks } from '../resources/webhooks/webhooks.ts';
export type { Pace } from '../throttle/permit-window.ts';
export type { ErrorSummary } from '../transport/call-summary.ts';
export type { AuthScheme, MismatchAction, TokenSource } from '../transport/config.ts';
export type { Fetch } from '../transport/runtimes/runtime-fetch.ts';
export type {
  CallEvent,
  EndEvent,
  Hooks,
  MismatchEvent,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  ThrottleEvent,
} from '../transport/hooks.ts';
export type { LogFields, LogLevel, Logger } from '../transport/logger.ts';
export type { RetryReason } from '../transport/retry-policy.ts';
export type { AttemptTrace, CallTrace, Traced, TracedServer } from '../transport/tracing.ts';
