import type { fillEndpoint, poolOf } from '../core/path.ts';
import type { Execute } from '../core/request.ts';
import type { invalid, mustBe, objectOf, refuse } from '../core/rules.ts';
import type { Runtime } from '../core/runtime.ts';
import type { readText } from '../transport/read-text.ts';

/** What a client lends to `email-platform/proxy`, which so needs no copy of it. */
export interface Inside {
  readonly execute: Execute;
  readonly accountId: number | undefined;
  readonly runtime: Runtime;
  /** Whether a text contains one of the tokens sent last, which no page may see; they cannot be read from here either. */
  readonly hasToken: (text: string) => boolean;
  readonly fillEndpoint: typeof fillEndpoint;
  readonly poolOf: typeof poolOf;
  readonly readText: typeof readText;
  readonly invalid: typeof invalid;
  readonly mustBe: typeof mustBe;
  readonly objectOf: typeof objectOf;
  readonly refuse: typeof refuse;
}

/** Where a client has its {@link Inside}: a registered symbol, because the two entries have no code in common. */
export const INSIDE = Symbol.for('email-platform.inside');
