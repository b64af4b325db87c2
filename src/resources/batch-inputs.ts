import { InvalidRequestError } from '../core/errors.ts';
import { isRecord } from '../core/record.ts';
import type { BatchInput } from '../models/batch-outcomes.ts';
import type { BatchRequest } from '../models/sending.ts';
import { draftMail, finish, needsEncoding, type JsonPart } from './mail-json.ts';

/** What a run is called in its errors. */
export const OPERATION = 'sending.batchAll';

const MAX_MAILS = 500;
/** "50 MB" in the smaller of its two meanings, less what stands around the base and the mails. */
const MAX_BYTES = 50_000_000 - 100;

/** A mail as JSON, with its size. */
export interface Written {
  readonly json: JsonPart[];
  readonly bytes: number;
}

/** The mails of one call: as they were given, and as JSON. */
export interface BatchChunk {
  readonly inputs: BatchInput[];
  readonly json: JsonPart[][];
  /** Those that cannot be sent, and why. */
  readonly refused: { readonly input: BatchInput; readonly error: InvalidRequestError }[];
}

const emptyChunk = (): BatchChunk => ({ inputs: [], json: [], refused: [] });

const bytesOf = (part: JsonPart): number =>
  typeof part === 'string' ? new TextEncoder().encode(part).length : part.size;

const refusal = (path: string, message: string, cause?: unknown) =>
  new InvalidRequestError([{ path, message }], { operation: OPERATION, cause });

/** Writes a mail, or what all of them share, as JSON that fits into a call beside `taken` bytes; `path` names it. */
export async function write(
  mail: unknown,
  path: string,
  taken: number,
  signal: AbortSignal,
): Promise<Written> {
  if (!isRecord(mail)) throw refusal(path, 'must be an object');
  let json: JsonPart[];
  try {
    const draft = draftMail(mail, `${path}.`);
    json = needsEncoding(mail) ? await finish(draft, OPERATION, signal) : (draft as JsonPart[]);
  } catch (cause) {
    if (cause instanceof InvalidRequestError) throw cause;
    throw refusal(path, 'must be serializable as JSON', cause);
  }
  const bytes = json.reduce((sum, part) => sum + bytesOf(part), 0);
  if (taken + bytes > MAX_BYTES) throw refusal(path, 'is too large: no call can be more than 50 MB of JSON');
  return { json, bytes };
}

/** What mails can be read from. */
export type BatchSource = Iterable<BatchRequest> | AsyncIterable<BatchRequest>;

type Reader = Iterator<BatchRequest, unknown> | AsyncIterator<BatchRequest, unknown>;

const readerOf = (source: BatchSource): Reader =>
  Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();

/** Reads the input as it is needed, and cuts it into calls. */
export class BatchInputs {
  /** Whether nothing more is read: the input has ended, or failed, or was closed. */
  isOver = false;
  /** What the input threw. */
  failure: { readonly error: unknown } | undefined;
  readonly #iterator: Reader;
  readonly #baseBytes: number;
  readonly #signal: AbortSignal;
  #isReading = false;
  #closing: Promise<unknown> = Promise.resolve();
  #count = 0;
  #cut = emptyChunk();
  /** Read, and being written. */
  #current: BatchInput | undefined;
  /** Written, and did not fit into the cut. */
  #carried: (Written & { readonly input: BatchInput }) | undefined;

  constructor(source: BatchSource, baseBytes: number, signal: AbortSignal) {
    this.#iterator = readerOf(source);
    this.#baseBytes = baseBytes;
    this.#signal = signal;
  }

  /** Whether there is nothing left to take. */
  get isEmpty(): boolean {
    return this.isOver && this.#carried === undefined;
  }

  /** Reads until a call is full, or the input over. Mails that will not be sent need not be written. */
  async fill(isSending: () => boolean): Promise<void> {
    const { inputs, json, refused } = this.#cut;
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
      // Its comma counts too.
      bytes += mail.bytes + 1;
    }
  }

  /** What has been filled. */
  take(): BatchChunk {
    const cut = this.#cut;
    this.#cut = emptyChunk();
    return cut;
  }

  /** Every mail that was read and not taken; none of them is any more. */
  abandon(): BatchInput[] {
    const { inputs, refused } = this.take();
    const left = [...inputs, ...refused.map(({ input }) => input)];
    if (this.#carried) left.push(this.#carried.input);
    if (this.#current) left.push(this.#current);
    this.#carried = undefined;
    this.#current = undefined;
    return left;
  }

  /** Reads no more, and tells the input so. What is being waited for is not waited for any longer. */
  close(): Promise<unknown> {
    if (this.isOver) return this.#closing;
    this.isOver = true;
    const closing = (async () => this.#iterator.return?.())();
    // Handled: whoever awaits it hears of it.
    closing.catch(() => undefined);
    if (!this.#isReading) this.#closing = closing;
    return this.#closing;
  }

  #write({ request, index }: BatchInput): Promise<Written> {
    return write(request, `requests[${index}]`, this.#baseBytes, this.#signal);
  }

  async #read(): Promise<void> {
    if (this.isOver) return;
    this.#isReading = true;
    try {
      const step = this.#iterator.next();
      // Not waited for where it is there: the run could end meanwhile, and the mail would be lost.
      const { done = false, value } = 'then' in step ? await step : step;
      // One that comes after the end of the run belongs to nobody.
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

  /** A call, where the compiler would remember what `isOver` was before something was awaited. */
  #hasEnded(): boolean {
    return this.isOver;
  }
}
