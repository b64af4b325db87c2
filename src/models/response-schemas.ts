import type { StandardSchema } from '../core/standard-schema.ts';

/** Names of the schemas in `email-platform/schemas` that the client looks up to check responses. */
export type ResponseSchemaName =
  | 'account'
  | 'accountAccessList'
  | 'accountList'
  | 'batchResult'
  | 'campaign'
  | 'campaignPage'
  | 'campaignStats'
  | 'categoryStatsList'
  | 'contact'
  | 'contactEvent'
  | 'contactExport'
  | 'contactField'
  | 'contactFieldList'
  | 'contactImport'
  | 'contactList'
  | 'contactListList'
  | 'contactUpdateResult'
  | 'dateStatsList'
  | 'domainStatsList'
  | 'emailLogMessageDetails'
  | 'emailLogPage'
  | 'emailServiceProviderStatsList'
  | 'emailStats'
  | 'permissionResourceList'
  | 'removedAccess'
  | 'sandboxAttachment'
  | 'sandboxAttachmentList'
  | 'sandboxForwardResult'
  | 'sandboxHtmlAnalysis'
  | 'sandboxInbox'
  | 'sandboxInboxList'
  | 'sandboxMessage'
  | 'sandboxMessageHeaders'
  | 'sandboxMessageList'
  | 'sandboxProject'
  | 'sandboxProjectList'
  | 'sandboxSpamReport'
  | 'sendingDomain'
  | 'sendingDomainPage'
  | 'sendResult'
  | 'suppression'
  | 'suppressionList'
  | 'template'
  | 'templateList'
  | 'trackingOptOut'
  | 'trackingOptOutPage';

/**
 * Schemas to check responses with, by name: `import * as schemas from 'email-platform/schemas'`, some of them, or any
 * Standard Schemas of your own under the same names. Names the client does not look up are ignored.
 */
export type ResponseSchemas = Readonly<Partial<Record<ResponseSchemaName, StandardSchema | undefined>>>;
