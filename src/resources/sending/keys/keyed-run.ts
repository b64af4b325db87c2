/** A run of `sending.batchAll` with keys. */
import { EmailPlatformError } from '../../../core/error-base.ts';
import { IdempotencyError, refuseCall, wrongArgument } from '../../../core/errors.ts';
import { joined, type JsonPart } from '../../../core/json-parts.ts';
import { keyRule } from '../../../core/key.ts';
import type { Claim } from '../../../core/request.ts';
import { tried } from '../../../core/tried.ts';
import { answered, failed, OPERATION } from '../batch/outcomes.ts';
import type { BatchInput, BatchOutcome } from '../batch/types.ts';
import type { BatchRequest, BatchResult } from '../types.ts';
import { carryingKey } from './carrying-key.ts';
import type { Destination, Decision, KeyedMail, KeyedRequest, Keys, Outcome, WrittenMail } from './types.ts';

/** The key of an email. */
export type KeyOf = (request: BatchRequest, index: number) => string;

/** An email of a call, with its key. */
export interface KeyedItem {
  readonly kind: 'item';
  readonly input: BatchInput;
  readonly mail: KeyedMail;
  /** The email as JSON. */
  readonly json: readonly JsonPart[];
}

/** An email of this run in flight, and the promise of its outcome. */
interface Sending {
  readonly mail: KeyedMail;
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
  readonly #keys: Keys;
  readonly #keyOf: KeyOf;
  readonly #to: Destination;
  #base: WrittenMail = {};
  /** By key: emails that were read and have no outcome yet. */
  readonly #sending = new Map<string, Sending>();

  constructor(keys: Keys, keyOf: KeyOf, to: Destination) {
    this.#keys = keys;
    this.#keyOf = keyOf;
    this.#to = to;
  }

  /** Reads the shared fields of all emails, from a serialized batch. */
  async shareBase(json: readonly JsonPart[]): Promise<void> {
    this.#base = await this.#keys.baseOf(json);
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
      this.#keys.variable,
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
  async add(input: BatchInput, key: string, json: readonly JsonPart[]): Promise<KeyedItem | Duplicate> {
    const mail = await this.#keys.mailOf(key, json, this.#to, this.#base);
    const other = this.#sending.get(key);
    if (!other) {
      let resolve!: (outcome: BatchOutcome) => void;
      const outcome = new Promise<BatchOutcome>((settle) => (resolve = settle));
      this.#sending.set(key, { mail, outcome, resolve });
      return { kind: 'item', input, mail, json };
    }
    if (this.#keys.mayBeSame(other.mail, mail)) return { kind: 'duplicate', input, outcome: other.outcome };
    const message = `${OPERATION}: the idempotencyKey belongs to an email of this run with other content`;
    const previous = { state: 'in_progress', message_ids: [] } as const;
    throw new IdempotencyError(message, { code: 'key_reused', effect: 'none', key, previous });
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
    for (const { input, mail } of keyed) {
      const outcome = byIndex.get(input.index);
      if (outcome) this.#sending.get(mail.key)?.resolve(outcome);
      this.#sending.delete(mail.key);
    }
    return Promise.all(duplicates.map(sharedOutcome));
  }

  /** One call with these emails. `whole` is its body; `beginning` and `end` are the parts around the emails. */
  call(
    items: readonly KeyedItem[],
    whole: readonly JsonPart[],
    beginning: readonly JsonPart[],
    end: string,
  ): KeyedCall {
    return new KeyedCall(this.#keys, items, (positions) => {
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

/** One call of a run with keys. The claim of the keys decides which of its emails are sent. */
export class KeyedCall implements KeyedRequest<BatchResult> {
  readonly operation = OPERATION;
  readonly isOne = false;
  readonly mails: readonly KeyedMail[];
  readonly claim: Claim<BatchResult>;
  readonly bodyOf: KeyedRequest<BatchResult>['bodyOf'];
  readonly #items: readonly KeyedItem[];
  /** By position; empty before the first claim of the keys. */
  #decisions: readonly Decision[] = [];

  constructor(keys: Keys, items: readonly KeyedItem[], bodyOf: KeyedRequest<BatchResult>['bodyOf']) {
    this.mails = items.map(({ mail }) => mail);
    this.bodyOf = bodyOf;
    this.#items = items;
    this.claim = keys.claimOf(this);
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
  endsOf(result: BatchResult, positions: readonly number[]): Outcome[] {
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
    return this.#items.flatMap(({ input, mail }, position): BatchOutcome[] => {
      const decision = this.#decisions[position];
      if (decision?.kind === 'accepted') return [replayed(input, decision.messageIds)];
      if (decision?.kind === 'refused') return refused(input, decision);
      const outcome = byIndex.get(input.index);
      if (!outcome) return [];
      return [decision?.isResent ? ofResent(outcome, mail.key) : outcome];
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
