/** A run of `sending.batchAll` with keys. */
import type { Decision, Key, KeyedMails, KeyOutcome, RequestKeys } from '../../../core/request.ts';
import { EmailPlatformError } from '../../../core/error-base.ts';
import { IdempotencyError, refuseCall, wrongArgument } from '../../../core/errors.ts';
import { joined, type JsonPart } from '../../../core/json.ts';
import { keyRule } from '../../../core/key.ts';
import { tried } from '../../../core/tried.ts';
import { answered, failed, OPERATION } from './outcomes.ts';
import type { BatchInput, BatchOutcome } from './types.ts';
import type { BatchRequest, BatchResult } from '../types.ts';
import type { Destination, SendingJournal, WrittenMail } from '../../../core/sending-journal.ts';
import { carryingKey } from '../mail/carrying-key.ts';

/** The key of an email. */
export type KeyOf = (request: BatchRequest, index: number) => string;

/** An email of a call, with its key. */
export interface KeyedItem {
  readonly kind: 'item';
  readonly input: BatchInput;
  readonly key: Key;
  /** The email as JSON. */
  readonly json: readonly JsonPart[];
}

/** An email of this run in flight, and the promise of its outcome. */
interface Sending {
  readonly key: Key;
  readonly outcome: Promise<BatchOutcome>;
  readonly resolve: (outcome: BatchOutcome) => void;
}

/** An email with the key and the content of another one. It shares the outcome of that one. */
export interface Duplicate {
  readonly kind: 'duplicate';
  readonly input: BatchInput;
  readonly outcome: Promise<BatchOutcome>;
}

/** The keys of one run. */
export class KeyedRun {
  readonly #journal: SendingJournal;
  readonly #keyOf: KeyOf;
  readonly #to: Destination;
  #base: WrittenMail = {};
  /** By key: emails that were read and have no outcome yet. */
  readonly #sending = new Map<string, Sending>();

  constructor(journal: SendingJournal, keyOf: KeyOf, to: Destination) {
    this.#journal = journal;
    this.#keyOf = keyOf;
    this.#to = to;
  }

  /** Reads the shared fields of all emails, from a serialized batch. */
  async shareBase(json: readonly JsonPart[]): Promise<void> {
    this.#base = await this.#journal.baseOf(json);
  }

  /** An email's key, and the email with it. */
  withKey(
    request: BatchRequest,
    index: number,
    mail: BatchRequest,
    base: unknown,
  ): { readonly key: string; readonly mail: BatchRequest } {
    const path = `requests[${index}]`;
    const name = `the idempotencyKey of ${path}`;
    const keyOf = this.#keyOf;
    const key: unknown = tried(
      () => keyOf(request, index),
      (cause) => {
        throw wrongArgument(OPERATION, name, 'is missing, because the function threw', cause);
      },
    );
    const wrong = keyRule(key);
    if (typeof wrong === 'string') throw wrongArgument(OPERATION, name, wrong);
    const { mail: carrying, issues } = carryingKey(
      mail,
      this.#journal.variable,
      key as string,
      `${path}.`,
      base,
    );
    refuseCall(OPERATION, issues);
    return { key: key as string, mail: carrying };
  }

  /**
   * Adds a serialized email to the run; or, if one with the same key and content is in flight, returns a duplicate of
   * that.
   */
  async add(input: BatchInput, keyText: string, json: readonly JsonPart[]): Promise<KeyedItem | Duplicate> {
    const key = await this.#journal.keyFor(keyText, json, this.#to, this.#base);
    const other = this.#sending.get(key.key);
    if (!other) {
      let resolve!: (outcome: BatchOutcome) => void;
      const outcome = new Promise<BatchOutcome>((settle) => (resolve = settle));
      this.#sending.set(key.key, { key, outcome, resolve });
      return { kind: 'item', input, key, json };
    }
    if (this.#journal.mayBeSame(other.key, key)) return { kind: 'duplicate', input, outcome: other.outcome };
    const message = `${OPERATION}: the idempotencyKey belongs to an email of this run with other content`;
    const previous = { state: 'in_progress', message_ids: [] } as const;
    throw new IdempotencyError(message, { code: 'key_reused', effect: 'none', key: key.key, previous });
  }

  /** Resolves the outcomes of a call's emails, and returns the outcomes of the call's duplicates. */
  async shared(
    {
      keyed,
      duplicates,
    }: { readonly keyed: readonly KeyedItem[]; readonly duplicates: readonly Duplicate[] },
    outcomes: readonly BatchOutcome[],
  ): Promise<BatchOutcome[]> {
    const byIndex = new Map(outcomes.map((outcome) => [outcome.index, outcome]));
    for (const { input, key } of keyed) {
      const outcome = byIndex.get(input.index);
      if (outcome) this.#sending.get(key.key)?.resolve(outcome);
      this.#sending.delete(key.key);
    }
    return Promise.all(duplicates.map(sharedOutcome));
  }

  /** The emails of one call. `whole` is its body, `beginning` and `end` are around the emails. */
  batchOf(
    items: readonly KeyedItem[],
    whole: readonly JsonPart[],
    beginning: readonly JsonPart[],
    end: string,
  ): KeyedBatch {
    return new KeyedBatch(this.#journal, items, (positions) => {
      if (positions.length === items.length) return joined(whole);
      const parts = positions.map((position) => items[position]?.json ?? []);
      const mails = parts.flatMap((json, index) => (index > 0 ? [',', ...json] : json));
      return joined([...beginning, ...mails, end]);
    });
  }
}

/** The outcome of a duplicate. */
async function sharedOutcome({ input, outcome: shared }: Duplicate): Promise<BatchOutcome> {
  const outcome = await shared;
  return outcome.status === 'accepted' ? { ...outcome, ...input, replayed: true } : { ...outcome, ...input };
}

/** The emails of one call, with their keys. The decisions about the keys say which of them are sent. */
export class KeyedBatch implements KeyedMails<BatchResult> {
  readonly isOne = false;
  readonly bodyOf: KeyedMails<BatchResult>['bodyOf'];
  readonly keys: RequestKeys;
  readonly #items: readonly KeyedItem[];
  /** By position; empty before the first claim of the keys. */
  #decisions: readonly Decision[] = [];

  constructor(
    journal: SendingJournal,
    items: readonly KeyedItem[],
    bodyOf: KeyedMails<BatchResult>['bodyOf'],
  ) {
    this.bodyOf = bodyOf;
    this.#items = items;
    this.keys = journal.keysOf(
      OPERATION,
      items.map(({ key }) => key),
    );
  }

  decided(decisions: readonly Decision[]): void {
    this.#decisions = decisions;
  }

  unsent(): BatchResult {
    return { success: true, responses: [] };
  }

  /**
   * The outcomes of the emails at these positions; an email with another outcome than accepted or rejected may have
   * been sent.
   */
  outcomesOf(result: BatchResult, positions: readonly number[]): KeyOutcome[] {
    const inputs = positions.flatMap((position) => this.#items[position]?.input ?? []);
    return answered(inputs, result).map(({ status, message_ids = [] }) => {
      if (status === 'accepted') return { state: 'accepted', messageIds: message_ids };
      return { state: status === 'rejected' ? 'released' : 'unknown', messageIds: [] };
    });
  }

  /** The outcomes of all its emails; for sent emails, the outcomes of the call. */
  outcomes(end: BatchResult | EmailPlatformError): BatchOutcome[] {
    const sent = claimedOf(this.#items, this.#decisions).map(({ input }) => input);
    const ofSent = end instanceof EmailPlatformError ? failed(sent, end) : answered(sent, end);
    const byIndex = new Map(ofSent.map((outcome) => [outcome.index, outcome]));
    return this.#items.flatMap(({ input, key }, position): BatchOutcome[] => {
      const decision = this.#decisions[position];
      if (decision?.kind === 'accepted') return [replayed(input, decision.messageIds)];
      if (decision?.kind === 'refused') return refused(input, decision);
      const outcome = byIndex.get(input.index);
      if (!outcome) return [];
      return [decision?.isResent ? ofResent(outcome, key.key) : outcome];
    });
  }
}

/** Emails to send now; all of them before the first claim. */
const claimedOf = (items: readonly KeyedItem[], decisions: readonly Decision[]) =>
  items.filter((_, index) => (decisions[index]?.kind ?? 'claimed') === 'claimed');

/** The outcome of an email that may have been sent before, and was now rejected or not sent. */
function ofResent(outcome: BatchOutcome, key: string): BatchOutcome {
  if (outcome.status === 'not_sent') return { ...outcome, status: 'unknown' };
  if (outcome.status !== 'rejected') return outcome;
  const message = `${OPERATION}: the email was rejected, but may have been sent before with its idempotencyKey`;
  const previous = { state: 'unknown', message_ids: [] } as const;
  const error = new IdempotencyError(message, { code: 'unknown', effect: 'unknown', key, previous });
  return { ...outcome, status: 'unknown', error };
}

/** The outcome of an email that was not sent, because of its key. */
function refused(
  input: BatchInput,
  { error, isHere }: Extract<Decision, { readonly kind: 'refused' }>,
): BatchOutcome[] {
  const { retryAfterMs } = error;
  const isLater = !isHere && retryAfterMs !== undefined;
  return failed([input], error).map((outcome) =>
    outcome.status === 'unknown' && isLater ? { ...outcome, retryAfterMs } : outcome,
  );
}

const replayed = (input: BatchInput, messageIds: readonly string[]): BatchOutcome => ({
  ...input,
  status: 'accepted',
  message_ids: [...messageIds],
  replayed: true,
});
