/** The public types of arguments and results, and what belongs to them. */
export type { ResponseSchemaName, ResponseSchemas } from './responses.ts';
export {
  CAMPAIGN_STATES,
  isFinishedCampaignState,
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
} from './campaigns/types.ts';
export type {
  Account,
  AccountAccess,
  AccountAccessListParams,
  AccessResourceType,
  GrantedPermission,
  PermissionChange,
  PermissionResource,
  PermissionsUpdated,
  RemovedAccess,
  RemovedPermission,
  ResourceAccess,
  SpecifierType,
} from './accounts/types.ts';
export type { ApiToken, ApiTokenCreateParams, ApiTokenResetParams, NewApiToken } from './api-tokens/types.ts';
export type { BillingCount, BillingProduct, BillingUsage } from './billing/types.ts';
export type {
  CompanyInfo,
  CompanyInfoCreateParams,
  CompanyInfoUpdateParams,
} from './sending-domains/company-info-types.ts';
export type {
  ContactExport,
  ContactExportCreateParams,
  ContactExportFilter,
  ContactExportStatus,
} from './contacts/export-types.ts';
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
  SkippedContact,
  RejectedImportOutcome,
  UnknownImportOutcome,
} from './contacts/import-types.ts';
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
} from './contacts/types.ts';
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
} from './email-logs/event-types.ts';
export type {
  AddressFilter,
  CountFilter,
  EmailLogFilters,
  EmailLogListParams,
  EventFilter,
  SubjectFilter,
  TextFilter,
  ValueFilter,
} from './email-logs/filter-types.ts';
export type {
  EmailLogMessage,
  EmailLogMessageDetails,
  EmailLogPage,
  EmailLogStatus,
  SendingStream,
} from './email-logs/types.ts';
export type { SubAccount, SubAccountCreateParams } from './organizations/types.ts';
export type { InboundAttachment, InboundDelivery, InboundForward } from './inbound/mail-types.ts';
export type { InboundForwardParams, InboundThreadListParams } from './inbound/mail-types.ts';
export type { InboundListParams, InboundMessage, InboundMessageDetails } from './inbound/mail-types.ts';
export type { InboundMessagePage, InboundReplyParams, InboundThread } from './inbound/mail-types.ts';
export type { InboundThreadMessage, InboundThreadPage, InboundThreadSummary } from './inbound/mail-types.ts';
export type { ForwardRule, ForwardRuleCondition, ForwardRuleCreateParams } from './inbound/types.ts';
export type { ForwardRuleDestination, ForwardRuleMatchType, ForwardRuleOperator } from './inbound/types.ts';
export type { ForwardRulePage, ForwardRuleUpdateParams, InboundFolder } from './inbound/types.ts';
export type { InboundFolderParams, InboundInbox, InboundInboxCreateParams } from './inbound/types.ts';
export type { InboundInboxUpdateParams } from './inbound/types.ts';
export type {
  AcceptedOutcome,
  BatchAllOptions,
  BatchInput,
  BatchOutcome,
  BatchCounts,
  BatchProgress,
  BatchRun,
  BatchTotals,
  FailedOutcome,
  NotSentOutcome,
  RejectedOutcome,
  UnknownOutcome,
} from './sending/batch-types.ts';
export type { SettledKey, SettleOptions, SettleProgress, SettleResult } from './sending/settle-types.ts';
export type {
  SandboxInbox,
  SandboxInboxCreateParams,
  SandboxInboxUpdateParams,
  SandboxPermissions,
  SandboxProject,
  SandboxProjectParams,
  SandboxShareLinks,
} from './sandbox/types.ts';
export type {
  BodyForm,
  BodyOptions,
  BodyTypes,
  SandboxAttachment,
  SandboxAttachmentListParams,
  SandboxBlacklist,
  SandboxBlacklistReport,
  SandboxEmailClients,
  SandboxForwardParams,
  SandboxForwardResult,
  SandboxHtmlAnalysis,
  SandboxHtmlIssue,
  SandboxMarkReadParams,
  SandboxMessage,
  SandboxMessageFilter,
  SandboxMessageHeaders,
  SandboxMessageListParams,
  SandboxSmtpData,
  SandboxSmtpInformation,
  SandboxSpamReport,
  SandboxSpamRule,
} from './sandbox/message-types.ts';
export type { ByteStream } from './sending/attachment-content.ts';
export type {
  Attachment,
  AttachmentContent,
  BatchBase,
  BatchOptions,
  BatchParams,
  BatchRequest,
  BatchResponse,
  BatchResult,
  EmailAddress,
  EmailAddressInput,
  EmailAddressList,
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
} from './sending/types.ts';
export type {
  ComplianceStatus,
  DnsRecord,
  DnsRecordStatus,
  SendingDomain,
  SendingDomainCreateParams,
  SendingDomainPage,
  SendingDomainUpdateParams,
} from './sending-domains/types.ts';
export type {
  CategoryStats,
  DateStats,
  DomainStats,
  EmailServiceProviderStats,
  EmailStats,
  StatsParams,
} from './stats/types.ts';
export type {
  Suppression,
  SuppressionCreateParams,
  SuppressionListParams,
  SuppressionType,
  TrackingOptOut,
  TrackingOptOutCreateParams,
  TrackingOptOutPage,
} from './suppressions/types.ts';
export type { CreatedWebhook, Webhook, WebhookCreateParams, WebhookEventType } from './webhooks/types.ts';
export type { WebhookPage, WebhookPayloadFormat, WebhookType } from './webhooks/types.ts';
export type { WebhookUpdateParams } from './webhooks/types.ts';
export type { NumberedPage, NumberedPageParams, TokenPagination } from './numbered-page.ts';
export type { WaitOptions } from './wait-options.ts';
export type { Template, TemplateCreateParams, TemplateUpdateParams } from './templates/types.ts';
