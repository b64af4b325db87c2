import type { EmulatorCors } from '../../common/cors.ts';
import type { EmulatorReportOptions } from '../../report/report-options.ts';
import type { EmulatorReport } from '../../report/summary.ts';
import type {
  EmulatorCampaignFields,
  EmulatorCampaigns,
} from '../../service/areas/campaigns/control-types.ts';
import type { EmulatorLogs } from '../../service/areas/email-logs/control-types.ts';
import type { EmulatorInbound, EmulatorInboundInbox } from '../../service/areas/inbound/control-types.ts';
import type {
  EmulatorInboundFields,
  EmulatorInboundFile,
  EmulatorReceived,
} from '../../service/areas/inbound/receive.ts';
import type { EmulatorSandbox } from '../../service/areas/sandbox/control-types.ts';
import type { EmulatorDomain, EmulatorDomains } from '../../service/areas/sending-domains/control-types.ts';
import type {
  EmulatorMessageFilter,
  EmulatorMessageWait,
} from '../../service/areas/sending/control-types.ts';
import type {
  EmulatorTemplate,
  EmulatorTemplateFields,
  EmulatorTemplates,
} from '../../service/areas/templates/area.ts';
import type { EmulatorWebhooks } from '../../service/areas/webhooks/control-types.ts';
import type { EmulatorOptions } from '../../service/emulator-options.ts';
import type {
  EmulatorEndpoint,
  EmulatorHandler,
  EmulatorHandlerRemoval,
  EmulatorHandlerRequest,
} from '../../service/engine/endpoint-handlers.ts';
import type {
  EmulatorFault,
  EmulatorFaultKind,
  EmulatorFaultMatch,
  EmulatorFaults,
  EmulatorPendingFault,
} from '../../service/engine/faults.ts';
import type { EmulatorRequest } from '../../service/engine/request-log.ts';
import type { EmulatorSeed } from '../../service/routing/area.ts';
import type { EmulatorAccountOptions } from '../../service/state/account/accounts.ts';
import type { EmulatorAnswers } from '../../service/state/account/answers.ts';
import type { EmulatorDomainTiming } from '../../service/state/account/domains.ts';
import type { EmulatorLimit, EmulatorLimits, EmulatorPool } from '../../service/state/account/limiter.ts';
import type {
  EmulatorAccess,
  EmulatorArea,
  EmulatorTokenOptions,
} from '../../service/state/account/tokens.ts';
import type { EmulatorWindowKind } from '../../service/state/account/windows.ts';
import type { EmulatorContactOptions } from '../../service/state/audience/contacts.ts';
import type { EmulatorSuppressionOptions } from '../../service/state/audience/suppressions.ts';
import type { EmulatorClock } from '../../service/state/base/clock.ts';
import type {
  EmulatorCampaignState,
  EmulatorCampaignTiming,
} from '../../service/state/delivery/campaigns.ts';
import type {
  EmulatorDeliveryTiming,
  EmulatorEventType,
  EmulatorLogStatus,
} from '../../service/state/emails/course.ts';
import type {
  EmulatorLogEvent,
  EmulatorLogFields,
  EmulatorLogOptions,
  EmulatorStream,
} from '../../service/state/emails/email-log.ts';
import type { EmulatorAttachment, EmulatorMessageTemplate } from '../../service/state/emails/mail.ts';
import type { EmulatorMessage, EmulatorSendingOptions } from '../../service/state/emails/outbox.ts';
import type { EmulatorInboundOptions } from '../../service/state/inboxes/inbound.ts';
import type { EmulatorSandboxOptions } from '../../service/state/inboxes/sandbox.ts';
import type { EmulatorWebhookPost } from '../../service/state/posts/posts.ts';
import type {
  EmulatorForwarding,
  EmulatorWebhookOptions,
  EmulatorWebhookType,
} from '../../service/state/posts/webhooks.ts';
import type { EmulatorSnapshot } from '../../service/state/snapshot.ts';
import type { EmulatorHost, EmulatorHosts } from '../../service/wire/hosts.ts';
import type {
  EmulatorClientOptions,
  EmulatorConnectOptions,
  EmulatorConnection,
  EmulatorControlDoor,
  EmulatorServer,
} from './connection-types.ts';
import type { EmulatorControlOptions, EmulatorListenOptions } from './listen-types.ts';

/** The filter and the waiting time of {@link Emulator.waitForRequests}. A field that is left out matches every request. */
export interface EmulatorRequestFilter {
  /** The HTTP method, in upper or lower case. */
  method?: string;
  /** The path as the service publishes it, or a path in which `*` stands for any characters. */
  path?: string;
  /** The earliest time of arrival, in milliseconds on the emulator's clock. */
  since?: number;
  /**
   * How long to wait, in milliseconds of real time: from 0, which does not wait, to 60,000.
   * @defaultValue 4_000
   */
  waitMs?: number;
}

/** The controls of an emulator: a test reads and changes its state without a request. */
export interface EmulatorControls {
  /**
   * Creates another API token: with less access (`'none'`, `'viewer'` or `'admin'` for each area), for some domains only,
   * or for another account. It is valid until the next reset. An account that has no sending domains yet gets a verified
   * one and an unverified one.
   *
   * @throws `TypeError` for an unknown permission, `RangeError` for an unknown access level or domain.
   */
  createToken(options?: EmulatorTokenOptions): string;
  /**
   * Sets whether the account's billing allows campaigns to be sent: `'exceeded'` prevents it.
   *
   * @throws `RangeError` for any other state.
   */
  setBilling(state: 'within-limits' | 'exceeded'): void;
  /** The id of the organization that the account of {@link Emulator.clientOptions} belongs to. */
  readonly organizationId: number;
  /** Campaigns. */
  readonly campaigns: EmulatorCampaigns;
  /** Sending domains. */
  readonly domains: EmulatorDomains;
  /** Email templates. */
  readonly templates: EmulatorTemplates;
  /** Email logs. */
  readonly logs: EmulatorLogs;
  /** Test inboxes. */
  readonly sandbox: EmulatorSandbox;
  /** Webhooks. */
  readonly webhooks: EmulatorWebhooks;
  /** Inbound mail. */
  readonly inbound: EmulatorInbound;
  /**
   * Returns the accepted emails that fit, sent or captured: one message for each recipient, oldest first.
   *
   * @throws `TypeError` for an unknown field or a wrong type, `RangeError` for a wrong value.
   */
  messages(filter?: EmulatorMessageFilter): EmulatorMessage[];
  /**
   * Unsubscribes the recipient of an email. An email with its own address for one-click unsubscription
   * (`oneClickUnsubscribe` of `email-platform`) gets the POST of a provider, delivered as posts of webhooks are. For any other
   * email, the service does as its own link does: the domain of the email sends the address no more email on the stream, the
   * contact with the address is unsubscribed, and the log and the webhooks get the event. A repetition changes nothing.
   *
   * @param message - An email of {@link Emulator.Controls.messages}, or its id.
   * @throws `TypeError` if it is not an email or an id, `RangeError` if no such email was sent, `Error` if its address
   * refuses the POST. The promise rejects with it.
   */
  unsubscribe(message: Pick<EmulatorMessage, 'id'> | string): Promise<void>;
  /**
   * Returns the accepted emails that fit, oldest first, as soon as there is one. Rejects if none comes in 4 seconds, or in
   * `waitMs`. A reset does not end the wait. With `waitMs: 0`, returns the emails of this moment, or an empty array.
   *
   * @throws `Error` if none comes in time; its message lists the emails that came instead. `TypeError` for an unknown field
   * or a wrong type, `RangeError` for a wrong value. The promise rejects with it.
   */
  waitForMessages(filter?: EmulatorMessageWait): Promise<EmulatorMessage[]>;
}

/** An emulator of the service, created by {@link createEmulator}. */
export interface Emulator extends EmulatorControls {
  /** A `fetch` that calls the emulator in memory, and has no network access. It needs no `this`. */
  readonly fetch: typeof fetch;
  /**
   * Handles one request and returns the response. The origin of the URL does not matter; its path must start with one of
   * the four prefixes of {@link Emulator.Hosts} or be the path of a signed link. If a fault breaks the connection, the
   * promise rejects with the error of `fetch`.
   */
  readonly handle: (request: Request) => Promise<Response>;
  /** Returns the options for a client in the same process. */
  clientOptions(): EmulatorClientOptions;
  /**
   * Serves the emulator over HTTP on 127.0.0.1. Requires Node.js, or another runtime with `node:http`.
   *
   * The server refuses requests for any other host with 403, and requests that are not valid HTTP with 400.
   * {@link Emulator.requests} does not contain these requests.
   *
   * @throws `TypeError` for an unknown option or a wrong type, `RangeError` for a wrong value, or the system's error if
   * the port is not available. The promise rejects with it.
   */
  listen(options?: EmulatorListenOptions): Promise<EmulatorServer>;
  /** The clock of the emulator. */
  readonly clock: EmulatorClock;
  /** The most recent requests (at most 10,000), oldest first. */
  readonly requests: readonly EmulatorRequest[];
  /**
   * Returns the requests that fit and have their responses, oldest first. If there are none, waits for the first one; if
   * none comes in time, returns an empty array. A reset does not end the wait.
   *
   * @throws `TypeError` for an unknown field or a wrong type, `RangeError` for a wrong value.
   */
  waitForRequests(filter: EmulatorRequestFilter): Promise<EmulatorRequest[]>;
  /** The failures of the next requests. */
  readonly faults: EmulatorFaults;
  /**
   * Replaces the responses of one endpoint, in both forms of its path. A handler of a PATCH also gets the equivalent PUT,
   * and a handler of a GET also gets the HEAD. The emulator checks the limits, the token and its permissions before the
   * handler runs, and applies the faults after it. The newest handler responds; its `next()` returns the response that it
   * replaces. The returned function, the end of a block with `using`, and {@link Emulator.reset} remove the handler.
   *
   * In another process, use a fault of the kind `status` with a body instead.
   *
   * @param endpoint - The method, and the path as the service publishes it. Its arguments in braces may have any names.
   *
   * @example
   * ```ts
   * using _ = emulator.on('GET /api/templates/{id}', ({ params }) =>
   *   Response.json({ data: { id: Number(params.id), name: 'Welcome' } }),
   * );
   * ```
   *
   * @throws `TypeError` for a wrong type, `RangeError` for an endpoint that the emulator does not have.
   */
  on<const Endpoint extends EmulatorEndpoint>(
    endpoint: Endpoint,
    handler: EmulatorHandler<Endpoint>,
  ): EmulatorHandlerRemoval;
  /**
   * Writes all emails and requests since the emulator was made into one HTML file, which needs no server and no network.
   * {@link Emulator.reset} does not empty it: it has the newest 5,000 mails, 20,000 requests and 64 MB, and
   * states how many were left out. Requires Node.js, or another runtime with `node:fs`.
   *
   * @param file - The name of the file. An earlier file is replaced; the folder is created if necessary.
   * @throws {@link ReportError} with `failOn` and findings of that level, after the file was written; `Error` if it cannot
   * be written; `TypeError` for an unknown option or a wrong type, `RangeError` for a wrong value. The promise rejects with
   * it.
   *
   * @example
   * ```ts
   * afterAll(() => emulator.report('mails.html', { failOn: 'error', site: 'http://localhost:3000' }));
   * ```
   */
  report(file: string, options?: EmulatorReportOptions): Promise<EmulatorReport>;
  /**
   * Names the test that runs now: reports and the page show the name beside what follows. `null` ends it; a reset does not.
   * For tests that run at the same time, use the option `mark` of {@link connectEmulator}.
   *
   * @example
   * ```ts
   * beforeEach(({ task }) => emulator.mark(task.name));
   * ```
   *
   * @throws `RangeError` for a blank name.
   */
  mark(name: string | null): void;
  /**
   * Restores the initial state: the seed and the clock, with no faults, no requests and unused limits. Removes the handlers
   * of {@link Emulator.on}. The token of {@link Emulator.clientOptions} stays the same, and servers keep listening.
   */
  reset(): void;
  /**
   * Returns the state of the emulator, with its tokens and all emails: every area, the clock, the random streams, and the
   * counts of the rate-limit windows. It does not contain the faults, the list of requests, and posts of webhooks that are
   * under way.
   */
  snapshot(): EmulatorSnapshot;
  /**
   * Gives the emulator the state of a snapshot, its own or another emulator's. From then on, it gives the same responses to
   * the same requests, byte for byte, if both emulators have the same options. The clock goes on from the time of the
   * snapshot.
   *
   * @throws `TypeError` or `RangeError` if the argument is not a snapshot, has another version or was changed. The state
   * then stays as it was.
   */
  restore(snapshot: EmulatorSnapshot): void;
}

/** The types of an emulator's options, controls and records, such as `Emulator.Message`. */
export declare namespace Emulator {
  // oxfmt-ignore
  export type {
    EmulatorAccess as Access, EmulatorAccountOptions as AccountOptions, EmulatorAnswers as Answers, EmulatorArea as Area,
    EmulatorAttachment as Attachment, EmulatorCampaignFields as CampaignFields, EmulatorCampaignState as CampaignState,
    EmulatorCampaignTiming as CampaignTiming, EmulatorCampaigns as Campaigns, EmulatorClientOptions as ClientOptions,
    EmulatorClock as Clock, EmulatorConnectOptions as ConnectOptions, EmulatorConnection as Connection,
    EmulatorContactOptions as ContactOptions, EmulatorControlDoor as ControlDoor,
    EmulatorControlOptions as ControlOptions, EmulatorControls as Controls, EmulatorCors as Cors,
    EmulatorDeliveryTiming as DeliveryTiming, EmulatorDomain as Domain, EmulatorDomainTiming as DomainTiming,
    EmulatorDomains as Domains, EmulatorEndpoint as Endpoint, EmulatorEventType as EventType, EmulatorFault as Fault,
    EmulatorFaultKind as FaultKind, EmulatorFaultMatch as FaultMatch, EmulatorFaults as Faults,
    EmulatorForwarding as Forwarding, EmulatorHandler as Handler, EmulatorHandlerRemoval as HandlerRemoval,
    EmulatorHandlerRequest as HandlerRequest, EmulatorHost as Host, EmulatorHosts as Hosts, EmulatorInbound as Inbound,
    EmulatorInboundFields as InboundFields, EmulatorInboundFile as InboundFile, EmulatorInboundInbox as InboundInbox,
    EmulatorInboundOptions as InboundOptions, EmulatorLimit as Limit, EmulatorLimits as Limits,
    EmulatorListenOptions as ListenOptions, EmulatorLogEvent as LogEvent, EmulatorLogFields as LogFields,
    EmulatorLogOptions as LogOptions, EmulatorLogStatus as LogStatus, EmulatorLogs as Logs, EmulatorMessage as Message,
    EmulatorMessageFilter as MessageFilter, EmulatorMessageTemplate as MessageTemplate,
    EmulatorMessageWait as MessageWait, EmulatorOptions as Options, EmulatorPendingFault as PendingFault,
    EmulatorPool as Pool, EmulatorReceived as Received, EmulatorReport as Report, EmulatorReportOptions as ReportOptions,
    EmulatorRequest as Request, EmulatorRequestFilter as RequestFilter, EmulatorSandbox as Sandbox,
    EmulatorSandboxOptions as SandboxOptions, EmulatorSeed as Seed, EmulatorSendingOptions as SendingOptions,
    EmulatorServer as Server, EmulatorSnapshot as Snapshot, EmulatorStream as Stream,
    EmulatorSuppressionOptions as SuppressionOptions, EmulatorTemplate as Template,
    EmulatorTemplateFields as TemplateFields, EmulatorTemplates as Templates, EmulatorTokenOptions as TokenOptions,
    EmulatorWebhookOptions as WebhookOptions, EmulatorWebhookPost as WebhookPost, EmulatorWebhookType as WebhookType,
    EmulatorWebhooks as Webhooks, EmulatorWindowKind as WindowKind,
  };
}
