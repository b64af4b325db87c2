import type { EmailPlatformError } from '../core/error-base.ts';
import { InvalidRequestError } from '../core/errors.ts';
import type { BatchInput, BatchOutcome } from '../models/batch-outcomes.ts';
import { completeMail } from '../models/mail-input.ts';
import { batchItemIssues } from '../models/sending-checks.ts';
import type { BatchBase, BatchRequest } from '../models/sending.ts';
import { failed } from './batch-results.ts';
import { draft, finish, type JsonPart } from './mail-json.ts';
import type { SourceReader } from './source-reader.ts';
import type { SourceRun } from './source-run.ts';

/** The operation named in a run's errors. */
export const OPERATION = 'sending.batchAll';

const MAX_MAILS = 500;
/** "50 MB" in the smaller of its two meanings, less the JSON around the base and the emails. */
const MAX_BYTES = 50_000_000 - 100;

/** The emails of one call. */
export interface BatchChunk {
  readonly inputs: BatchInput[];
  /** The body of the call as JSON, without its end. */
  readonly json: JsonPart[];
  bytes: number;
  /** Outcomes of emails that cannot be sent. */
  readonly refused: BatchOutcome[];
}

const refusal = (path: string, message: string, cause?: unknown) =>
  new InvalidRequestError([{ path, message }], { operation: OPERATION, cause });

/** Writes an email, or the base, as JSON that fits into a call with `taken` other bytes; `path` names it in errors. */
async function write(mail: unknown, path: string, taken: number, signal: AbortSignal) {
  try {
    const pieces = draft((marked) => marked(mail, `${path}.`));
    const json = await finish(pieces, OPERATION, signal);
    const bytes = new Blob(json).size;
    if (taken + bytes > MAX_BYTES) throw refusal(path, 'is too large: a call can be at most 50 MB of JSON');
    return { json, bytes };
  } catch (cause) {
    signal.throwIfAborted();
    throw cause instanceof InvalidRequestError ? cause : refusal(path, 'must be serializable as JSON', cause);
  }
}

/** Reads the input as it is needed, in chunks of one call each. What is not going to be sent is not written as JSON. */
export async function* chunksOf(
  items: SourceReader<BatchRequest>,
  base: BatchBase | undefined,
  run: SourceRun<BatchOutcome>,
): AsyncGenerator<BatchChunk, void, undefined> {
  const { signal } = run;
  const shared = base && (await write(base, 'base', 0, signal));
  const emptyChunk = (): BatchChunk => ({
    inputs: [],
    json: shared ? ['{"base":', ...shared.json, ',"requests":['] : ['{"requests":['],
    bytes: shared?.bytes ?? 0,
    refused: [],
  });
  let chunk = emptyChunk();
  let index = 0;
  const written = async (mail: unknown) => {
    const path = `requests[${index}]`;
    const issues = batchItemIssues(mail, base, path);
    if (issues.length > 0) throw new InvalidRequestError(issues, { operation: OPERATION });
    return write(mail, path, shared?.bytes ?? 0, signal);
  };
  try {
    for await (const { item } of items) {
      const input = { index, request: item };
      try {
        const { json, bytes } = run.unsent ? { json: [], bytes: 0 } : await written(completeMail(item));
        if (chunk.bytes + bytes > MAX_BYTES) {
          yield chunk;
          chunk = emptyChunk();
        }
        chunk.json.push(chunk.inputs.length > 0 ? ',' : '', ...json);
        chunk.inputs.push(input);
        // The comma counts too.
        chunk.bytes += bytes + 1;
      } catch (error) {
        chunk.refused.push(...failed([input], error as EmailPlatformError));
      }
      index += 1;
      if (chunk.inputs.length + chunk.refused.length < MAX_MAILS) continue;
      yield chunk;
      chunk = emptyChunk();
    }
  } finally {
    if (chunk.inputs.length + chunk.refused.length > 0) yield chunk;
  }
}
