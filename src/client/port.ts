import type { Execute, HostName } from '../core/request.ts';
import type { Runtime } from '../core/runtime.ts';

/** Finds the tokens that a client has sent last. They cannot be read from here. */
export interface TokenSearch {
  /** Whether one of them is in a text, however it is written. */
  areIn(text: string): boolean;
  /** How many characters in a row may belong to one of them, however it is written. */
  readonly reach: number;
}

/** Increased when {@link ClientPort} changes: two copies of the package, of different versions, may meet in a program. */
export const PORT_VERSION = 2;

/**
 * What a client lends to the package's other entries: only what is its own. What else they need they import, so that a
 * program that uses none of them pays for none of them.
 */
export interface ClientPort {
  readonly version: number;
  readonly execute: Execute;
  readonly accountId: number | undefined;
  readonly runtime: Runtime;
  /** The base addresses of the service. */
  readonly hosts: Readonly<Partial<Record<HostName, string>>>;
  /** Milliseconds for one attempt. */
  readonly timeoutMs: number;
  /** Milliseconds for a whole call; undefined where it has as long as it takes. */
  readonly deadlineMs: number | undefined;
  readonly tokens: TokenSearch;
}

/** Where a client has its port: a registered symbol, because the entries have no code in common. */
export const PORT = Symbol.for('email-platform.port');

/** The port of a client; undefined for anything else, and for a client of a version that lends something else. */
export function portOf(client: unknown): ClientPort | undefined {
  const { [PORT]: port } = Object(client) as { readonly [PORT]?: ClientPort };
  return port?.version === PORT_VERSION ? port : undefined;
}
