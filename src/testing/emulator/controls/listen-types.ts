import type { EmulatorCors } from '../../common/cors.ts';

/** The options of a server's control API. */
export interface EmulatorControlOptions {
  /**
   * The control token: at least 16 letters, digits and `. _ + / = -`. It must differ from the API token. By default, a
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
   * More host names for requests, such as the name of a reverse proxy. `localhost`, names that end in `.localhost`, and
   * the loopback addresses are always allowed. A name without a port allows every port. Upper and lower case are the same.
   * A request for any other host gets 403, so that a web page cannot reach the emulator under its own name (DNS rebinding).
   * @defaultValue []
   */
  allowedHosts?: readonly string[];
  /**
   * The address to listen on: `'0.0.0.0'` for every network of this machine, for example in a container. Every machine
   * there can then send requests, so an address that is not of the loopback interface also needs `allowedHosts`, the
   * `token` of `createEmulator`, and with `control` its token. The first of `allowedHosts` is then in the server's `url`.
   * @defaultValue '127.0.0.1'
   */
  host?: string;
  /** Browser pages that may call the emulator. By default, no page may. */
  cors?: EmulatorCors;
  /**
   * Whether the server has the control API: other processes call the emulator's methods by requests to paths that begin
   * with `/_emulator`, with the token of {@link Emulator.Server.control}. While there is such a server, the emulator also
   * keeps the headers and bodies of the requests that it receives.
   * @defaultValue false
   */
  control?: boolean | EmulatorControlOptions;
}
