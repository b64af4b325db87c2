import type { Execute, HostName, Stream } from '../core/request.ts';
import type { Runtime } from '../core/runtime.ts';

/** Finds the tokens that a client has sent last. They cannot be read from here. */
export interface TokenSearch {
  /** Whether one of them is in a text, however it is written. */
  areIn(text: string): boolean;
  /** How many characters in a row may belong to one of them, however it is written. */
  readonly reach: number;
}

/** Increased when {@link ClientPort} changes: two versions of the package may meet in one program. */
export const PORT_VERSION = 4;

/**
 * The parts of a client that the package's other entries use. They import everything else themselves, so that a program
 * without them does not pay for them.
 */
export interface ClientPort {
  readonly version: number;
  readonly execute: Execute;
  readonly accountId: number | undefined;
  readonly runtime: Runtime;
  /** The address that emails are from, unless one names another; undefined where each has to. */
  readonly sender: string | undefined;
  /** Where emails are sent, unless a call says otherwise. */
  readonly stream: Stream;
  /** The base addresses of the service. */
  readonly hosts: Readonly<Partial<Record<HostName, string>>>;
  /** Milliseconds for one attempt. */
  readonly timeoutMs: number;
  /** Milliseconds for a whole call; undefined where it has as long as it takes. */
  readonly deadlineMs: number | undefined;
  readonly tokens: TokenSearch;
  /** The recipients of an email that the client's guard lets pass, as JSON of its fields: as they are after the guard. */
  readonly recipientsSent: (fields: string, stream: Stream | undefined) => string;
}

/** Where a client has its port: a registered symbol, because the entries have no code in common. */
export const PORT = Symbol.for('email-platform.port');

/** The port of a client; undefined for anything else, and for a client whose port has another version. */
export function portOf(client: unknown): ClientPort | undefined {
  const { [PORT]: port } = Object(client) as { readonly [PORT]?: ClientPort };
  return port?.version === PORT_VERSION ? port : undefined;
}
