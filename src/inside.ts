import type { fillEndpoint, poolOf } from './core/path.ts';
import type { Execute } from './core/request.ts';
import type { invalid } from './core/rules.ts';
import type { Runtime } from './core/runtime.ts';
import type { readText } from './http/read-text.ts';
import type { Tokens } from './http/redact.ts';

/** What a client lends to `email-platform/proxy`, which so needs no copy of it. */
export interface Inside {
  readonly execute: Execute;
  readonly accountId: number | undefined;
  readonly runtime: Runtime;
  /** The tokens sent last, which no page may see. */
  readonly tokens: Tokens;
  readonly fillEndpoint: typeof fillEndpoint;
  readonly poolOf: typeof poolOf;
  readonly readText: typeof readText;
  readonly invalid: typeof invalid;
}

/** Where a client has its {@link Inside}: a registered symbol, because the two entries have no code in common. */
export const INSIDE = Symbol.for('email-platform.inside');
