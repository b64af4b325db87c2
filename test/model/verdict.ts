import { ApiError } from 'email-platform';
import { expect } from 'vitest';
import { rejection } from '../support/expect-error.ts';

/** The outcome of a call. */
export type Outcome = 'done' | 'refused';

/** Thrown by the model when the service has to refuse the call. */
export class Refused extends Error {
  /** The possible statuses: several if more than one thing is wrong, and either may be reported. */
  readonly statuses: readonly number[];
  /** The error's class, if the specification determines it. */
  readonly kind: string | undefined;
  /** The number of reasons, if the specification determines it. */
  readonly reasons: number | undefined;

  constructor(status: number | readonly number[], kind?: string, reasons?: number) {
    super('The service has to refuse this.');
    this.statuses = [status].flat();
    this.kind = kind;
    this.reasons = reasons;
  }
}

/** The outcome that the model predicts for a call. */
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
