import type { EmulatorCampaignState } from './areas/campaigns/store.ts';
import type { EmulatorLogFields } from './areas/email-logs/store.ts';
import type { EmulatorInboundFields, EmulatorReceived } from './areas/inbound/receive.ts';
import type { EmulatorMessage } from './areas/sending/outbox.ts';
import type { EmulatorTemplates } from './areas/templates/area.ts';
import type { EmulatorWebhookPost } from './areas/webhooks/posts.ts';
import type { EmulatorWebhookType } from './areas/webhooks/store.ts';
import type { EmulatorClock } from './clock.ts';
import type { EmulatorEndpoint, EmulatorHandler, EmulatorHandlerRemoval } from './endpoint-handlers.ts';
import type { EmulatorFaults } from './faults.ts';
import type { EmulatorHosts } from './hosts.ts';
import type { EmulatorListenOptions } from './http/options.ts';
import type { EmulatorReportOptions } from './report/options.ts';
import type { EmulatorReport } from './report/summary.ts';
import type { EmulatorRequest } from './request-log.ts';
import type { EmulatorSnapshot } from './snapshot.ts';
import type { EmulatorTokenOptions } from './tokens.ts';

/** What a client needs to reach an emulator. */
export interface EmulatorConnection {
  /** An API token with full access. */
  token: string;
  /** The account that the token belongs to. */
  accountId: number;
  /** The test inbox that captures sandbox emails. */
  sandboxInboxId: number;
  /** The four base addresses. */
  hosts: EmulatorHosts;
  /** Present where the emulator has no limits (`limits: false`): a client then need not keep to any. */
  throttle?: false;
}

/** What a client needs to reach an emulator in memory. */
export interface EmulatorClientOptions extends EmulatorConnection {
  /** The `fetch` that reaches the emulator. */
  fetch: typeof fetch;
  /** Lets a client be made in a page too, real or emulated: its `fetch` reaches nothing that the token is a secret of. */
  dangerouslyAllowBrowser: true;
}

/** Which emails are meant. A field that is left out fits every email. */
export interface EmulatorMessageFilter {
  /** The address of the recipient, in upper or lower case. */
  to?: string;
  /** The stream that it was sent on. */
  stream?: EmulatorMessage['stream'];
  /** The whole subject. */
  subject?: string;
  /** The earliest time at which it was accepted, in milliseconds on the emulator's clock. */
  since?: number;
  /** The {@link EmulatorMessage.number} of an email: those that came after it. */
  after?: number;
}

/** Which emails {@link EmulatorControls.waitForMessages} waits for, and how long. */
export interface EmulatorMessageWait extends EmulatorMessageFilter {
  /**
   * How long to wait, in milliseconds of real time: from 0, for those that are there, to 60,000.
   * @defaultValue 5_000
   */
  waitMs?: number;
}

/** Which requests {@link Emulator.waitForRequests} waits for. A field that is left out fits every request. */
export interface EmulatorRequestFilter {
  /** The HTTP method, in upper or lower case. */
  method?: string;
  /** The path as the service publishes it, or a path in which `*` stands for any characters. */
  path?: string;
  /** The earliest time at which it was received, in milliseconds on the emulator's clock. */
  since?: number;
  /** How long to wait, in milliseconds of real time: from 0, for those that are there, to 60,000. */
  waitMs: number;
}

/** The control API of a running server, through which other processes do what the methods of an emulator do. */
export interface EmulatorControlDoor {
  /** Its address, such as `http://127.0.0.1:4010/_emulator`. */
  readonly url: string;
  /** The token that it needs. It is not an API token, and no API token takes its place. */
  readonly token: string;
  /**
   * Returns an address that a browser can open once, to be let in by a cookie from then on. It contains no token. Each
   * call returns another.
   */
  browserUrl(): string;
}

/** A running server. */
export interface EmulatorServer {
  /** Its origin, such as `http://127.0.0.1:4010`. No endpoint is served here: clients need {@link EmulatorServer.hosts}. */
  readonly url: string;
  /** The four base addresses: the origin followed by a prefix for each host. */
  readonly hosts: EmulatorHosts;
  /** Its control API; absent unless it was asked for with the option `control`. */
  readonly control?: EmulatorControlDoor;
  /** Returns the options for a client that calls the server over the network. */
  clientOptions(): EmulatorConnection;
  /** Stops the server and closes every open connection. */
  close(): Promise<void>;
}

/** Fields of a campaign for {@link EmulatorCampaigns.add}: those of the service, and the initial state. */
export interface EmulatorCampaignFields {
  /** The service's writable fields. Fields that are left out get values that make the campaign ready to send. */
  [field: string]: unknown;
  /** Fields of the template. The same applies to them. */
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

/** What webhooks posted, and events that no request leads to. */
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
   * Adds an event to every webhook of a type, such as one of the audit log, which the emulator does not write itself. An
   * `event_id` and a `timestamp` are added where there is none.
   *
   * @throws `RangeError` for another type, `TypeError` for an event that is not an object.
   */
  emit(type: EmulatorWebhookType, event: Readonly<Record<string, unknown>>): void;
}

/** An inbox, as {@link EmulatorInbound.add} makes it. */
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
  /** Adds an inbox in a folder of its own, hosted by the service. */
  add(): EmulatorInboundInbox;
  /**
   * Lets somebody send an email to one or more inboxes. It appears there and in a thread, webhooks tell of it, and rules
   * forward it.
   *
   * @returns Where it is: one entry for each inbox.
   * @throws `TypeError` for an unknown field or a wrong type, `RangeError` if no recipient is an inbox.
   */
  receive(email: EmulatorInboundFields): EmulatorReceived[];
}

/** What a test can change without a request. */
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
   * Returns the accepted emails that fit, oldest first, as soon as there is one. Rejects if none comes in 5 seconds, or in
   * `waitMs`. A reset does not end the wait. With `waitMs: 0` it returns those that are there, which may be none.
   *
   * @throws `Error` if none comes in time, which says what came instead; `TypeError` for an unknown field or a wrong type,
   * `RangeError` for a wrong value. The promise rejects with it.
   */
  waitForMessages(filter?: EmulatorMessageWait): Promise<EmulatorMessage[]>;
}

/** An emulator of the service, created by {@link createEmulator}. */
export interface Emulator extends EmulatorControls {
  /** A `fetch` that reaches the emulator in memory and nothing else. It can be called without a `this`. */
  readonly fetch: typeof fetch;
  /**
   * Handles one request and returns the response. The origin of the URL does not matter; its path must start with one of
   * the four prefixes of {@link EmulatorHosts} or be that of a signed link. If a fault breaks the connection, the promise
   * rejects as that of `fetch` does.
   */
  readonly handle: (request: Request) => Promise<Response>;
  /** Returns the options for a client in the same process. */
  clientOptions(): EmulatorClientOptions;
  /**
   * Serves the emulator over HTTP on 127.0.0.1. Requires Node.js, or another runtime with `node:http`.
   *
   * The server refuses requests for any other host with 403, and requests that are not valid HTTP with 400; neither of
   * them appears in {@link Emulator.requests}.
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
   * none comes in time, returns none. A reset does not end it.
   *
   * @throws `TypeError` for an unknown field or a wrong type, `RangeError` for a wrong value.
   */
  waitForRequests(filter: EmulatorRequestFilter): Promise<EmulatorRequest[]>;
  /** The failures of the next requests. */
  readonly faults: EmulatorFaults;
  /**
   * Replaces the answers of one endpoint, in both forms of its path. A handler of a PATCH also gets the PUT that does the
   * same, and one of a GET the HEAD. Before it come the limits, the token and its permissions, and after it the faults and
   * the list of requests, as with the emulator's own answers. The handler that was added last answers; its `next()`
   * returns the answer that it replaces. It is removed by the function that this returns, at the end of a block by
   * `using`, and by {@link Emulator.reset}.
   *
   * Over the port, a fault of the kind `status` with a body replaces an answer.
   *
   * @param endpoint - The method, and the path as the service publishes it, with any names for its arguments.
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
   * Writes what was mailed and asked since the emulator was made into one HTML file, which needs no server and no network.
   * {@link Emulator.reset} does not empty it: it has the newest 5,000 mails, 20,000 requests, and 64 MB at most, and says
   * how many were left out. Requires Node.js, or another runtime with `node:fs`.
   *
   * @param file - The name of the file. It is replaced; its folder is made where there is none.
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
   * Restores the initial state: the seed and the clock, with no faults, no requests and unused limits. Handlers of
   * {@link Emulator.on} are removed. The token of
   * {@link Emulator.clientOptions} stays the same, and servers keep listening.
   */
  reset(): void;
  /**
   * Returns the state of the emulator, with its tokens and all emails: every area, the clock, the random streams, and what
   * counts in the rate-limit windows. Faults and the list of requests are not part of it, nor are posts of webhooks that
   * are under way.
   */
  snapshot(): EmulatorSnapshot;
  /**
   * Gives the emulator the state of a snapshot, its own or another emulator's. From then on it responds as that emulator
   * did, to the same requests with the same bytes, if it was created with the same options. The clock goes on from the
   * time of the snapshot.
   *
   * @throws `TypeError` or `RangeError` if it is not a snapshot, one of another version, or one that was changed. The
   * state is as before then.
   */
  restore(snapshot: EmulatorSnapshot): void;
}
