import { thrownFrom } from '../../../core/error-base.ts';
import { InvalidRequestError } from '../../../core/errors.ts';
import type { CallSite } from '../../../core/call-site.ts';
import { OPERATION } from './outcomes.ts';
import type { BatchCounts, BatchOutcome, BatchRun, BatchTotals, FailedOutcome } from './types.ts';

/** Limits the memory of an awaited run of any length, because each outcome holds its email. */
const MAX_FAILED = 1000;

export const NO_COUNTS: BatchCounts = {
  accepted: 0,
  rejected: 0,
  not_sent: 0,
  key_reused: 0,
  unknown: 0,
  in_progress: 0,
};

/** The count of an outcome. */
export const countedAs = ({ status, error }: BatchOutcome): keyof BatchCounts =>
  error?.code === 'in_progress' ? 'in_progress' : status;

const retryAfterMsOf = (outcome: BatchOutcome): number | undefined =>
  outcome.status === 'unknown' ? outcome.retryAfterMs : undefined;

/** False also for an email that another run in this process is sending: that run has its outcome. */
const hasFailed = (outcome: BatchOutcome): outcome is FailedOutcome =>
  outcome.status !== 'accepted' &&
  (countedAs(outcome) !== 'in_progress' || retryAfterMsOf(outcome) !== undefined);

async function totalsOf(outcomes: AsyncIterable<BatchOutcome>): Promise<BatchTotals> {
  const counts = { ...NO_COUNTS };
  const failed: FailedOutcome[] = [];
  let replayed = 0;
  let retryAfterMs: number | undefined;
  for await (const outcome of outcomes) {
    counts[countedAs(outcome)] += 1;
    if (outcome.status === 'accepted' && outcome.replayed === true) replayed += 1;
    if (hasFailed(outcome) && failed.length < MAX_FAILED) failed.push(outcome);
    const ms = retryAfterMsOf(outcome);
    if (ms !== undefined) retryAfterMs = Math.max(ms, retryAfterMs ?? 0);
  }
  return { ...counts, replayed, failed, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** A run of these outcomes, to iterate or to await. */
export function batchRun(
  outcomes: AsyncGenerator<BatchOutcome, void, undefined>,
  site: CallSite,
  stop: () => void,
): BatchRun {
  const next = outcomes.next.bind(outcomes);
  const end = outcomes.return.bind(outcomes);
  let isIterated = false;
  let totals: Promise<BatchTotals> | undefined;

  const secondUse = (first: string, second: string, known: string) =>
    thrownFrom(
      site,
      new InvalidRequestError(
        [
          {
            path: 'run',
            message: `is already ${first}, and cannot also be ${second}: ${known}; another call sends its emails again`,
          },
        ],
        { operation: `A second run of ${OPERATION}` },
      ),
    );
  const awaited = (): Promise<BatchTotals> => {
    if (isIterated) return Promise.reject(secondUse('iterated', 'awaited', 'the loop has its outcomes'));
    return (totals ??= totalsOf({ [Symbol.asyncIterator]: () => ({ next }) }));
  };
  // The compiler's type of a generator lacks this property of promises.
  const generator = outcomes as typeof outcomes & Pick<BatchRun, typeof Symbol.toStringTag>;
  return Object.assign(generator, {
    stop,
    next() {
      if (totals) return Promise.reject(secondUse('awaited', 'iterated', 'the totals have its failures'));
      isIterated = true;
      return next();
    },
    // `await using` calls it at the end of its block, also for a run that was awaited there.
    return() {
      if (totals) return Promise.resolve({ done: true, value: undefined } as const);
      isIterated = true;
      return end();
    },
    then: ((onFulfilled, onRejected) => awaited().then(onFulfilled, onRejected)) as BatchRun['then'],
    catch: ((onRejected) => awaited().catch(onRejected)) as BatchRun['catch'],
    finally: (onFinally?: (() => void) | null) => awaited().finally(onFinally),
  });
}
