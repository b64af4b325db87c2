import { InvalidRequestError } from '../core/errors.ts';
import { isRecord } from '../core/record.ts';
import type { BatchInput } from '../models/batch-outcomes.ts';
import { completeMail } from '../models/mail-input.ts';
import { batchItemIssues } from '../models/sending-checks.ts';
import type { BatchBase, BatchRequest } from '../models/sending.ts';
import { SourceReader, type Source } from './source-reader.ts';
import { draftMail, finish, needsEncoding, type JsonPart } from './mail-json.ts';

/** The operation named in a run's errors. */
export const OPERATION = 'sending.batchAll';

const MAX_MAILS = 500;
/** "50 MB" in the smaller of its two meanings, less the JSON around the base and the emails. */
const MAX_BYTES = 50_000_000 - 100;

/** An email as JSON, with its size. */
export interface Written {
  readonly json: JsonPart[];
  readonly bytes: number;
}

/** The emails of one call: as they were in the input, and as JSON. */
export interface BatchChunk {
  readonly inputs: BatchInput[];
  readonly json: JsonPart[][];
  /** Emails that cannot be sent, and why. */
  readonly refused: { readonly input: BatchInput; readonly error: InvalidRequestError }[];
}

const emptyChunk = (): BatchChunk => ({ inputs: [], json: [], refused: [] });

const bytesOf = (part: JsonPart): number =>
  typeof part === 'string' ? new TextEncoder().encode(part).length : part.size;

const refusal = (path: string, message: string, cause?: unknown) =>
  new InvalidRequestError([{ path, message }], { operation: OPERATION, cause });

/** Writes an email, or the base, as JSON that fits into a call with `taken` other bytes; `path` names it in errors. */
export async function write(
  mail: unknown,
  path: string,
  taken: number,
  signal: AbortSignal,
): Promise<Written> {
  let json: JsonPart[];
  try {
    if (!isRecord(mail)) throw refusal(path, 'must be an object');
    const draft = draftMail(mail, `${path}.`);
    json = needsEncoding(mail) ? await finish(draft, OPERATION, signal) : (draft as JsonPart[]);
  } catch (cause) {
    if (cause instanceof InvalidRequestError) throw cause;
    throw refusal(path, 'must be serializable as JSON', cause);
  }
  const bytes = json.reduce((sum, part) => sum + bytesOf(part), 0);
  if (taken + bytes > MAX_BYTES) throw refusal(path, 'is too large: a call can be at most 50 MB of JSON');
  return { json, bytes };
}

/** Reads the input as it is needed, and splits it into chunks of one call each. */
export class BatchInputs {
  readonly source: SourceReader<BatchRequest>;
  readonly #base: BatchBase | undefined;
  readonly #baseBytes: number;
  readonly #signal: AbortSignal;
  #count = 0;
  #chunk = emptyChunk();
  /** Written as JSON, and did not fit into the chunk. */
  #carried: (Written & { readonly input: BatchInput }) | undefined;

  constructor(
    source: Source<BatchRequest>,
    base: BatchBase | undefined,
    baseBytes: number,
    signal: AbortSignal,
  ) {
    this.source = new SourceReader(source);
    this.#base = base;
    this.#baseBytes = baseBytes;
    this.#signal = signal;
  }

  /** Whether there is nothing left to take. */
  get isEmpty(): boolean {
    return this.source.isOver && this.#carried === undefined;
  }

  /** Reads until the chunk is full or the input is over. Unless `isSending`, emails are not written as JSON. */
  async fill(isSending: () => boolean): Promise<void> {
    const { inputs, json, refused } = this.#chunk;
    let bytes = this.#baseBytes;
    while (inputs.length + refused.length < MAX_MAILS) {
      let mail = this.#carried;
      this.#carried = undefined;
      if (mail === undefined) {
        await this.source.read();
        const input = this.#current;
        if (input === undefined) return;
        try {
          const written = isSending() ? await this.#write(input) : { json: [], bytes: 0 };
          mail = { input, ...written };
        } catch (error) {
          refused.push({ input, error: error as InvalidRequestError });
        }
        this.#takeCurrent();
        if (mail === undefined) continue;
      }
      if (bytes + mail.bytes > MAX_BYTES) {
        this.#carried = mail;
        return;
      }
      inputs.push(mail.input);
      json.push(mail.json);
      // The comma counts too.
      bytes += mail.bytes + 1;
    }
  }

  /** Returns the chunk, and begins the next. */
  take(): BatchChunk {
    const chunk = this.#chunk;
    this.#chunk = emptyChunk();
    return chunk;
  }

  /** Removes and returns every email that was read but not taken. */
  abandon(): BatchInput[] {
    const { inputs, refused } = this.take();
    const left = [...inputs, ...refused.map(({ input }) => input)];
    if (this.#carried) left.push(this.#carried.input);
    if (this.#current) left.push(this.#current);
    this.#carried = undefined;
    this.#takeCurrent();
    return left;
  }

  /** Read, and being written as JSON. */
  get #current(): BatchInput | undefined {
    const { current } = this.source;
    return current && { index: this.#count, request: current.item };
  }

  #takeCurrent(): void {
    this.#count += 1;
    this.source.current = undefined;
  }

  async #write({ request, index }: BatchInput): Promise<Written> {
    const path = `requests[${index}]`;
    const mail = completeMail(request);
    const issues = batchItemIssues(mail, this.#base, path);
    if (issues.length > 0) throw new InvalidRequestError(issues, { operation: OPERATION });
    return write(mail, path, this.#baseBytes, this.#signal);
  }
}
