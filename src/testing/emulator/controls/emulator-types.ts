import type { EmulatorCampaignState } from '../../service/state/delivery/campaigns.ts';
import type { EmulatorLogFields } from '../../service/state/emails/email-log.ts';
import type { EmulatorInboundFields, EmulatorReceived } from '../../service/areas/inbound/receive.ts';
import type { EmulatorMessage } from '../../service/state/emails/outbox.ts';
import type { EmulatorTemplates } from '../../service/areas/templates/area.ts';
import type { EmulatorWebhookPost } from '../../service/state/posts/posts.ts';
import type { EmulatorWebhookType } from '../../service/state/posts/webhooks.ts';
import type { EmulatorClock } from '../../service/state/base/clock.ts';
import type {
  EmulatorEndpoint,
  EmulatorHandler,
  EmulatorHandlerRemoval,
} from '../../service/engine/endpoint-handlers.ts';
import type { EmulatorFaults } from '../../service/engine/faults.ts';
import type { EmulatorHosts } from '../../service/wire/hosts.ts';
import type { EmulatorListenOptions } from './listen-types.ts';
import type { EmulatorReportOptions } from '../../report/report-options.ts';
import type { EmulatorReport } from '../../report/summary.ts';
import type { EmulatorRequest } from '../../service/engine/request-log.ts';
import type { EmulatorSnapshot } from '../../service/state/snapshot.ts';
import type { EmulatorTokenOptions } from '../../service/state/account/tokens.ts';

/** The options of a client that calls an emulator over the network. */
export interface EmulatorConnection {
  /** An API token with full access. */
  token: string;
  /** The account that the token belongs to. */
  accountId: number;
  /** The test inbox that captures sandbox emails. */
  sandboxInboxId: number;
  /** The four base addresses. */
  hosts: EmulatorHosts;
  /** Present if the emulator has no limits (`limits: false`), so that the client does not throttle either. */
  throttle?: false;
}

/** The options of a client that calls an emulator in the same process. */
export interface EmulatorClientOptions extends EmulatorConnection {
  /** The `fetch` that passes requests to the emulator. */
  fetch: typeof fetch;
  /** Allows a client in a browser or in jsdom too. The token is no secret there, because `fetch` has no network access. */
  dangerouslyAllowBrowser: true;
}

/** A filter for emails. A field that is left out matches every email. */
export interface EmulatorMessageFilter {
  /** The address of the recipient, in upper or lower case. */
  to?: string;
  /** The stream of the email. */
  stream?: EmulatorMessage['stream'];
  /** The whole subject. */
  subject?: string;
  /** The earliest time of acceptance, in milliseconds on the emulator's clock. */
  since?: number;
  /** The {@link EmulatorMessage.number} of an email; only later emails match. */
  after?: number;
}

/** The filter and the waiting time of {@link EmulatorControls.waitForMessages}. */
export interface EmulatorMessageWait extends EmulatorMessageFilter {
  /**
   * How long to wait, in milliseconds of real time: from 0, which does not wait, to 60,000.
   * @defaultValue 5_000
   */
  waitMs?: number;
}

/** The filter and the waiting time of {@link Emulator.waitForRequests}. A field that is left out matches every request. */
export interface EmulatorRequestFilter {
  /** The HTTP method, in upper or lower case. */
  method?: string;
  /** The path as the service publishes it, or a path in which `*` stands for any characters. */
  path?: string;
  /** The earliest time of arrival, in milliseconds on the emulator's clock. */
  since?: number;
  /** How long to wait, in milliseconds of real time: from 0, which does not wait, to 60,000. */
  waitMs: number;
}

/** The control API of a running server: other processes call the emulator's methods through it. */
export interface EmulatorControlDoor {
  /** The address of the API, such as `http://127.0.0.1:4010/_emulator`. */
  readonly url: string;
  /** The control token, which every request needs. An API token does not replace it. */
  readonly token: string;
  /**
   * Returns the address of the page, which any browser can open as long as the server runs; from then on, a cookie gives
   * it access. The address contains a code of its own instead of a token: treat it as you treat a token.
   */
  browserUrl(): string;
}

/** A running server. */
export interface EmulatorServer {
  /** The origin, such as `http://127.0.0.1:4010`. It serves no endpoint itself: clients need {@link EmulatorServer.hosts}. */
  readonly url: string;
  /** The four base addresses: the origin followed by a prefix for each host. */
  readonly hosts: EmulatorHosts;
  /** The control API; absent unless the option `control` is set. */
  readonly control?: EmulatorControlDoor;
  /** Returns the options for a client that calls the server over the network. */
  clientOptions(): EmulatorConnection;
  /** Stops the server and closes every open connection. */
  close(): Promise<void>;
}

/** The fields of a campaign for {@link EmulatorCampaigns.add}: the service's fields, and the initial state. */
export interface EmulatorCampaignFields {
  /** The service's writable fields. Fields that are left out get values that make the campaign ready to send. */
  [field: string]: unknown;
  /** Fields of the template, with defaults of the same kind. */
  template_attributes?: Record<string, unknown>;
  /**
   * The initial state.
   * @defaultValue 'draft'
   */
  state?: EmulatorCampaignState;
  /** The `current_state_metadata` of that state. */
  metadata?: Record<string, unknown>;
}

/** Changes campaigns without a request. */
export interface EmulatorCampaigns {
  /**
   * Adds a campaign that is ready to send, unless its fields say otherwise.
   *
   * @returns The id of the campaign.
   * @throws `TypeError` for an unknown field, `RangeError` for a value that the service would refuse.
   */
  add(fields?: EmulatorCampaignFields): number;
  /**
   * Puts a campaign into any state, even one that no request leads to. The campaign stays in that state until an action
   * changes it: the clock only moves campaigns that an action started or scheduled.
   *
   * @throws `RangeError` if there is no such campaign or no such state.
   */
  setState(id: number, state: EmulatorCampaignState, metadata?: Record<string, unknown>): void;
  /**
   * Returns the current state of a campaign.
   *
   * @throws `RangeError` if there is no such campaign.
   */
  stateOf(id: number): EmulatorCampaignState;
}

/** A summary of a sending domain. */
export interface EmulatorDomain {
  /** Its id. */
  readonly id: number;
  /** The account that it belongs to. */
  readonly accountId: number;
  /** Its name. */
  readonly name: string;
  /** Whether all of its DNS records pass. */
  readonly verified: boolean;
}

/** Changes sending domains without a request. */
export interface EmulatorDomains {
  /**
   * Adds a domain, which is verified unless `verified` is `false`. It belongs to the account of
   * {@link Emulator.clientOptions} unless `accountId` names another.
   *
   * @returns The id of the domain.
   * @throws `TypeError` or `RangeError` if the name is missing, is not a domain name or is already taken.
   */
  add(domain: { name: string; verified?: boolean; accountId?: number }): number;
  /**
   * Makes the DNS records of a domain pass or fail.
   *
   * @throws `RangeError` if there is no such domain.
   */
  setVerified(id: number, verified: boolean): void;
  /** Returns every domain, of every account. */
  list(): EmulatorDomain[];
}

/** Changes the email log without a request. */
export interface EmulatorLogs {
  /**
   * Adds a message to the log as if it had been sent, now or at another time.
   *
   * @returns The id of the message.
   * @throws `TypeError` for an unknown field or a wrong type, `RangeError` for a wrong value.
   */
  add(fields?: EmulatorLogFields): string;
  /**
   * Adds many messages to the log. The iterable is read one message at a time; ten thousand take a fraction of a second.
   *
   * @returns The ids of the messages.
   * @throws `TypeError` and `RangeError` as {@link EmulatorLogs.add} does.
   */
  addMany(messages: Iterable<EmulatorLogFields>): string[];
}

/** Test inboxes, without a request. */
export interface EmulatorSandbox {
  /**
   * Adds a test inbox.
   *
   * @returns The id of the inbox.
   */
  add(): number;
  /**
   * Returns the emails that a test inbox captured, or those of every inbox, oldest first.
   *
   * @throws `RangeError` if there is no such inbox.
   */
  messages(inboxId?: number): EmulatorMessage[];
}

/** The posts of webhooks, and events without a request. */
export interface EmulatorWebhooks {
  /** The name of the header with the signature. */
  readonly signatureHeader: string;
  /** The most recent posts (at most 10,000), oldest first. */
  readonly posts: readonly EmulatorWebhookPost[];
  /**
   * Resolves when every post that is due has been made and its response has arrived. Move the clock first: events are
   * gathered for 30 seconds of its time.
   */
  settled(): Promise<void>;
  /**
   * Posts the events that have happened up to now, without the 30 seconds of the clock in which they are gathered.
   * Resolves when every post that is due has its response.
   */
  flush(): Promise<void>;
  /**
   * Makes a post once more, with the same body, and returns it with its response. It is not repeated if it fails.
   *
   * @param id - The number of the post.
   * @throws `RangeError` if there is no such post, or its webhook has been deleted. The promise rejects with it.
   */
  redeliver(id: number): Promise<EmulatorWebhookPost>;
  /**
   * Adds an event to every webhook of a type, such as an event of the audit log, which the emulator does not write itself.
   * Adds an `event_id` and a `timestamp` if the event has none.
   *
   * @throws `RangeError` for another type, `TypeError` for an event that is not an object.
   */
  emit(type: EmulatorWebhookType, event: Readonly<Record<string, unknown>>): void;
}

/** An inbox that {@link EmulatorInbound.add} made. */
export interface EmulatorInboundInbox {
  /** Id of its folder. */
  readonly folderId: number;
  /** Id of the inbox. */
  readonly inboxId: number;
  /** Its address. */
  readonly address: string;
}

/** Inbound mail, without a request. */
export interface EmulatorInbound {
  /** Adds an inbox in a new folder, hosted by the service. */
  add(): EmulatorInboundInbox;
  /**
   * Delivers an email to one or more inboxes. It appears there and in a thread, webhooks post an event, and rules forward
   * the email.
   *
   * @returns The places of the email: one entry for each inbox.
   * @throws `TypeError` for an unknown field or a wrong type, `RangeError` if no recipient is an inbox.
   */
  receive(email: EmulatorInboundFields): EmulatorReceived[];
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
   * Unsubscribes the recipient of an email, as the link in the email does. The domain of the email then sends the address
   * no more email on the stream, the contact with the address is unsubscribed, and the log and the webhooks get the event.
   * A repetition changes nothing.
   *
   * @param message - An email of {@link EmulatorControls.messages}, or its id.
   * @throws `TypeError` if it is not an email or an id, `RangeError` if no such email was sent.
   */
  unsubscribe(message: Pick<EmulatorMessage, 'id'> | string): void;
  /**
   * Returns the accepted emails that fit, oldest first, as soon as there is one. Rejects if none comes in 5 seconds, or in
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
   * the four prefixes of {@link EmulatorHosts} or be the path of a signed link. If a fault breaks the connection, the
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
