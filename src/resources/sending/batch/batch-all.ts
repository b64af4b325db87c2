import { late } from '../../../kit/late.ts';
import type { CallSite } from '../../../core/call-site.ts';
import { EmailPlatformError } from '../../../core/error-base.ts';
import type { Runtime } from '../../../core/runtime.ts';
import { ConfigurationError, InvalidRequestError, refuseCall } from '../../../core/errors.ts';
import { tell } from '../../../core/tried.ts';
import { allOf, anything, functionRule, issuesAt, positiveRule } from '../../../core/rules.ts';
import { optionIssues, optionsWith } from '../../../core/request-options.ts';
import { joined, type JsonPart } from '../../../core/json.ts';
import type { Execute } from '../../../core/request.ts';
import { missingKeyRule } from '../../../core/key.ts';
import type { BatchAllOptions, BatchOutcome, BatchRun } from './types.ts';
import { KeyedRun, type KeyedBatch } from './keyed-run.ts';
import { journalMissing } from '../keyed-send.ts';
import { isolated } from '../../../core/isolated.ts';
import { completeBase, completeEmail } from '../mail/input.ts';
import { baseIssues, IN_BASE } from '../batch-rules.ts';
import type { BatchRequest } from '../types.ts';
import { chunksOf, END, type BatchChunk } from './chunks.ts';
import { answered, failed, OPERATION, steeredAway } from './outcomes.ts';
import { batchRun, countedAs, NO_COUNTS } from './run.ts';
import { sendersOf } from './senders.ts';
import { sending } from '../endpoints.ts';
import { BATCH_RULES, batchCall, type SendingSettings } from '../requests.ts';
import { sourceRule, type Source } from '../../base/source-reader.ts';
import { SourceRun, type Job } from '../../base/source-run.ts';

const DEFAULT_CONCURRENCY = 4;

const optionsRule = late(() =>
  allOf(
    optionsWith(
      {
        // Checked separately, by the rules of an email.
        base: anything,
        concurrency: positiveRule,
        onProgress: functionRule,
        idempotencyKey: functionRule,
        ...BATCH_RULES(),
      },
      IN_BASE(),
    ),
    missingKeyRule,
  ),
);

/** Joins the pieces of text: a queued call retains the text, and must not retain its pieces too. */
const withoutPieces = (parts: readonly JsonPart[]): readonly JsonPart[] => {
  const whole = joined(parts);
  return typeof whole === 'string' ? [whole] : parts;
};

/** Sends any number of emails in several calls, with one outcome per email. */
export function batchAll(
  execute: Execute,
  runtime: Runtime,
  site: CallSite,
  { defaults, guard, stream: defaultStream, sandboxInboxId: defaultInbox, journal }: SendingSettings,
  source: Source<BatchRequest>,
  allOptions: BatchAllOptions = {},
): BatchRun {
  const run = new SourceRun<BatchOutcome>(OPERATION, runtime, site);
  const begin = (): Job<BatchRequest, BatchChunk, BatchOutcome> => {
    // Its requests have these options, so they are copied once for all of them, without fields of `Object.prototype`.
    const own = isolated(allOptions);
    const { base: given, concurrency = DEFAULT_CONCURRENCY, onProgress, idempotencyKey, ...options } = own;
    const base = completeBase(given, defaults);
    refuseCall(OPERATION, [
      ...baseIssues(base),
      ...optionIssues(allOptions, optionsRule()),
      ...issuesAt('requests', sourceRule(source)),
    ]);
    const begun = sendersOf();
    const { stream = defaultStream, sandboxInboxId = defaultInbox } = own;
    if (idempotencyKey && !journal) throw journalMissing();
    const keyed =
      idempotencyKey && journal && new KeyedRun(journal, idempotencyKey, { stream, sandboxInboxId });
    const reachesPeople = sending().batch[stream].reachesPeople !== false;
    const tally = { done: 0, ...NO_COUNTS, calls: 0 };
    const call = async (
      { inputs, senders }: BatchChunk,
      written: readonly JsonPart[],
      whileWanted: AbortSignal,
      keyedBatch?: KeyedBatch,
    ) => {
      const ended = begun(senders);
      try {
        const mails = { written: { parts: written, keyed: keyedBatch }, whileWanted };
        const request = batchCall(() => ({ operation: OPERATION, mails, check: () => [] }));
        const result = await execute(request, options);
        ended();
        return keyedBatch ? keyedBatch.outcomes(result) : answered(inputs, result);
      } catch (thrown) {
        const error = thrown instanceof EmailPlatformError ? thrown : steeredAway();
        // A framework leaves its rendering: the loop ends with what it threw, after the outcomes.
        if (error !== thrown) run.end(error, { thrown });
        const isMistake = error instanceof ConfigurationError || error instanceof InvalidRequestError;
        if (isMistake && tally.calls === 0) run.end(error, { thrown: error });
        else if (ended(error) || isMistake) run.unsent ??= error;
        return keyedBatch ? keyedBatch.outcomes(error) : failed(inputs, error);
      }
    };
    return {
      source,
      signal: options.signal,
      concurrency,
      parts: (items) =>
        chunksOf(
          items,
          base,
          (mail) => completeEmail(mail, defaults, base),
          run,
          reachesPeople ? guard : undefined,
          keyed,
        ),
      async send(chunk, whileWanted) {
        const { inputs, json, refused } = chunk;
        const outcomes = [...refused];
        if (run.unsent) outcomes.push(...failed(inputs, run.unsent));
        else if (inputs.length > 0) {
          const written = withoutPieces([...json, END]);
          const keyedBatch = keyed?.batchOf(chunk.keyed, written, chunk.beginning, END);
          outcomes.push(...(await call(chunk, written, whileWanted, keyedBatch)));
          tally.calls += 1;
        }
        if (keyed) outcomes.push(...(await keyed.shared(chunk, outcomes)));
        for (const outcome of outcomes) {
          tally[countedAs(outcome)] += 1;
          tally.done += 1;
        }
        tell(onProgress, () => ({ ...tally }));
        return outcomes;
      },
    };
  };
  return batchRun(run.outcomes(begin), site, () => run.stop());
}
