/** A run of `sending.batchAll` with keys. */
import { EmailPlatformError } from '../../core/error-base.ts';
import { IdempotencyError, refuseCall, wrongArgument } from '../../core/errors.ts';
import { joined, type JsonPart } from '../../core/json-parts.ts';
import type { Claim } from '../../core/request.ts';
import { tried } from '../../core/tried.ts';
import { keyRule } from '../../core/key.ts';
import { answered, failed, OPERATION } from './batch-results.ts';
import type { BatchInput, BatchOutcome } from './batch-types.ts';
import type { MailEnd } from './key-attempt.ts';
import { KeyClaims, type Finding } from './key-claims.ts';
import {
  carryingKey,
  keyedMailOf,
  mayBeSame,
  readWritten,
  type Destination,
  type KeyedMail,
} from './keyed-mail.ts';
import type { KeyContext } from './keyed-send.ts';
import type { BatchRequest, BatchResult } from './types.ts';

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

/** An email of this run that is being sent, and its outcome, once there is one. */
interface Sending {
  readonly hash: string;
  readonly outcome: Promise<BatchOutcome>;
  readonly resolve: (outcome: BatchOutcome) => void;
}

/** An email with the same key and the same content as another one, whose outcome it shares. */
export interface Twin {
  readonly kind: 'twin';
  readonly input: BatchInput;
  readonly outcome: Promise<BatchOutcome>;
}

/** The keys of one run. */
export class KeyedRun {
  readonly #context: KeyContext;
  readonly #keyOf: KeyOf;
  readonly #to: Destination;
  #base: Readonly<Record<string, unknown>> = {};
  /** By key: emails that have been read, and have no outcome yet. */
  readonly #sending = new Map<string, Sending>();

  constructor(context: KeyContext, keyOf: KeyOf, to: Destination) {
    this.#context = context;
    this.#keyOf = keyOf;
    this.#to = to;
  }

  /** Takes what all emails share, of a batch as it was written. */
  async shareBase(json: readonly JsonPart[]): Promise<void> {
    this.#base = await readWritten(json, ({ base }) => base);
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
        throw wrongArgument(OPERATION, name, 'could not be made, because the function threw', cause);
      },
    );
    const wrong = keyRule(key);
    if (typeof wrong === 'string') throw wrongArgument(OPERATION, name, wrong);
    const { mail: carrying, issues } = carryingKey(
      mail,
      this.#context.journal,
      key as string,
      `${path}.`,
      base,
    );
    refuseCall(OPERATION, issues);
    return { key: key as string, mail: carrying };
  }

  /** An email of this run, as it was written; or another one with the same key and content, which is being sent. */
  async enter(input: BatchInput, key: string, json: readonly JsonPart[]): Promise<KeyedItem | Twin> {
    const written = { ...this.#base, ...(await readWritten(json)) };
    const mail = await keyedMailOf(this.#context.journal, key, written, this.#to);
    const other = this.#sending.get(key);
    if (!other) {
      let resolve!: (outcome: BatchOutcome) => void;
      const outcome = new Promise<BatchOutcome>((settle) => (resolve = settle));
      this.#sending.set(key, { hash: mail.hash, outcome, resolve });
      return { kind: 'item', input, mail, json };
    }
    if (mayBeSame(other.hash, mail.hash)) return { kind: 'twin', input, outcome: other.outcome };
    const message = `${OPERATION}: the idempotencyKey belongs to an email of this run with other content`;
    const previous = { state: 'in_progress', message_ids: [] } as const;
    throw new IdempotencyError(message, { code: 'key_reused', effect: 'none', key, previous });
  }

  /** Ends the emails of a call, which have their outcomes, and returns those of the emails that share another's. */
  async shared(
    { keyed, twins }: { readonly keyed: readonly KeyedItem[]; readonly twins: readonly Twin[] },
    outcomes: readonly BatchOutcome[],
  ): Promise<BatchOutcome[]> {
    const byIndex = new Map(outcomes.map((outcome) => [outcome.index, outcome]));
    for (const { input, mail } of keyed) {
      const outcome = byIndex.get(input.index);
      if (outcome) this.#sending.get(mail.key)?.resolve(outcome);
      this.#sending.delete(mail.key);
    }
    return Promise.all(twins.map(sharedOutcome));
  }

  /** One call with these emails. `beginning` and `end` are the rest of its body. */
  call(items: readonly KeyedItem[], beginning: readonly JsonPart[], end: string): KeyedCall {
    const { journal, search } = this.#context;
    const mails = items.map(({ mail }) => mail);
    const claims = new KeyClaims(OPERATION, journal, mails, search);
    return new KeyedCall(claims, items, (sent) => {
      const parts = sent.flatMap(({ json }, index) => (index > 0 ? [',', ...json] : json));
      return joined([...beginning, ...parts, end]);
    });
  }
}

/** The outcome of a twin, once there is one. */
async function sharedOutcome({ input, outcome: shared }: Twin): Promise<BatchOutcome> {
  const outcome = await shared;
  return outcome.status === 'accepted' ? { ...outcome, ...input, replayed: true } : { ...outcome, ...input };
}

/** One call of a run with keys. Which of its emails are sent is known once their keys are claimed. */
export class KeyedCall {
  readonly claim: Claim<BatchResult>;
  readonly #items: readonly KeyedItem[];
  /** By position; empty before the keys were claimed for the first time. */
  #findings: readonly Finding[] = [];

  constructor(
    claims: KeyClaims,
    items: readonly KeyedItem[],
    bodyOf: (items: readonly KeyedItem[]) => JsonPart,
  ) {
    this.#items = items;
    let takes = 0;
    this.claim = {
      take: async (leaseMs) => {
        const take = (takes += 1);
        const taken = await claims.take(leaseMs);
        // One that took too long is given up; the next one may have ended before it.
        if (take === takes) this.#findings = taken.findings;
        // Each outcome says so by itself.
        if (taken.kind === 'unsettled') return { ...taken, mayHaveActed: false };
        const sent = claimedOf(items, taken.findings);
        if (sent.length === 0) return { kind: 'answered', result: { success: true, responses: [] } };
        return {
          kind: 'taken',
          body: sent.length < items.length ? bodyOf(sent) : undefined,
          record: (end) =>
            end.kind === 'answered' ? taken.answered(endsOf(sent, end.result)) : taken.failed(end.effect),
        };
      },
    };
  }

  /** The outcomes of all its emails: of those that were sent, what is known of the call. */
  outcomes(end: BatchResult | EmailPlatformError): BatchOutcome[] {
    const sent = claimedOf(this.#items, this.#findings).map(({ input }) => input);
    const ofSent = end instanceof EmailPlatformError ? failed(sent, end) : answered(sent, end);
    const byIndex = new Map(ofSent.map((outcome) => [outcome.index, outcome]));
    return this.#items.flatMap(({ input }, position): BatchOutcome[] => {
      const finding = this.#findings[position];
      if (finding?.kind === 'accepted') return [replayed(input, finding.messageIds)];
      if (finding?.kind === 'refused') return failed([input], finding.error);
      const outcome = byIndex.get(input.index);
      if (!outcome) return [];
      return [finding?.isResent ? ofResent(outcome, this.#items[position]?.mail.key ?? '') : outcome];
    });
  }
}

/** Emails to send now; all of them where nothing is known of their keys. */
const claimedOf = (items: readonly KeyedItem[], findings: readonly Finding[]) =>
  items.filter((_, index) => (findings[index]?.kind ?? 'claimed') === 'claimed');

/** The outcome of an email that was not sent now, or rejected, but may have been sent before. */
function ofResent(outcome: BatchOutcome, key: string): BatchOutcome {
  if (outcome.status === 'not_sent') return { ...outcome, status: 'unknown' };
  if (outcome.status !== 'rejected') return outcome;
  const message = `${OPERATION}: the email was rejected, but may have been sent before with its idempotencyKey`;
  const previous = { state: 'unknown', message_ids: [] } as const;
  const error = new IdempotencyError(message, { code: 'unknown', effect: 'unknown', key, previous });
  return { ...outcome, status: 'unknown', error };
}

const replayed = (input: BatchInput, messageIds: readonly string[]): BatchOutcome => ({
  ...input,
  status: 'accepted',
  message_ids: [...messageIds],
  replayed: true,
});

/** What is recorded of the emails of a call that was answered. */
const endsOf = (items: readonly KeyedItem[], result: BatchResult): MailEnd[] =>
  answered(
    items.map(({ input }) => input),
    result,
  ).map(({ status, message_ids = [] }) => {
    if (status === 'accepted') return { state: 'accepted', messageIds: message_ids };
    return { state: status === 'rejected' ? 'released' : 'unknown', messageIds: [] };
  });
