import {
  EmailPlatform,
  type Account,
  type AccountAccess,
  type ApiToken,
  type BatchResponse,
  type BatchResult,
  type BillingUsage,
  type Campaign,
  type CampaignPage,
  type CampaignStats,
  type CampaignSummary,
  type CategoryStats,
  type CompanyInfo,
  type Contact,
  type ContactEvent,
  type ContactExport,
  type ContactField,
  type ContactImport,
  type ContactList,
  type ContactUpdateResult,
  type CreatedWebhook,
  type DateStats,
  type DomainStats,
  type EmailLogEvent,
  type EmailLogMessage,
  type EmailLogMessageDetails,
  type EmailLogPage,
  type EmailServiceProviderStats,
  type EmailStats,
  type NewApiToken,
  type NumberedPage,
  type ForwardRule,
  type ForwardRulePage,
  type InboundFolder,
  type InboundInbox,
  type InboundMessage,
  type InboundMessageDetails,
  type InboundMessagePage,
  type InboundThread,
  type InboundThreadPage,
  type InboundThreadSummary,
  type PermissionResource,
  type PermissionsUpdated,
  type RemovedAccess,
  type ResponseSchemas,
  type SandboxAttachment,
  type SandboxForwardResult,
  type SandboxHtmlAnalysis,
  type SandboxInbox,
  type SandboxMessage,
  type SandboxMessageHeaders,
  type SandboxProject,
  type SandboxSpamReport,
  type SendingDomain,
  type SendingDomainPage,
  type SendResult,
  type StandardSchema,
  type SubAccount,
  type Suppression,
  type Template,
  type TrackingOptOut,
  type TrackingOptOutPage,
  type Webhook,
  type WebhookPage,
} from 'email-platform';
import * as schemas from 'email-platform/schemas';
import type { AuditEvent, InboundEvent, SendingEvent, WebhookEvent } from 'email-platform/webhooks';
import * as z from 'zod';
import type { Same } from './same.ts';

/** Every schema, and the type that it describes; besides those of numbered pages, which follow from their items. */
interface Named {
  account: Account;
  accountAccess: AccountAccess;
  accountAccessList: AccountAccess[];
  accountList: Account[];
  apiToken: ApiToken;
  apiTokenList: ApiToken[];
  auditEvent: AuditEvent;
  batchResponse: BatchResponse;
  batchResult: BatchResult;
  billingUsage: BillingUsage;
  campaign: Campaign;
  campaignPage: Pick<CampaignPage, 'data' | 'pagination'>;
  campaignStats: CampaignStats;
  campaignSummary: CampaignSummary;
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
  emailLogEvent: EmailLogEvent;
  emailLogMessage: EmailLogMessage;
  emailLogMessageDetails: EmailLogMessageDetails;
  emailLogPage: Pick<EmailLogPage, 'messages' | 'total_count' | 'next_page_cursor'>;
  emailServiceProviderStatsList: EmailServiceProviderStats[];
  emailStats: EmailStats;
  newApiToken: NewApiToken;
  forwardRule: ForwardRule;
  forwardRulePage: Pick<ForwardRulePage, 'data'>;
  inboundEvent: InboundEvent;
  inboundFolder: InboundFolder;
  inboundFolderList: InboundFolder[];
  inboundInbox: InboundInbox;
  inboundInboxList: InboundInbox[];
  inboundMessage: InboundMessage;
  inboundMessageDetails: InboundMessageDetails;
  inboundMessagePage: Pick<InboundMessagePage, 'data' | 'total_count' | 'last_id'>;
  inboundSendResult: Pick<SendResult, 'message_ids'>;
  inboundThread: InboundThread;
  inboundThreadPage: Pick<InboundThreadPage, 'data' | 'total_count' | 'last_id'>;
  inboundThreadSummary: InboundThreadSummary;
  permissionResource: PermissionResource;
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
  sendResult: Pick<SendResult, 'success' | 'message_ids'>;
  sendingEvent: SendingEvent;
  sendingDomain: SendingDomain;
  sendingDomainPage: Pick<SendingDomainPage, 'data'>;
  subAccount: SubAccount;
  subAccountList: SubAccount[];
  suppression: Suppression;
  suppressionList: Suppression[];
  template: Template;
  templateList: Template[];
  trackingOptOut: TrackingOptOut;
  trackingOptOutPage: Pick<TrackingOptOutPage, 'data' | 'last_id'>;
  webhook: Webhook;
  webhookEvent: WebhookEvent;
  webhookPage: Pick<WebhookPage, 'data'>;
}

type Schemas = typeof schemas;

/** A page that is not listed above is one of numbered pages: `thingPage`, of items like `thing`. */
type Numbered = {
  [Item in keyof Named as Exclude<`${Item}Page` & keyof Schemas, keyof Named>]: Pick<
    NumberedPage<Named[Item]>,
    'data' | 'pagination'
  >;
};

type Described = Named & Numbered;

/** A type without its index signatures, which interfaces do not have. */
type Known<T> = T extends readonly (infer Item)[]
  ? Known<Item>[]
  : T extends object
    ? { [Name in keyof T as string extends Name ? never : Name]: Known<T[Name]> }
    : T;

/** The names of a type's own fields; of a union's, those that all its members have. */
type Names<T> = keyof T & keyof { [Name in keyof T as string extends Name ? never : Name]: never };

/** The paths of all fields, optional or not, five levels deep. What is in `details` depends on the event. */
type Paths<T, Above extends string[] = []> = Above['length'] extends 5
  ? never
  : [T] extends [string | number | boolean]
    ? never
    : [T] extends [readonly (infer Item)[]]
      ? Paths<Item, Above>
      : { [Name in Names<T> & string]: Name | Below<Name, NonNullable<T[Name]>, Above> }[Names<T> & string];
type Below<Name extends string, T, Above extends string[]> = Name extends 'details'
  ? never
  : `${Name}.${Paths<T, [...Above, Name]>}`;

type Produced = { [Name in keyof Described]: z.output<Schemas[Name]> };
type Accepted = { [Name in keyof Described]: Known<z.input<Schemas[Name]>> };
/** Two types are also assignable either way if one of them lacks an optional field. */
type HasSameFields = {
  [Name in keyof Described]: Same<Paths<Produced[Name]>, Paths<Described[Name]>>;
};

export const everySchema: Same<keyof Schemas, keyof Described> = true;
export const produced = (value: Produced): Described => value;
export const accepted = (value: Described): Accepted => value;
export const sameFields = (value: HasSameFields): { [Name in keyof Described]: true } => value;

export function right(own: StandardSchema): unknown[] {
  const all: Required<ResponseSchemas> = schemas;
  const reviewed = schemas.template.extend({ reviewed_by: z.string() });
  const reviewer: string = ({} as z.infer<typeof reviewed>).reviewed_by;
  const template: Template = {} as z.infer<typeof reviewed>;
  const state: string = ({} as z.infer<typeof schemas.campaign>).current_state;
  return [
    new EmailPlatform({ schemas, hooks: { onMismatch: ({ issues }) => issues.length.toFixed() } }),
    new EmailPlatform({ schemas: { template: reviewed }, validateResponses: 'throw' }),
    new EmailPlatform({ schemas: { ...schemas, campaign: own }, validateResponses: 'report' }),
    new EmailPlatform({ schemas: { campaign: undefined }, validateResponses: undefined }),
    [all, reviewer, template, state],
  ];
}

export const wrong = (own: StandardSchema): unknown[] => [
  // @ts-expect-error not a schema
  new EmailPlatform({ schemas: { template: 5 } }),
  // @ts-expect-error no such name
  new EmailPlatform({ schemas: { tempalte: own } }),
  // @ts-expect-error one schema by itself has no name
  new EmailPlatform({ schemas: schemas.template }),
  // @ts-expect-error a module by name cannot be loaded
  new EmailPlatform({ schemas: 'email-platform/schemas' }),
  // @ts-expect-error there is no third way
  new EmailPlatform({ schemas, validateResponses: 'ignore' }),
  // @ts-expect-error an id is a number
  ({} as z.infer<typeof schemas.template>).id.length,
];
