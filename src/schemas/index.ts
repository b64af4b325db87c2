/**
 * zod schemas of what the methods return, and of the events that webhooks post: to check the client's responses with, and to build your own schemas from. They
 * describe what the service sends: unknown keys pass, and so do states and types the service may add. Needs `zod` 4.
 *
 * @example
 * ```ts
 * import { EmailPlatform } from 'email-platform';
 * import * as schemas from 'email-platform/schemas';
 *
 * const hooks = { onMismatch: ({ operation, issues }) => console.warn(operation, issues) };
 * const client = new EmailPlatform({ schemas, hooks });
 * ```
 * @module email-platform/schemas
 */

export {
  account,
  accountAccess,
  accountAccessList,
  accountList,
  permissionResource,
  permissionResourceList,
  permissionsUpdated,
  removedAccess,
} from '../resources/accounts/schemas.ts';
export { apiToken, apiTokenList, newApiToken } from '../resources/api-tokens/schemas.ts';
export { billingUsage } from '../resources/billing/schemas.ts';
export { campaign, campaignPage, campaignStats, campaignSummary } from '../resources/campaigns/schemas.ts';
export { companyInfo } from '../resources/sending-domains/company-info-schemas.ts';
export {
  contact,
  contactEvent,
  contactExport,
  contactField,
  contactFieldList,
  contactImport,
  contactList,
  contactListList,
  contactUpdateResult,
} from '../resources/contacts/schemas.ts';
export {
  emailLogEvent,
  emailLogMessage,
  emailLogMessageDetails,
  emailLogPage,
} from '../resources/email-logs/schemas.ts';
export {
  sandboxAttachment,
  sandboxAttachmentList,
  sandboxForwardResult,
  sandboxHtmlAnalysis,
  sandboxInbox,
  sandboxInboxList,
  sandboxMessage,
  sandboxMessageHeaders,
  sandboxMessageList,
  sandboxProject,
  sandboxProjectList,
  sandboxSpamReport,
} from '../resources/sandbox/schemas.ts';
export { subAccount, subAccountList } from '../resources/organizations/schemas.ts';
export {
  forwardRule,
  forwardRulePage,
  inboundFolder,
  inboundFolderList,
  inboundInbox,
  inboundInboxList,
  inboundMessage,
  inboundMessageDetails,
  inboundMessagePage,
  inboundSendResult,
  inboundThread,
  inboundThreadPage,
  inboundThreadSummary,
} from '../resources/inbound/schemas.ts';
export { batchResponse, batchResult, sendResult } from '../resources/sending/schemas.ts';
export { sendingDomain, sendingDomainPage } from '../resources/sending-domains/schemas.ts';
export {
  categoryStatsList,
  dateStatsList,
  domainStatsList,
  emailServiceProviderStatsList,
  emailStats,
} from '../resources/stats/schemas.ts';
export {
  suppression,
  suppressionList,
  trackingOptOut,
  trackingOptOutPage,
} from '../resources/suppressions/schemas.ts';
export { template, templateList } from '../resources/templates/schemas.ts';
export { auditEvent, inboundEvent, sendingEvent, webhookEvent } from '../resources/webhooks/event-schemas.ts';
export { createdWebhook, webhook, webhookPage } from '../resources/webhooks/schemas.ts';
