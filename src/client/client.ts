import type { ApiPromise } from '../core/api-promise.ts';
import type { Execute, RequestOptions } from '../core/request.ts';
import { invalid } from '../core/rules.ts';
import type { Runtime } from '../core/runtime.ts';
import type { StandardSchema } from '../core/standard-schema.ts';
import { isEmulatorToken } from '../core/emulator-token.ts';
import { tokenAdvice } from '../core/error-text.ts';
import { Accounts } from '../resources/accounts/accounts.ts';
import { anyEndpoint, type AnyRequest } from '../resources/any-endpoint.ts';
import { ApiTokens } from '../resources/api-tokens/api-tokens.ts';
import { Billing } from '../resources/billing/billing.ts';
import { Campaigns } from '../resources/campaigns/campaigns.ts';
import { Contacts } from '../resources/contacts/contacts.ts';
import { EmailLogs } from '../resources/email-logs/email-logs.ts';
import { Inbound } from '../resources/inbound/inbound.ts';
import { Organizations } from '../resources/organizations/organizations.ts';
import { Sandbox } from '../resources/sandbox/sandbox.ts';
import { SendingDomains } from '../resources/sending-domains/sending-domains.ts';
import { Sending } from '../resources/sending/sending.ts';
import { Stats } from '../resources/stats/stats.ts';
import { Suppressions } from '../resources/suppressions/suppressions.ts';
import { Templates } from '../resources/templates/templates.ts';
import { TrackingOptOuts } from '../resources/tracking-opt-outs/tracking-opt-outs.ts';
import { Webhooks } from '../resources/webhooks/webhooks.ts';
import { createExecute } from '../transport/execute.ts';
import { AN_OBJECT } from './option-rules.ts';
import { limitsOf, type ClientLimits } from './limits.ts';
import type { EmailPlatformOptions } from './options.ts';
import { PORT, PORT_VERSION, type ClientPort } from './port.ts';
import { resolveOptions, type ClientConfig, type ResolvedOptions } from './resolve-options.ts';

/**
 * A client of the email platform's API. Create one and share it: it keeps all its calls within the service's rate
 * limits.
 *
 * Besides the errors in its own description, every method may throw {@link InvalidRequestError}, {@link
 * ConfigurationError}, {@link ConnectionError}, {@link TimeoutError}, {@link AbortedError}, {@link ServerError} or
 * {@link ResponseFormatError}. With the option `recipients`, a method that reaches people may throw {@link
 * RecipientRefusedError}.
 *
 * @example
 * ```ts
 * const client = new EmailPlatform({ token: process.env.TOKEN, hosts: { api: 'https://api.example.com' } });
 * for await (const campaign of client.campaigns.list({ search: 'spring' })) console.log(campaign.name);
 * ```
 */
export class EmailPlatform {
  /** Email campaigns: creating, editing, scheduling and sending them, and their statistics. */
  readonly campaigns: Campaigns;
  /** The log of sent emails and their events. */
  readonly emailLogs: EmailLogs;
  /** Sending emails: one, a batch, or any number of them. */
  readonly sending: Sending;
  /** Email templates. */
  readonly templates: Templates;
  /** Domains of senders, and their verification. */
  readonly sendingDomains: SendingDomains;
  /** Contacts, the recipients of campaigns: their lists and fields, imports and exports. */
  readonly contacts: Contacts;
  /** Addresses to which the service sends no email. */
  readonly suppressions: Suppressions;
  /** Addresses whose opens and clicks the service does not track. */
  readonly trackingOptOuts: TrackingOptOuts;
  /** Statistics of all emails, as a whole or in groups. */
  readonly stats: Stats;
  /** The sandbox: test inboxes, and the messages in them. */
  readonly sandbox: Sandbox;
  /** Your addresses to which the service posts events. */
  readonly webhooks: Webhooks;
  /** Email that you receive: inboxes, messages, threads, and rules that forward messages. */
  readonly inbound: Inbound;
  /** Accounts the token can see, their users, and the resources for which permissions can be granted. */
  readonly accounts: Accounts;
  /** API tokens of the account. */
  readonly apiTokens: ApiTokens;
  /** The account's usage of its plan. */
  readonly billing: Billing;
  /** Organizations, and their accounts. */
  readonly organizations: Organizations;
  /** The id of the account for calls that need one; undefined if it is not set. */
  readonly accountId: number | undefined;
  /** The id of the sandbox inbox that captures its emails on the stream `sandbox`; undefined if it is not set. */
  readonly sandboxInboxId: number | undefined;
  /** This client's rate limits and their current use. */
  readonly limits: ClientLimits;

  readonly #execute: Execute;
  readonly #config: ClientConfig;

  /**
   * @param options - The client's options. Options the environment supplies may be omitted.
   * @throws {@link ConfigurationError} naming the option that is missing, wrong or unknown
   */
  constructor(options?: EmailPlatformOptions);
  /** @internal Tests pass their own clock and random numbers. */
  constructor(
    options: EmailPlatformOptions | undefined,
    runtime: Runtime | undefined,
    base?: ResolvedOptions,
  );
  constructor(options: EmailPlatformOptions = {}, givenRuntime?: Runtime, base?: ResolvedOptions) {
    const config = resolveOptions(options, givenRuntime, base);
    this.#config = config;
    const execute = createExecute(config);
    this.#execute = execute;
    const { guard, context, runtime, journal } = config;
    this.campaigns = new Campaigns(execute, runtime);
    this.emailLogs = new EmailLogs(execute, runtime);
    const { defaults } = config.options;
    const { stream, accountId, sandboxInboxId } = context;
    this.accountId = accountId;
    this.sandboxInboxId = sandboxInboxId;
    this.sending = new Sending(execute, runtime, { defaults, guard, stream, sandboxInboxId }, journal);
    this.templates = new Templates(execute, runtime);
    this.sendingDomains = new SendingDomains(execute, runtime);
    this.contacts = new Contacts(execute, runtime);
    this.suppressions = new Suppressions(execute, runtime);
    this.trackingOptOuts = new TrackingOptOuts(execute, runtime);
    this.stats = new Stats(execute, runtime);
    this.sandbox = new Sandbox(execute, runtime);
    this.webhooks = new Webhooks(execute, runtime);
    this.inbound = new Inbound(execute, runtime);
    this.accounts = new Accounts(execute, runtime);
    this.apiTokens = new ApiTokens(execute, runtime);
    this.billing = new Billing(execute, runtime);
    this.organizations = new Organizations(execute, runtime);
    this.limits = limitsOf(config);
  }

  /** @internal */
  get [PORT](): ClientPort {
    const { context, runtime, token, hosts, timeoutMs, deadlineMs, guard, options } = this.#config;
    const { from } = options.defaults ?? {};
    return {
      version: PORT_VERSION,
      execute: this.#execute,
      send: (params, sendOptions, sentWhile) => this.sending.send(params, sendOptions, sentWhile),
      accountId: context.accountId,
      runtime,
      sender: typeof from === 'object' ? from.email : from,
      stream: context.stream,
      sandboxInboxId: context.sandboxInboxId,
      tokenAdvice: typeof token === 'string' ? tokenAdvice(token) : undefined,
      hasEmulatorToken: isEmulatorToken(token),
      hosts,
      timeoutMs,
      deadlineMs,
      // An email in a sandbox reaches no person, so no guard decides about it.
      recipientsSent: (fields, stream = context.stream) =>
        guard && stream !== 'sandbox' ? guard.passMail('sending.send', fields, '', undefined) : fields,
    };
  }

  /**
   * Sends a request to any endpoint, with the same rate limits, retries and errors as every method. Host and path
   * determine the rate limit pool. With the option `recipients`, it sends only a GET, or a request that is declared to
   * reach no person.
   *
   * @example
   * ```ts
   * const usage = await client.request<{ billing: unknown }>({ method: 'GET', path: '/api/billing/usage' });
   * ```
   * @throws {@link InvalidRequestError} for an invalid path or method, {@link RecipientRefusedError},
   * {@link ResponseFormatError} when the response does not match the schema, and any {@link ApiError}
   */
  request<Output>(
    request: AnyRequest & { readonly schema: StandardSchema<Output> },
    options?: RequestOptions,
  ): ApiPromise<Output>;
  request<T = unknown>(
    request: AnyRequest & { readonly schema?: undefined },
    options?: RequestOptions,
  ): ApiPromise<T>;
  request(request: AnyRequest, options?: RequestOptions): ApiPromise<unknown>;
  request<T>(request: AnyRequest, options?: RequestOptions): ApiPromise<T> {
    return this.#execute(anyEndpoint<T>(request), options);
  }

  /**
   * Creates a client with some options changed; an undefined option keeps its value, but an undefined `token` is refused:
   * a tenant without one would send as this client. The new client shares this one's throttle, unless the options contain
   * another.
   *
   * @throws {@link ConfigurationError} naming the option that is wrong or unknown
   * @example
   * ```ts
   * const tenant = client.withOptions({ token: tenantToken, accountId: tenantAccountId });
   * ```
   */
  withOptions(options: EmailPlatformOptions): EmailPlatform {
    const { runtime, options: base } = this.#config;
    // The constructor would accept undefined as a client without options.
    if ((options as unknown) === undefined) throw invalid('options', `must be ${AN_OBJECT}`);
    return make(options, runtime, base);
  }
}

/** Outside the class, because the compiler renames a class that refers to itself, and users would see the new name. */
const make = (...args: [EmailPlatformOptions, Runtime, ResolvedOptions]) => new EmailPlatform(...args);

// oxfmt-ignore
import type {
  AcceptedOutcome, AccessResourceType, Account, AccountAccess, AccountAccessListParams, AccountAccesses,
  AccountPoolName, AddressFilter, ApiToken, ApiTokenCreateParams, ApiTokenResetParams, AppInfo, Attachment,
  AttachmentContent, AttemptTrace, AuthScheme, BadRequestReason, BatchCounts, BatchInput, BatchOwnBase,
  BatchOwnEmail, BatchProgress, BatchResponse, BatchTemplateBase, BatchTemplateEmail, BillingCount,
  BillingProduct, BillingUsage, BodyForm, BodyOptions, BodyTypes, BounceDetails, ByteStream, CallEvent,
  CallTrace, Campaign, CampaignCreateParams, CampaignListParams, CampaignPage, CampaignScheduleParams,
  CampaignState, CampaignStateMetadata, CampaignStats, CampaignStatsParams, CampaignSummary, CampaignTemplate,
  CampaignTemplateParams, CampaignTemplateSummary, CampaignUpdateParams, CategoryStats, ClickDetails,
  CompanyInfo, CompanyInfoCreateParams, CompanyInfoUpdateParams, CompanyInfos, ComplianceStatus,
  ConnectionPhase, Contact, ContactCreateParams, ContactEvent, ContactEventCreateParams, ContactExport,
  ContactExportCreateParams, ContactExportFilter, ContactExportStatus, ContactExports, ContactField,
  ContactFieldCreateParams, ContactFieldType, ContactFieldUpdateParams, ContactFields, ContactImport,
  ContactImportCreateParams, ContactImportItem, ContactImportStatus, ContactImports, ContactList,
  ContactListListParams, ContactListParams, ContactLists, ContactStatus, ContactUpdateParams,
  ContactUpdateResult, ContactValue, ContactValues, CountFilter, CreatedWebhook, DateStats, DeliveryDetails,
  DeliveryMode, DeliveryOptions, DnsRecord, DnsRecordStatus, DomainStats, DownloadOptions, Effect,
  EmailAddress, EmailAddressInput, EmailAddressList, EmailLogEvent, EmailLogEventType, EmailLogFilters,
  EmailLogListParams, EmailLogMessage, EmailLogMessageDetails, EmailLogPage, EmailLogStatus,
  EmailServiceProviderStats, EmailStats, EndEvent, ErrorCode, ErrorSummary, EventFilter, FailedImportOutcome,
  FailedOutcome, Fetch, FinishedImportOutcome, ForwardRule, ForwardRuleCondition, ForwardRuleCreateParams,
  ForwardRuleDestination, ForwardRuleMatchType, ForwardRuleOperator, ForwardRulePage, ForwardRuleUpdateParams,
  ForwardRules, GrantedPermission, Hooks, HostName, Hosts, HttpMethod, ImportOutcome, ImportProgress,
  ImportRunOptions, ImportedPart, InboundAttachment, InboundDelivery, InboundFolder, InboundFolderParams,
  InboundFolders, InboundForward, InboundForwardParams, InboundInbox, InboundInboxCreateParams,
  InboundInboxUpdateParams, InboundInboxes, InboundListParams, InboundMessage, InboundMessageDetails,
  InboundMessagePage, InboundMessages, InboundReplyParams, InboundThread, InboundThreadListParams,
  InboundThreadMessage, InboundThreadPage, InboundThreadSummary, InboundThreads, Issue, KeyReusedOutcome,
  KnownCampaignState, KnownDeliveryMode, KnownEmailLogEvent, LogFields, LogLevel, Logger, MailDefaults,
  MailFields, MismatchAction, MismatchEvent, NewApiToken, NotSentImportOutcome, NotSentOutcome,
  NotTogetherWith, NumberedPage, NumberedPageParams, OwnContent, Pace, Page, PaginatedTemplates,
  PermissionChange, PermissionResource, Permissions, PermissionsUpdated, PoolName, PoolSnapshot, PreviousSend,
  Priority, QueryValue, RateLimit, RateLimitInfo, RateLimitWindows, RecipientFields, RecipientOptions,
  Recipients, RejectDetails, RejectedContact, RejectedImportOutcome, RejectedOutcome, RemovedAccess,
  RemovedPermission, ReplyTo, RequestEvent, RequestSummary, ResourceAccess, ResponseEvent, ResponseInfo,
  ResponseSchemaName, ResponseSchemas, RetryEvent, RetryOptions, RetryReason, SandboxAttachment,
  SandboxAttachmentListParams, SandboxAttachments, SandboxBlacklist, SandboxBlacklistReport,
  SandboxEmailClients, SandboxForwardParams, SandboxForwardResult, SandboxHtmlAnalysis, SandboxHtmlIssue,
  SandboxInbox, SandboxInboxCreateParams, SandboxInboxUpdateParams, SandboxInboxes, SandboxMarkReadParams,
  SandboxMessage, SandboxMessageFilter, SandboxMessageHeaders, SandboxMessageListParams, SandboxMessages,
  SandboxPermissions, SandboxProject, SandboxProjectParams, SandboxProjects, SandboxShareLinks,
  SandboxSmtpData, SandboxSmtpInformation, SandboxSpamReport, SandboxSpamRule, SendingDomain,
  SendingDomainCreateParams, SendingDomainPage, SendingDomainUpdateParams, SendingStream, SettleOptions,
  SettleProgress, SettleResult, SettledKey, SkippedContact, SpamDetails, SpecifierType, StatsParams,
  StoredAttachment, StoredOwnEmail, StoredTemplateEmail, Stream, SubAccount, SubAccountCreateParams,
  SubAccounts, SubjectFilter, Suppression, SuppressionCreateParams, SuppressionListParams, SuppressionType,
  Template, TemplateContent, TemplateCreateParams, TemplateUpdateParams, TemplateUuidOptions, TextFilter,
  ThrottleEvent, ThrottleLimits, ThrottleSnapshot, ThrottleWait, TokenPagination, TokenSource, Traced,
  TracedServer, TrackingOptOut, TrackingOptOutCreateParams, TrackingOptOutPage, UnknownEmailLogEvent,
  UnknownImportOutcome, UnknownOutcome, ValueFilter, WaitOptions, WaitUntilVerifiedOptions, WebDetails,
  Webhook, WebhookCreateParams, WebhookEventType, WebhookPage, WebhookPayloadFormat, WebhookType,
  WebhookUpdateParams, WithResponse,
} from './types.ts';

/** The types of the client's arguments and results, such as `EmailPlatform.Contact`. */
export declare namespace EmailPlatform {
  // oxfmt-ignore
  export type {
    AcceptedOutcome, AccessResourceType, Account, AccountAccess, AccountAccessListParams, AccountAccesses,
    AccountPoolName, Accounts, AddressFilter, AnyRequest, ApiToken, ApiTokenCreateParams, ApiTokenResetParams,
    ApiTokens, AppInfo, Attachment, AttachmentContent, AttemptTrace, AuthScheme, BadRequestReason,
    BatchCounts, BatchInput, BatchOwnBase, BatchOwnEmail, BatchProgress, BatchResponse, BatchTemplateBase,
    BatchTemplateEmail, Billing, BillingCount, BillingProduct, BillingUsage, BodyForm, BodyOptions, BodyTypes,
    BounceDetails, ByteStream, CallEvent, CallTrace, Campaign, CampaignCreateParams, CampaignListParams,
    CampaignPage, CampaignScheduleParams, CampaignState, CampaignStateMetadata, CampaignStats,
    CampaignStatsParams, CampaignSummary, CampaignTemplate, CampaignTemplateParams, CampaignTemplateSummary,
    CampaignUpdateParams, Campaigns, CategoryStats, ClickDetails, ClientLimits, CompanyInfo,
    CompanyInfoCreateParams, CompanyInfoUpdateParams, CompanyInfos, ComplianceStatus, ConnectionPhase,
    Contact, ContactCreateParams, ContactEvent, ContactEventCreateParams, ContactExport,
    ContactExportCreateParams, ContactExportFilter, ContactExportStatus, ContactExports, ContactField,
    ContactFieldCreateParams, ContactFieldType, ContactFieldUpdateParams, ContactFields, ContactImport,
    ContactImportCreateParams, ContactImportItem, ContactImportStatus, ContactImports, ContactList,
    ContactListListParams, ContactListParams, ContactLists, ContactStatus, ContactUpdateParams,
    ContactUpdateResult, ContactValue, ContactValues, Contacts, CountFilter, CreatedWebhook, DateStats,
    DeliveryDetails, DeliveryMode, DeliveryOptions, DnsRecord, DnsRecordStatus, DomainStats, DownloadOptions,
    Effect, EmailAddress, EmailAddressInput, EmailAddressList, EmailLogEvent, EmailLogEventType,
    EmailLogFilters, EmailLogListParams, EmailLogMessage, EmailLogMessageDetails, EmailLogPage,
    EmailLogStatus, EmailLogs, EmailServiceProviderStats, EmailStats, EndEvent, ErrorCode, ErrorSummary,
    EventFilter, FailedImportOutcome, FailedOutcome, Fetch, FinishedImportOutcome, ForwardRule,
    ForwardRuleCondition, ForwardRuleCreateParams, ForwardRuleDestination, ForwardRuleMatchType,
    ForwardRuleOperator, ForwardRulePage, ForwardRuleUpdateParams, ForwardRules, GrantedPermission, Hooks,
    HostName, Hosts, HttpMethod, ImportOutcome, ImportProgress, ImportRunOptions, ImportedPart, Inbound,
    InboundAttachment, InboundDelivery, InboundFolder, InboundFolderParams, InboundFolders, InboundForward,
    InboundForwardParams, InboundInbox, InboundInboxCreateParams, InboundInboxUpdateParams, InboundInboxes,
    InboundListParams, InboundMessage, InboundMessageDetails, InboundMessagePage, InboundMessages,
    InboundReplyParams, InboundThread, InboundThreadListParams, InboundThreadMessage, InboundThreadPage,
    InboundThreadSummary, InboundThreads, Issue, KeyReusedOutcome, KnownCampaignState, KnownDeliveryMode,
    KnownEmailLogEvent, LogFields, LogLevel, Logger, MailDefaults, MailFields, MismatchAction, MismatchEvent,
    NewApiToken, NotSentImportOutcome, NotSentOutcome, NotTogetherWith, NumberedPage, NumberedPageParams,
    Organizations, OwnContent, Pace, Page, PaginatedTemplates, PermissionChange, PermissionResource,
    Permissions, PermissionsUpdated, PoolName, PoolSnapshot, PreviousSend, Priority, QueryValue, RateLimit,
    RateLimitInfo, RateLimitWindows, RecipientFields, RecipientOptions, Recipients, RejectDetails,
    RejectedContact, RejectedImportOutcome, RejectedOutcome, RemovedAccess, RemovedPermission, ReplyTo,
    RequestEvent, RequestSummary, ResourceAccess, ResponseEvent, ResponseInfo, ResponseSchemaName,
    ResponseSchemas, RetryEvent, RetryOptions, RetryReason, Sandbox, SandboxAttachment,
    SandboxAttachmentListParams, SandboxAttachments, SandboxBlacklist, SandboxBlacklistReport,
    SandboxEmailClients, SandboxForwardParams, SandboxForwardResult, SandboxHtmlAnalysis, SandboxHtmlIssue,
    SandboxInbox, SandboxInboxCreateParams, SandboxInboxUpdateParams, SandboxInboxes, SandboxMarkReadParams,
    SandboxMessage, SandboxMessageFilter, SandboxMessageHeaders, SandboxMessageListParams, SandboxMessages,
    SandboxPermissions, SandboxProject, SandboxProjectParams, SandboxProjects, SandboxShareLinks,
    SandboxSmtpData, SandboxSmtpInformation, SandboxSpamReport, SandboxSpamRule, Sending, SendingDomain,
    SendingDomainCreateParams, SendingDomainPage, SendingDomainUpdateParams, SendingDomains, SendingStream,
    SettleOptions, SettleProgress, SettleResult, SettledKey, SkippedContact, SpamDetails, SpecifierType,
    StandardSchema, Stats, StatsParams, StoredAttachment, StoredOwnEmail, StoredTemplateEmail, Stream,
    SubAccount, SubAccountCreateParams, SubAccounts, SubjectFilter, Suppression, SuppressionCreateParams,
    SuppressionListParams, SuppressionType, Suppressions, Template, TemplateContent, TemplateCreateParams,
    TemplateUpdateParams, TemplateUuidOptions, Templates, TextFilter, ThrottleEvent, ThrottleLimits,
    ThrottleSnapshot, ThrottleWait, TokenPagination, TokenSource, Traced, TracedServer, TrackingOptOut,
    TrackingOptOutCreateParams, TrackingOptOutPage, TrackingOptOuts, UnknownEmailLogEvent,
    UnknownImportOutcome, UnknownOutcome, ValueFilter, WaitOptions, WaitUntilVerifiedOptions, WebDetails,
    Webhook, WebhookCreateParams, WebhookEventType, WebhookPage, WebhookPayloadFormat, WebhookType,
    WebhookUpdateParams, Webhooks, WithResponse,
  };
}
