import { EmailPlatform, type BatchResult, type SendResult } from 'email-platform';
import * as schemas from 'email-platform/schemas';
import type { AuditEvent, InboundEvent, SendingEvent, WebhookEvent } from 'email-platform/webhooks';
import * as z from 'zod';
import type { Same } from './same.ts';

/** Every schema, and the type that it describes; besides those of numbered pages, which follow from their items. */
interface Named {
  account: EmailPlatform.Account;
  accountAccess: EmailPlatform.AccountAccess;
  accountAccessList: EmailPlatform.AccountAccess[];
  accountList: EmailPlatform.Account[];
  apiToken: EmailPlatform.ApiToken;
  apiTokenList: EmailPlatform.ApiToken[];
  auditEvent: AuditEvent;
  batchResponse: EmailPlatform.BatchResponse;
  batchResult: BatchResult;
  billingUsage: EmailPlatform.BillingUsage;
  campaign: EmailPlatform.Campaign;
  campaignPage: Pick<EmailPlatform.CampaignPage, 'data' | 'pagination'>;
  campaignStats: EmailPlatform.CampaignStats;
  campaignSummary: EmailPlatform.CampaignSummary;
  categoryStatsList: EmailPlatform.CategoryStats[];
  companyInfo: EmailPlatform.CompanyInfo;
  contact: EmailPlatform.Contact;
  contactEvent: EmailPlatform.ContactEvent;
  contactExport: EmailPlatform.ContactExport;
  contactField: EmailPlatform.ContactField;
  contactFieldList: EmailPlatform.ContactField[];
  contactImport: EmailPlatform.ContactImport;
  contactList: EmailPlatform.ContactList;
  contactListList: EmailPlatform.ContactList[];
  contactUpdateResult: EmailPlatform.ContactUpdateResult;
  createdWebhook: EmailPlatform.CreatedWebhook;
  dateStatsList: EmailPlatform.DateStats[];
  domainStatsList: EmailPlatform.DomainStats[];
  emailLogEvent: EmailPlatform.EmailLogEvent;
  emailLogMessage: EmailPlatform.EmailLogMessage;
  emailLogMessageDetails: EmailPlatform.EmailLogMessageDetails;
  emailLogPage: Pick<EmailPlatform.EmailLogPage, 'messages' | 'total_count' | 'next_page_cursor'>;
  emailServiceProviderStatsList: EmailPlatform.EmailServiceProviderStats[];
  emailStats: EmailPlatform.EmailStats;
  newApiToken: EmailPlatform.NewApiToken;
  forwardRule: EmailPlatform.ForwardRule;
  forwardRulePage: Pick<EmailPlatform.ForwardRulePage, 'data'>;
  inboundEvent: InboundEvent;
  inboundFolder: EmailPlatform.InboundFolder;
  inboundFolderList: EmailPlatform.InboundFolder[];
  inboundInbox: EmailPlatform.InboundInbox;
  inboundInboxList: EmailPlatform.InboundInbox[];
  inboundMessage: EmailPlatform.InboundMessage;
  inboundMessageDetails: EmailPlatform.InboundMessageDetails;
  inboundMessagePage: Pick<EmailPlatform.InboundMessagePage, 'data' | 'total_count' | 'last_id'>;
  inboundSendResult: Pick<SendResult, 'message_ids'>;
  inboundThread: EmailPlatform.InboundThread;
  inboundThreadPage: Pick<EmailPlatform.InboundThreadPage, 'data' | 'total_count' | 'last_id'>;
  inboundThreadSummary: EmailPlatform.InboundThreadSummary;
  permissionResource: EmailPlatform.PermissionResource;
  permissionResourceList: EmailPlatform.PermissionResource[];
  permissionsUpdated: EmailPlatform.PermissionsUpdated;
  removedAccess: EmailPlatform.RemovedAccess;
  sandboxAttachment: EmailPlatform.SandboxAttachment;
  sandboxAttachmentList: EmailPlatform.SandboxAttachment[];
  sandboxForwardResult: EmailPlatform.SandboxForwardResult;
  sandboxHtmlAnalysis: EmailPlatform.SandboxHtmlAnalysis;
  sandboxInbox: EmailPlatform.SandboxInbox;
  sandboxInboxList: EmailPlatform.SandboxInbox[];
  sandboxMessage: EmailPlatform.SandboxMessage;
  sandboxMessageHeaders: EmailPlatform.SandboxMessageHeaders;
  sandboxMessageList: EmailPlatform.SandboxMessage[];
  sandboxProject: EmailPlatform.SandboxProject;
  sandboxProjectList: EmailPlatform.SandboxProject[];
  sandboxSpamReport: EmailPlatform.SandboxSpamReport;
  sendResult: Pick<SendResult, 'success' | 'message_ids'>;
  sendingEvent: SendingEvent;
  sendingDomain: EmailPlatform.SendingDomain;
  sendingDomainPage: Pick<EmailPlatform.SendingDomainPage, 'data'>;
  subAccount: EmailPlatform.SubAccount;
  subAccountList: EmailPlatform.SubAccount[];
  suppression: EmailPlatform.Suppression;
  suppressionList: EmailPlatform.Suppression[];
  template: EmailPlatform.Template;
  templateList: EmailPlatform.Template[];
  trackingOptOut: EmailPlatform.TrackingOptOut;
  trackingOptOutPage: Pick<EmailPlatform.TrackingOptOutPage, 'data' | 'last_id'>;
  webhook: EmailPlatform.Webhook;
  webhookEvent: WebhookEvent;
  webhookPage: Pick<EmailPlatform.WebhookPage, 'data'>;
}

type Schemas = typeof schemas;

/** A page that is not listed above is one of numbered pages: `thingPage`, of items like `thing`. */
type Numbered = {
  [Item in keyof Named as Exclude<`${Item}Page` & keyof Schemas, keyof Named>]: Pick<
    EmailPlatform.NumberedPage<Named[Item]>,
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

export function right(own: EmailPlatform.StandardSchema): unknown[] {
  const all: Required<EmailPlatform.ResponseSchemas> = schemas;
  const reviewed = schemas.template.extend({ reviewed_by: z.string() });
  const reviewer: string = ({} as z.infer<typeof reviewed>).reviewed_by;
  const template: EmailPlatform.Template = {} as z.infer<typeof reviewed>;
  const state: string = ({} as z.infer<typeof schemas.campaign>).current_state;
  return [
    new EmailPlatform({ schemas, hooks: { onMismatch: ({ issues }) => issues.length.toFixed() } }),
    new EmailPlatform({ schemas: { template: reviewed }, validateResponses: 'throw' }),
    new EmailPlatform({ schemas: { ...schemas, campaign: own }, validateResponses: 'report' }),
    new EmailPlatform({ schemas: { campaign: undefined }, validateResponses: undefined }),
    [all, reviewer, template, state],
  ];
}

export const wrong = (own: EmailPlatform.StandardSchema): unknown[] => [
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
