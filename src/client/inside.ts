import type { fillEndpoint, poolOf } from '../core/path.ts';
import type { Execute, HostName } from '../core/request.ts';
import type { invalid, mustBe, objectOf, refuse } from '../core/rules.ts';
import type { Runtime } from '../core/runtime.ts';

/** Finds the tokens that a client has sent last. They cannot be read from here. */
export interface TokenSearch {
  /** Whether one of them is in a text, however it is written. */
  areIn(text: string): boolean;
  /** How many characters in a row may belong to one of them, however it is written. */
  readonly reach: number;
}

/** What a client lends to `email-platform/proxy`, which so needs no copy of it. */
export interface Inside {
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
  readonly fillEndpoint: typeof fillEndpoint;
  readonly poolOf: typeof poolOf;
  readonly invalid: typeof invalid;
  readonly mustBe: typeof mustBe;
  readonly objectOf: typeof objectOf;
  readonly refuse: typeof refuse;
}

/** Where a client has its {@link Inside}: a registered symbol, because the two entries have no code in common. */
export const INSIDE = Symbol.for('email-platform.inside');
