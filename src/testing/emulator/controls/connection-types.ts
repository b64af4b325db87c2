import type { EmulatorHosts } from '../../service/wire/hosts.ts';

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
  /** Present with the option `mark` of {@link connectEmulator}: sends the name of the test with each request. */
  fetch?: typeof fetch;
}

/** The options of a client that calls an emulator in the same process. */
export interface EmulatorClientOptions extends EmulatorConnection {
  /** The `fetch` that passes requests to the emulator. */
  fetch: typeof fetch;
  /** Allows a client in a browser or in jsdom too. The token is no secret there, because `fetch` has no network access. */
  dangerouslyAllowBrowser: true;
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
  /** The origin, such as `http://127.0.0.1:4010`. It serves no endpoint itself: clients need {@link Emulator.Server.hosts}. */
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

/** The options of {@link connectEmulator}. */
export interface EmulatorConnectOptions {
  /** The token of the emulator's control API, which the command prints as `EMAIL_PLATFORM_CONTROL_TOKEN`. */
  controlToken: string;
  /**
   * Makes the requests.
   * @defaultValue the `fetch` of the runtime
   */
  fetch?: typeof fetch;
  /**
   * The name of the test. The client of `clientOptions` sends it with each request, so that reports show it beside the
   * request and its emails: for tests that run at the same time.
   */
  mark?: string;
}
