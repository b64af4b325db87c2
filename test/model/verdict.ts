import { ApiError } from 'email-platform';
import { expect } from 'vitest';
import { rejection } from '../support/caught.ts';

/** What a call came to. */
export type Outcome = 'done' | 'refused';

/** What the model throws: the service has to refuse the call, in this way. */
export class Refused extends Error {
  /** One status; or several, where more than one thing is wrong and nothing says which is told. */
  readonly statuses: readonly number[];
  /** The error's class, where the specification's words settle it. */
  readonly kind: string | undefined;
  /** How many reasons have to be told, where they settle that. */
  readonly reasons: number | undefined;

  constructor(status: number | readonly number[], kind?: string, reasons?: number) {
    super('The service has to refuse this.');
    this.statuses = [status].flat();
    this.kind = kind;
    this.reasons = reasons;
  }
}

/** What the model says a call comes to. */
function verdictOf<M>(decide: () => M): { readonly result: M } | { readonly refused: Refused } {
  try {
    return { result: decide() };
  } catch (error) {
    if (error instanceof Refused) return { refused: error };
    throw error;
  }
}

/** Checks that the client's call has the outcome the model predicts: the same result, or the same refusal. */
export async function agree<R, M>(
  call: PromiseLike<R>,
  decide: () => M,
  compare: (real: R, expected: M) => void,
): Promise<Outcome> {
  const verdict = verdictOf(decide);
  if ('result' in verdict) {
    compare(await call, verdict.result);
    return 'done';
  }
  const { statuses, kind, reasons } = verdict.refused;
  const error = await rejection(call, ApiError);
  expect(statuses).toContain(error.status);
  if (kind !== undefined) expect(error.name).toBe(kind);
  if (reasons !== undefined) expect(error.messages).toHaveLength(reasons);
  return 'refused';
}
