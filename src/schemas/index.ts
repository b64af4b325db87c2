/**
 * zod schemas of what the methods return: to check the client's responses with, and to build your own schemas from. They
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
} from './accounts.ts';
export { apiToken, apiTokenList, newApiToken } from './api-tokens.ts';
export { billingUsage } from './billing.ts';
export { campaign, campaignPage, campaignStats, campaignSummary } from './campaigns.ts';
export { companyInfo } from './company-info.ts';
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
} from './contacts.ts';
export { emailLogEvent, emailLogMessage, emailLogMessageDetails, emailLogPage } from './email-logs.ts';
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
} from './sandbox.ts';
export { subAccount, subAccountList } from './organizations.ts';
export { batchResponse, batchResult, sendResult } from './sending.ts';
export { sendingDomain, sendingDomainPage } from './sending-domains.ts';
export {
  categoryStatsList,
  dateStatsList,
  domainStatsList,
  emailServiceProviderStatsList,
  emailStats,
} from './stats.ts';
export { suppression, suppressionList, trackingOptOut, trackingOptOutPage } from './suppressions.ts';
export { template, templateList } from './templates.ts';
