import type { EmulatorCampaignState } from './areas/campaigns/record.ts';
import type { EmulatorLogFields } from './areas/logs/add.ts';
import type { EmulatorMessage } from './areas/sending/outbox.ts';
import type { EmulatorClock } from './clock.ts';
import type { EmulatorFaults } from './faults.ts';
import type { EmulatorHosts } from './hosts.ts';
import type { EmulatorRequest } from './request-log.ts';
import type { EmulatorTokenOptions } from './tokens.ts';

/** What a client needs to reach an emulator. */
export interface EmulatorConnection {
  /** An API token with access to everything. */
  token: string;
  /** The account the token belongs to. */
  accountId: number;
  /** The test inbox that sandbox mail goes to. */
  sandboxInboxId: number;
  /** The four base addresses. */
  hosts: EmulatorHosts;
}

/** What a client needs to reach an emulator in memory. */
export interface EmulatorClientOptions extends EmulatorConnection {
  /** The `fetch` that leads to the emulator. */
  fetch: typeof fetch;
}

/** A running server. */
export interface EmulatorServer {
  /** Its origin, such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** The four base addresses: the origin with a prefix each. */
  readonly hosts: EmulatorHosts;
  /** Options for a client that calls it over the network. */
  clientOptions(): EmulatorConnection;
  /** Stops it; connections still open end at once. */
  close(): Promise<void>;
}

/** Fields of a campaign added by {@link EmulatorCampaigns.add}: the service's own, and the state to begin in. */
export interface EmulatorCampaignFields {
  /** The service's writable fields. What is left out is filled so that the campaign could be sent. */
  [field: string]: unknown;
  /** Fields of the template; filled likewise. */
  template_attributes?: Record<string, unknown>;
  /** The state to begin in. Default `draft`. */
  state?: EmulatorCampaignState;
  /** `current_state_metadata` of that state. */
  metadata?: Record<string, unknown>;
}

/** Campaigns, behind the service's back. */
export interface EmulatorCampaigns {
  /**
   * Adds a campaign that could be sent, without a request.
   *
   * @returns its id.
   */
  add(fields?: EmulatorCampaignFields): number;
  /**
   * Puts a campaign in any state, whether or not a request could. It stays there until an action moves it: the clock
   * moves only what the service's own actions began.
   *
   * @throws RangeError when there is no such campaign.
   */
  setState(id: number, state: EmulatorCampaignState, metadata?: Record<string, unknown>): void;
  /**
   * The state a campaign is in now.
   *
   * @throws RangeError when there is no such campaign.
   */
  stateOf(id: number): EmulatorCampaignState;
}

/** A sending domain, in short. */
export interface EmulatorDomain {
  /** Its id. */
  readonly id: number;
  /** Its name. */
  readonly name: string;
  /** Whether every DNS record of it passes. */
  readonly verified: boolean;
}

/** Sending domains, behind the service's back. */
export interface EmulatorDomains {
  /**
   * Adds a domain; verified unless told otherwise.
   *
   * @returns its id.
   */
  add(domain: { name: string; verified?: boolean }): number;
  /**
   * Has the DNS records of a domain pass or fail.
   *
   * @throws RangeError when there is no such domain.
   */
  setVerified(id: number, verified: boolean): void;
  /** Every domain. */
  list(): EmulatorDomain[];
}

/** Email logs, behind the service's back. */
export interface EmulatorLogs {
  /**
   * Adds a message to the log as if it had been sent, now or at any time.
   *
   * @returns its id.
   */
  add(fields?: EmulatorLogFields): string;
  /**
   * Adds many, each taken when its turn comes; ten thousand take a fraction of a second.
   *
   * @returns their ids.
   */
  addMany(messages: Iterable<EmulatorLogFields>): string[];
}

/** Test inboxes, behind the service's back. */
export interface EmulatorSandbox {
  /**
   * Adds a test inbox.
   *
   * @returns its id.
   */
  add(): number;
  /**
   * What a test inbox captured, oldest first; what all of them did when none is named.
   *
   * @throws RangeError when there is no such inbox.
   */
  messages(inboxId?: number): EmulatorMessage[];
}

/** What a test can change behind the service's back. */
export interface EmulatorControls {
  /** Makes another API token. A reset forgets it. */
  createToken(options?: EmulatorTokenOptions): string;
  /** Whether the account's billing lets campaigns be sent. */
  setBilling(state: 'within-limits' | 'exceeded'): void;
  /** Campaigns. */
  readonly campaigns: EmulatorCampaigns;
  /** Sending domains. */
  readonly domains: EmulatorDomains;
  /** Email logs. */
  readonly logs: EmulatorLogs;
  /** Test inboxes. */
  readonly sandbox: EmulatorSandbox;
  /** Every mail accepted, sent or captured, one for each recipient, oldest first. */
  messages(): EmulatorMessage[];
}

/** The service, emulated. Made by `createEmulator`. */
export interface Emulator extends EmulatorControls {
  /** A `fetch` that reaches the emulator in memory and nothing else. It needs no `this`. */
  readonly fetch: typeof fetch;
  /**
   * The engine: one request in, its answer out. The origin of the URL does not matter, its path begins with one of the
   * four prefixes of {@link EmulatorHosts}, or is that of a signed link. A fault that ends the connection rejects as `fetch` would.
   */
  readonly handle: (request: Request) => Promise<Response>;
  /** Options for a client in the same process. */
  clientOptions(): EmulatorClientOptions;
  /**
   * Serves the emulator over HTTP on 127.0.0.1. Needs Node (or a runtime with `node:http`).
   *
   * @param options - `port`: where to listen; 0, the default, finds a free one.
   * @throws the system's error when the port cannot be had.
   */
  listen(options?: { port?: number }): Promise<EmulatorServer>;
  /** The emulator's time. */
  readonly clock: EmulatorClock;
  /** The last requests received (10 000 at most), oldest first. */
  readonly requests: readonly EmulatorRequest[];
  /** Failures to come. */
  readonly faults: EmulatorFaults;
  /**
   * Back to the beginning: the seed, the clock, no fault, no request, all limits unused. The token of
   * {@link Emulator.clientOptions} stays the same; servers go on listening.
   */
  reset(): void;
}
