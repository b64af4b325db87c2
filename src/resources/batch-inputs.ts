import type { EmailPlatformError } from '../core/error-base.ts';
import { InvalidRequestError } from '../core/errors.ts';
import { isRecord } from '../core/record.ts';
import type { BatchInput, BatchOutcome } from '../models/batch-outcomes.ts';
import { completeMail } from '../models/mail-input.ts';
import { batchItemIssues } from '../models/sending-checks.ts';
import type { BatchBase, BatchRequest } from '../models/sending.ts';
import { failed } from './batch-results.ts';
import { draftMail, finish, needsEncoding, type JsonPart } from './mail-json.ts';
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
  /** The inputs as JSON. */
  readonly json: JsonPart[][];
  /** The base as JSON. */
  readonly base: JsonPart[] | undefined;
  /** The size of all that JSON. */
  bytes: number;
  /** Outcomes of emails that cannot be sent. */
  readonly refused: BatchOutcome[];
}

const refusal = (path: string, message: string, cause?: unknown) =>
  new InvalidRequestError([{ path, message }], { operation: OPERATION, cause });

/** Writes an email, or the base, as JSON that fits into a call with `taken` other bytes; `path` names it in errors. */
async function write(mail: unknown, path: string, taken: number, signal: AbortSignal) {
  let json: JsonPart[];
  try {
    if (!isRecord(mail)) throw refusal(path, 'must be an object');
    const draft = draftMail(mail, `${path}.`);
    json = needsEncoding(mail) ? await finish(draft, OPERATION, signal) : (draft as JsonPart[]);
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof InvalidRequestError) throw cause;
    throw refusal(path, 'must be serializable as JSON', cause);
  }
  const bytes = new Blob(json).size;
  if (taken + bytes > MAX_BYTES) throw refusal(path, 'is too large: a call can be at most 50 MB of JSON');
  return { json, bytes };
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
    json: [],
    base: shared?.json,
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
        chunk.inputs.push(input);
        chunk.json.push(json);
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
