import { EmailPlatformError } from '../../../core/error-base.ts';
import { refuseCall, wrongArgument } from '../../../core/errors.ts';
import { bytesOf, type JsonPart } from '../../../core/json.ts';
import type { RecipientGuard } from '../../../core/reach.ts';
import type { BatchInput, BatchOutcome } from './types.ts';
import { batchItemIssues } from '../batch-rules.ts';
import type { BatchBase, BatchRequest } from '../types.ts';
import { failed, OPERATION } from './outcomes.ts';
import type { KeyedItem, KeyedRun, Duplicate } from './keyed-run.ts';
import { domainOf } from './senders.ts';
import { unfinishedMails, type UnfinishedMails } from '../mail/json.ts';
import type { SourceReader } from '../../base/source-reader.ts';
import type { SourceRun } from '../../base/source-run.ts';

const MAX_MAILS = 500;
/** "50 MB" in the smaller of its two meanings. */
const MAX_BYTES = 50_000_000;
/** The end of a call's body, after the emails. */
export const END = ']}';

/** The emails of one call. */
export interface BatchChunk {
  readonly inputs: BatchInput[];
  /** The domains of their senders. */
  readonly senders: Set<string>;
  /** The body of the call as JSON, without its end. */
  readonly json: JsonPart[];
  bytes: number;
  /** Outcomes of emails that cannot be sent. */
  readonly refused: BatchOutcome[];
  /** In a run with keys: the emails, each with its key. */
  readonly keyed: KeyedItem[];
  /** In a run with keys: emails that share the outcome of another one. */
  readonly duplicates: Duplicate[];
  /** The beginning of the body, before the emails. */
  readonly beginning: readonly JsonPart[];
}

/**
 * Reads the input on demand, in chunks of one call each. Completes, checks and serializes each email that will be sent.
 */
export async function* chunksOf(
  items: SourceReader<BatchRequest>,
  base: BatchBase | undefined,
  complete: (mail: BatchRequest) => BatchRequest,
  run: SourceRun<BatchOutcome>,
  guard: RecipientGuard | undefined,
  keys: KeyedRun | undefined,
): AsyncGenerator<BatchChunk, void, undefined> {
  const { signal } = run;
  /** Serializes an email, or the common part of all calls, as JSON that fits into a call with `taken` other bytes. */
  const write = async (jsonOf: (mails: UnfinishedMails) => string, path: string, taken: number) => {
    try {
      const mails = unfinishedMails(OPERATION);
      const json = await mails.finished(jsonOf(mails), signal);
      const bytes = bytesOf(json);
      if (taken + bytes > MAX_BYTES)
        throw wrongArgument(OPERATION, path, `must be at most ${MAX_BYTES} bytes as JSON, base included`);
      return { json, bytes };
    } catch (cause) {
      signal.throwIfAborted();
      throw cause instanceof EmailPlatformError
        ? cause
        : wrongArgument(OPERATION, path, 'must be serializable as JSON', cause);
    }
  };
  const sharedJson = ({ marked }: UnfinishedMails) =>
    JSON.stringify({ base: marked(base, 'base.'), requests: [] });
  const shared = await write(sharedJson, 'base', 0);
  await keys?.shareBase(shared.json);
  const last = shared.json.pop() as string;
  const beginning = [...shared.json, last.slice(0, -END.length)];
  const emptyChunk = (): BatchChunk => ({
    inputs: [],
    senders: new Set(),
    json: [...beginning],
    bytes: shared.bytes,
    refused: [],
    keyed: [],
    duplicates: [],
    beginning,
  });
  const sizeOf = ({ inputs, refused, duplicates }: BatchChunk) =>
    inputs.length + refused.length + duplicates.length;
  let chunk = emptyChunk();
  let index = 0;
  try {
    for await (const { item } of items) {
      const input = { index, request: item };
      const path = `requests[${index}]`;
      try {
        if (run.unsent) throw run.unsent;
        const given = complete(item);
        refuseCall(OPERATION, batchItemIssues(given, base, path));
        const { key, mail } = keys?.withKey(item, index, given, base) ?? { mail: given };
        const mailJson = ({ marked }: UnfinishedMails) => {
          const written = JSON.stringify(marked(mail, `${path}.`));
          return guard ? guard.passMail(OPERATION, written, `${path}.`, base) : written;
        };
        const { json, bytes } = await write(mailJson, path, shared.bytes);
        const entry = key === undefined ? undefined : await keys?.add(input, key, json);
        if (entry?.kind === 'duplicate') chunk.duplicates.push(entry);
        else {
          if (chunk.bytes + bytes > MAX_BYTES) {
            yield chunk;
            chunk = emptyChunk();
          }
          chunk.json.push(chunk.inputs.length > 0 ? ',' : '', ...json);
          chunk.inputs.push(input);
          const { from = base?.from } = given;
          chunk.senders.add(domainOf(from));
          if (entry) chunk.keyed.push(entry);
          // The comma counts too.
          chunk.bytes += bytes + 1;
        }
      } catch (error) {
        chunk.refused.push(...failed([input], error as EmailPlatformError));
      }
      index += 1;
      if (sizeOf(chunk) < MAX_MAILS) continue;
      yield chunk;
      chunk = emptyChunk();
    }
  } finally {
    if (sizeOf(chunk) > 0) yield chunk;
  }
}
