/** The decisions about the keys of one call: claims them, looks them up in the email log, and records the outcome of the call. */
import type {
  DecidedKeys,
  Decision,
  Key,
  KeyOutcome,
  RequestKeys,
  RequestOptions,
  UnsettledKeys,
} from '../../../core/request.ts';
import type { Effect } from '../../../core/error-base.ts';
import {
  IdempotencyError,
  journalFailure,
  ResponseFormatError,
  type PreviousSend,
} from '../../../core/errors.ts';
import type { Journal, JournalEntry } from '../../../core/journal.ts';
import { KeyAttempt } from './key-attempt.ts';
import { mayBeSame } from './key.ts';
import type { LogSearch } from './log-search.ts';
import { LOG_DAYS, type LookedFor } from './matches.ts';

/** A key with an unknown outcome, and the entry of its last attempt. */
interface Unsettled {
  readonly key: Key;
  readonly entry: JournalEntry;
  /** Time of the claim in milliseconds since 1970, by this machine's wall clock. */
  readonly claimedAt: number;
}

/** The result of a search of the email log for one key. */
interface Search {
  /** Id of the attempt that held the claim during the search. */
  readonly attempt: string;
  /** The error of the search; undefined if the log was read and does not have the key. */
  readonly failure: unknown;
  /** Whether the email may be sent again. */
  readonly isDue: boolean;
}

/** Retry-after for a key in flight in this process: its real end is unknown. */
const SHORT_WAIT_MS = 1_000;

/** The reason why the log may have forgotten an email; undefined if its claim is young enough. */
function forgottenBy({ ageMs }: JournalEntry): ResponseFormatError | undefined {
  if (ageMs < LOG_DAYS * 86_400_000) return undefined;
  const message = `emailLogs.list may no longer show an email that is ${LOG_DAYS} days old`;
  return new ResponseFormatError(message, { effect: 'none' });
}

const otherEmail = () =>
  new ResponseFormatError('emailLogs.list shows an email of this key, which was forgotten since', {
    effect: 'none',
  });

/** Decides about the keys of the emails of one call, over all its attempts. */
export class Decisions implements RequestKeys {
  readonly #operation: string;
  readonly #journal: Journal;
  readonly #keys: readonly Key[];
  readonly #search: LogSearch;
  readonly #searches = new Map<string, Search>();
  /** By key: the attempt of this call that claimed the key, and then released it because its email was not sent. */
  readonly #returned = new Map<string, string>();

  constructor(operation: string, journal: Journal, keys: readonly Key[], search: LogSearch) {
    this.#operation = operation;
    this.#journal = journal;
    this.#keys = keys;
    this.#search = search;
  }

  /** Claims the keys for one attempt. If one key needs a search of the log first, the claims of the others are released. */
  async claim(leaseMs: number): Promise<DecidedKeys | UnsettledKeys> {
    const attempt = new KeyAttempt(this.#journal);
    const entries = await attempt
      .claim(this.#keys, leaseMs, (key) => this.#mayTakeOver(key))
      .catch((cause: unknown) => this.#fail(cause));
    const unsettled: Unsettled[] = [];
    const decisions = this.#keys.map((key, index): Decision => {
      const entry = entries[index];
      if (!entry) return { kind: 'claimed', isResent: this.#searches.get(key.key)?.isDue === true };
      if (!('state' in entry)) return this.#inProgress(key, entry.hash);
      const decision = this.#decisionOf(key, entry);
      if (decision) return decision;
      unsettled.push({ key, entry, claimedAt: this.#search.wallNow() - entry.ageMs });
      return this.#unknown(key, entry, undefined);
    });
    const end = (endOf: (index: number) => KeyOutcome) =>
      attempt.end((index, key) => {
        const ended = endOf(index);
        if (ended.state === 'released') this.#returned.set(key, attempt.id);
        return ended;
      });
    const failed = (effect: Effect) =>
      end(() => ({ state: effect === 'none' ? 'released' : 'unknown', messageIds: [] }));
    if (unsettled.length === 0)
      return {
        kind: 'decided',
        decisions,
        answered: (ends) => end((index) => ends[index] ?? { state: 'unknown', messageIds: [] }),
        failed,
      };
    await failed('none').catch((cause: unknown) => this.#fail(cause));
    return { kind: 'unsettled', decisions, lookUp: (options) => this.#lookUp(unsettled, options) };
  }

  #fail(cause: unknown): never {
    throw journalFailure(`${this.#operation} was not sent`, cause);
  }

  /** Id of the attempt whose claim may be taken over: one of this call, or one whose email the log does not have. */
  #mayTakeOver(key: string): string | undefined {
    const search = this.#searches.get(key);
    return this.#returned.get(key) ?? (search?.isDue ? search.attempt : undefined);
  }

  /** The decision about an email whose key was not claimed; undefined if the key needs a search of the log. */
  #decisionOf(key: Key, entry: JournalEntry): Decision | undefined {
    const { state, hash, leaseLeftMs, messageIds } = entry;
    const isInFlight = state === 'claimed' && leaseLeftMs > 0;
    if (isInFlight) return this.#inProgress(key, hash, leaseLeftMs);
    if (!mayBeSame(hash, key.hash))
      return this.#reused(key, { state: state === 'accepted' ? state : 'unknown', message_ids: messageIds });
    if (state === 'accepted') return { kind: 'accepted', messageIds };
    const search = this.#searches.get(key.key);
    return search?.attempt === entry.attempt ? this.#unknown(key, entry, search.failure) : undefined;
  }

  /** A key of another process has a lease: after its end, that process does not send the email. */
  #inProgress(key: Key, hash: string, leaseLeftMs?: number): Decision {
    const previous: PreviousSend = { state: 'in_progress', message_ids: [] };
    if (!mayBeSame(hash, key.hash)) return this.#reused(key, previous);
    const seconds = Math.ceil((leaseLeftMs ?? 0) / 1_000);
    const lease =
      leaseLeftMs === undefined
        ? 'by this process'
        : `or its process is gone; the lease ends in ${seconds} s`;
    return this.#refused(key, `its email is being sent now, ${lease}`, 'in_progress', previous, {
      retryAfterMs: leaseLeftMs ?? SHORT_WAIT_MS,
      isHere: leaseLeftMs === undefined,
    });
  }

  #reused(key: Key, previous: PreviousSend): Decision {
    return this.#refused(key, 'it belongs to an email with other content', 'key_reused', previous, {});
  }

  #unknown(key: Key, entry: JournalEntry, failure: unknown): Decision {
    const { onUnknown } = this.#journal;
    const dueInMs = this.#dueInMs(entry);
    const isSandbox = key.stream === 'sandbox';
    const why = isSandbox
      ? 'emails in a sandbox are not in the log'
      : failure === undefined
        ? 'the email log does not have it'
        : 'the email log could not be read';
    const isForTime = onUnknown === 'resend' && failure === undefined && !isSandbox && dueInMs > 0;
    const retryAfterMs = isForTime ? dueInMs : undefined;
    const reason = `its email may have been sent; ${why}`;
    const previous: PreviousSend = { state: 'unknown', message_ids: [] };
    return this.#refused(key, reason, 'unknown', previous, { retryAfterMs, cause: failure });
  }

  /** Milliseconds until the absence of a key from the log proves that its email was not sent. */
  #dueInMs({ leaseLeftMs }: JournalEntry): number {
    return leaseLeftMs + this.#journal.settleAfterMs;
  }

  #refused(
    { key }: Key,
    reason: string,
    code: IdempotencyError['code'],
    previous: PreviousSend,
    {
      isHere = false,
      ...more
    }: {
      readonly retryAfterMs?: number | undefined;
      readonly cause?: unknown;
      readonly isHere?: boolean;
    },
  ): Decision {
    const effect: Effect = code === 'key_reused' ? 'none' : 'unknown';
    const message = `${this.#operation} was not sent: the idempotencyKey was used before, and ${reason}`;
    const isRetryable = more.retryAfterMs !== undefined;
    return {
      kind: 'refused',
      isHere,
      error: new IdempotencyError(message, { code, effect, key, previous, isRetryable, ...more }),
    };
  }

  /** Searches the log for emails, and records those that it finds. */
  async #lookUp(unsettled: readonly Unsettled[], options: RequestOptions): Promise<void> {
    const { namespace, store, onUnknown } = this.#journal;
    const wanted = unsettled
      .filter(({ key }) => key.stream !== 'sandbox')
      .map(({ key, claimedAt }): LookedFor => ({ ...key, claimedAt }));
    const matches = await this.#search.find(wanted, options);
    const entries = unsettled.map(({ entry }) => entry);
    const records = matches.recordsOf(namespace, entries);
    if (records.length > 0) await store.record(records).catch((cause: unknown) => this.#fail(cause));
    for (const { key, entry } of unsettled) {
      // If the key is open nevertheless, the store knows the messages as those of a forgotten key.
      const failure = matches.idsOf(key.key)
        ? otherEmail()
        : (matches.failureOf(key.key) ?? forgottenBy(entry));
      // A key may be sent again only if the log was searched after the lease and the settling time had ended.
      const isAbsent = failure === undefined && key.stream !== 'sandbox';
      const isDue = onUnknown === 'resend' && isAbsent && this.#dueInMs(entry) <= 0;
      this.#searches.set(key.key, { attempt: entry.attempt, failure, isDue });
    }
  }
}
