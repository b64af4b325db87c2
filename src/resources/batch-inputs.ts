import { InvalidRequestError } from '../core/errors.ts';
import { isRecord } from '../core/record.ts';
import type { BatchInput } from '../models/batch-outcomes.ts';
import { completeMail } from '../models/mail-input.ts';
import { batchItemIssues } from '../models/sending-checks.ts';
import type { BatchBase, BatchRequest } from '../models/sending.ts';
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

/** What emails can be read from. */
export type BatchSource = Iterable<BatchRequest> | AsyncIterable<BatchRequest>;

type Reader = Iterator<BatchRequest, unknown> | AsyncIterator<BatchRequest, unknown>;

const readerOf = (source: BatchSource): Reader =>
  Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();

/** Reads the input as it is needed, and splits it into chunks of one call each. */
export class BatchInputs {
  /** Whether nothing more is read: the input has ended, has failed or was closed. */
  isOver = false;
  /** What the input threw. */
  failure: { readonly error: unknown } | undefined;
  readonly #iterator: Reader;
  readonly #base: BatchBase | undefined;
  readonly #baseBytes: number;
  readonly #signal: AbortSignal;
  #isReading = false;
  #closing: Promise<unknown> = Promise.resolve();
  #count = 0;
  #chunk = emptyChunk();
  /** Read, and being written as JSON. */
  #current: BatchInput | undefined;
  /** Written as JSON, and did not fit into the chunk. */
  #carried: (Written & { readonly input: BatchInput }) | undefined;

  constructor(source: BatchSource, base: BatchBase | undefined, baseBytes: number, signal: AbortSignal) {
    this.#iterator = readerOf(source);
    this.#base = base;
    this.#baseBytes = baseBytes;
    this.#signal = signal;
  }

  /** Whether there is nothing left to take. */
  get isEmpty(): boolean {
    return this.isOver && this.#carried === undefined;
  }

  /** Reads until the chunk is full or the input is over. Unless `isSending`, emails are not written as JSON. */
  async fill(isSending: () => boolean): Promise<void> {
    const { inputs, json, refused } = this.#chunk;
    let bytes = this.#baseBytes;
    while (inputs.length + refused.length < MAX_MAILS) {
      let mail = this.#carried;
      this.#carried = undefined;
      if (mail === undefined) {
        await this.#read();
        const input = this.#current;
        if (input === undefined) return;
        try {
          const written = isSending() ? await this.#write(input) : { json: [], bytes: 0 };
          mail = { input, ...written };
        } catch (error) {
          refused.push({ input, error: error as InvalidRequestError });
        }
        this.#current = undefined;
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
    this.#current = undefined;
    return left;
  }

  /** Stops reading and closes the input, without waiting for a read in progress. */
  close(): Promise<unknown> {
    if (this.isOver) return this.#closing;
    this.isOver = true;
    const closing = (async () => this.#iterator.return?.())();
    // Not an unhandled rejection: it still reaches the code that awaits the result.
    closing.catch(() => undefined);
    if (!this.#isReading) this.#closing = closing;
    return this.#closing;
  }

  async #write({ request, index }: BatchInput): Promise<Written> {
    const path = `requests[${index}]`;
    const mail = completeMail(request);
    const issues = batchItemIssues(mail, this.#base, path);
    if (issues.length > 0) throw new InvalidRequestError(issues, { operation: OPERATION });
    return write(mail, path, this.#baseBytes, this.#signal);
  }

  async #read(): Promise<void> {
    if (this.isOver) return;
    this.#isReading = true;
    try {
      const step = this.#iterator.next();
      // Not awaited if already there: the run could end in the meantime, and the email would be lost.
      const { done = false, value } = 'then' in step ? await step : step;
      // An email that arrives after the end of the run is dropped.
      if (!done && !this.#hasEnded()) {
        this.#current = { index: this.#count++, request: value as BatchRequest };
        return;
      }
    } catch (error) {
      if (!this.#hasEnded()) this.failure = { error };
    } finally {
      this.#isReading = false;
    }
    this.isOver = true;
  }

  /** A method, because the compiler would assume that `isOver` is still what it was before the `await`. */
  #hasEnded(): boolean {
    return this.isOver;
  }
}
