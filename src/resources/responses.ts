import type { StandardSchema } from '../core/standard-schema.ts';
import type {
  Account,
  AccountAccess,
  PermissionResource,
  PermissionsUpdated,
  RemovedAccess,
} from './accounts/types.ts';
import type { ApiToken, NewApiToken } from './api-tokens/types.ts';
import type { BillingUsage } from './billing/types.ts';
import type { Campaign, CampaignPage, CampaignStats } from './campaigns/types.ts';
import type {
  Contact,
  ContactEvent,
  ContactField,
  ContactList,
  ContactUpdateResult,
} from './contacts/types.ts';
import type { ContactExport } from './contacts/export-types.ts';
import type { ContactImport } from './contacts/import-types.ts';
import type { EmailLogMessageDetails, EmailLogPage } from './email-logs/types.ts';
import type { ForwardRule, ForwardRulePage, InboundFolder, InboundInbox } from './inbound/types.ts';
import type {
  InboundMessageDetails,
  InboundMessagePage,
  InboundThread,
  InboundThreadPage,
} from './inbound/mail-types.ts';
import type { SubAccount } from './organizations/types.ts';
import type { SandboxInbox, SandboxProject } from './sandbox/types.ts';
import type {
  SandboxAttachment,
  SandboxForwardResult,
  SandboxHtmlAnalysis,
  SandboxMessage,
  SandboxMessageHeaders,
  SandboxSpamReport,
} from './sandbox/message-types.ts';
import type { BatchResult, SendResult } from './sending/types.ts';
import type { SendingDomain, SendingDomainPage } from './sending-domains/types.ts';
import type { CompanyInfo } from './sending-domains/company-info-types.ts';
import type {
  CategoryStats,
  DateStats,
  DomainStats,
  EmailServiceProviderStats,
  EmailStats,
} from './stats/types.ts';
import type { Suppression, TrackingOptOut, TrackingOptOutPage } from './suppressions/types.ts';
import type { Template } from './templates/types.ts';
import type { CreatedWebhook, Webhook, WebhookPage } from './webhooks/types.ts';

/**
 * What the service returns, by the name of its schema. Names of schemas, the schemas themselves and the results of methods
 * come from here. Where the body of a list is an array, it is that array; otherwise it is the page made of the body.
 */
export interface Responses {
  account: Account;
  accountAccessList: AccountAccess[];
  accountList: Account[];
  apiToken: ApiToken;
  apiTokenList: ApiToken[];
  batchResult: BatchResult;
  billingUsage: BillingUsage;
  campaign: Campaign;
  campaignPage: CampaignPage;
  campaignStats: CampaignStats;
  categoryStatsList: CategoryStats[];
  companyInfo: CompanyInfo;
  contact: Contact;
  contactEvent: ContactEvent;
  contactExport: ContactExport;
  contactField: ContactField;
  contactFieldList: ContactField[];
  contactImport: ContactImport;
  contactList: ContactList;
  contactListList: ContactList[];
  contactUpdateResult: ContactUpdateResult;
  createdWebhook: CreatedWebhook;
  dateStatsList: DateStats[];
  domainStatsList: DomainStats[];
  emailLogMessageDetails: EmailLogMessageDetails;
  emailLogPage: EmailLogPage;
  emailServiceProviderStatsList: EmailServiceProviderStats[];
  emailStats: EmailStats;
  forwardRule: ForwardRule;
  forwardRulePage: ForwardRulePage;
  inboundFolder: InboundFolder;
  inboundFolderList: InboundFolder[];
  inboundInbox: InboundInbox;
  inboundInboxList: InboundInbox[];
  inboundMessageDetails: InboundMessageDetails;
  inboundMessagePage: InboundMessagePage;
  inboundSendResult: Pick<SendResult, 'message_ids'>;
  inboundThread: InboundThread;
  inboundThreadPage: InboundThreadPage;
  newApiToken: NewApiToken;
  permissionResourceList: PermissionResource[];
  permissionsUpdated: PermissionsUpdated;
  removedAccess: RemovedAccess;
  sandboxAttachment: SandboxAttachment;
  sandboxAttachmentList: SandboxAttachment[];
  sandboxForwardResult: SandboxForwardResult;
  sandboxHtmlAnalysis: SandboxHtmlAnalysis;
  sandboxInbox: SandboxInbox;
  sandboxInboxList: SandboxInbox[];
  sandboxMessage: SandboxMessage;
  sandboxMessageHeaders: SandboxMessageHeaders;
  sandboxMessageList: SandboxMessage[];
  sandboxProject: SandboxProject;
  sandboxProjectList: SandboxProject[];
  sandboxSpamReport: SandboxSpamReport;
  sendResult: SendResult;
  sendingDomain: SendingDomain;
  sendingDomainPage: SendingDomainPage;
  subAccount: SubAccount;
  subAccountList: SubAccount[];
  suppression: Suppression;
  suppressionList: Suppression[];
  template: Template;
  templateList: Template[];
  trackingOptOut: TrackingOptOut;
  trackingOptOutPage: TrackingOptOutPage;
  webhook: Webhook;
  webhookPage: WebhookPage;
}

/** Names of the schemas in `email-platform/schemas` that the client looks up to check responses. */
export type ResponseSchemaName = keyof Responses;

/**
 * Schemas to check responses with, by name: `import * as schemas from 'email-platform/schemas'`, some of them, or any
 * Standard Schemas of your own under the same names. Names the client does not look up are ignored.
 */
export type ResponseSchemas = Readonly<Partial<Record<ResponseSchemaName, StandardSchema | undefined>>>;
