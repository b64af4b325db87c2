import type { EmulatorCors } from './cors.ts';

/** The options of a server's control API. */
export interface EmulatorControlOptions {
  /**
   * The token that opens it: letters, digits and `. _ + / = -`, at least 16 of them, and not the API token. By default, a
   * random one.
   */
  token?: string;
}

/** The options of {@link Emulator.listen}. */
export interface EmulatorListenOptions {
  /**
   * The port to listen on, from 0 to 65535; 0 picks a free one.
   * @defaultValue 0
   */
  port?: number;
  /**
   * Host names that requests may be for, besides `localhost`, names that end in `.localhost`, and the loopback addresses;
   * for example, the name of a reverse proxy. A name without a port is allowed with every port; upper and lower case are
   * the same. A request for any other host gets 403, so that a web page cannot reach the emulator under a name of its own.
   * @defaultValue []
   */
  allowedHosts?: readonly string[];
  /** Browser pages that may call the emulator. By default, none may. */
  cors?: EmulatorCors;
  /**
   * Whether other processes, which have the token of {@link EmulatorServer.control}, can do what the methods of the
   * emulator do: requests to paths that begin with `/_emulator`. While there is such a server, the emulator also keeps the
   * headers and bodies of the requests that it receives.
   * @defaultValue false
   */
  control?: boolean | EmulatorControlOptions;
}
