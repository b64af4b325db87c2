/** The public types of arguments and results, and what belongs to them. */
export type { ResponseSchemaName, ResponseSchemas } from './response-schemas.ts';
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
  type TokenPagination,
} from './campaigns.ts';
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
} from './accounts.ts';
export type { ApiToken, ApiTokenCreateParams, ApiTokenResetParams, NewApiToken } from './api-tokens.ts';
export type { BillingCount, BillingProduct, BillingUsage } from './billing.ts';
export type { CompanyInfo, CompanyInfoCreateParams, CompanyInfoUpdateParams } from './company-info.ts';
export type {
  ContactExport,
  ContactExportCreateParams,
  ContactExportFilter,
  ContactExportStatus,
} from './contact-exports.ts';
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
} from './contact-imports.ts';
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
} from './contacts.ts';
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
} from './email-log-events.ts';
export type {
  AddressFilter,
  CountFilter,
  EmailLogFilters,
  EmailLogListParams,
  EventFilter,
  SubjectFilter,
  TextFilter,
  ValueFilter,
} from './email-log-filters.ts';
export type {
  EmailLogMessage,
  EmailLogMessageDetails,
  EmailLogPage,
  EmailLogStatus,
  SendingStream,
} from './email-logs.ts';
export type { SubAccount, SubAccountCreateParams } from './organizations.ts';
export type { InboundAttachment, InboundForward, InboundForwardParams } from './inbound-mail.ts';
export type { InboundListParams, InboundMessage, InboundMessageDetails } from './inbound-mail.ts';
export type { InboundMessagePage, InboundReplyParams, InboundThread } from './inbound-mail.ts';
export type { InboundThreadMessage, InboundThreadPage, InboundThreadSummary } from './inbound-mail.ts';
export type { ForwardRule, ForwardRuleCondition, ForwardRuleCreateParams } from './inbound.ts';
export type { ForwardRuleDestination, ForwardRuleMatchType, ForwardRuleOperator } from './inbound.ts';
export type { ForwardRulePage, ForwardRuleUpdateParams, InboundFolder } from './inbound.ts';
export type { InboundFolderParams, InboundInbox, InboundInboxCreateParams } from './inbound.ts';
export type { InboundInboxUpdateParams } from './inbound.ts';
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
} from './batch-outcomes.ts';
export type {
  SandboxInbox,
  SandboxInboxCreateParams,
  SandboxInboxUpdateParams,
  SandboxPermissions,
  SandboxProject,
  SandboxProjectParams,
  SandboxShareLinks,
} from './sandbox.ts';
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
} from './sandbox-messages.ts';
export type { ByteStream } from './attachment-content.ts';
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
} from './sending.ts';
export type {
  ComplianceStatus,
  DnsRecord,
  DnsRecordStatus,
  SendingDomain,
  SendingDomainCreateParams,
  SendingDomainPage,
  SendingDomainUpdateParams,
} from './sending-domains.ts';
export type {
  CategoryStats,
  DateStats,
  DomainStats,
  EmailServiceProviderStats,
  EmailStats,
  StatsParams,
} from './stats.ts';
export type {
  Suppression,
  SuppressionCreateParams,
  SuppressionListParams,
  SuppressionType,
  TrackingOptOut,
  TrackingOptOutCreateParams,
  TrackingOptOutPage,
} from './suppressions.ts';
export type { CreatedWebhook, Webhook, WebhookCreateParams, WebhookEventType } from './webhooks.ts';
export type { WebhookPage, WebhookPayloadFormat, WebhookType } from './webhooks.ts';
export type { WebhookUpdateParams } from './webhooks.ts';
export type { WaitOptions } from './wait-options.ts';
export type { Template, TemplateCreateParams, TemplateUpdateParams } from './templates.ts';
