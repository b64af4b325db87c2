/** The keys of one call: what becomes of each when they are claimed, looked up, and when the call has ended. */
import type { Effect } from '../../core/error-base.ts';
import { IdempotencyError, JournalError, type PreviousSend } from '../../core/errors.ts';
import type { RequestOptions } from '../../core/request.ts';
import type { Finding, KeyedMail, MailEnd } from '../../resources/sending/keys/types.ts';
import type { Journal, JournalEntry } from '../types.ts';
import { KeyAttempt } from './attempt.ts';
import { mayBeSame } from './keyed-mail.ts';
import type { LogSearch } from './log-search.ts';
import type { LookedFor } from './matches.ts';

/** A key whose outcome is unknown, and the attempt that left it so. */
interface Unsettled {
  readonly mail: KeyedMail;
  readonly entry: JournalEntry;
  /** When it was claimed, by this machine's wall clock. */
  readonly claimedAt: number;
}

/** What looking for a key in the email log came to. */
interface Search {
  /** The attempt that had claimed it then. */
  readonly attempt: string;
  /** Why the log could not be read; undefined if it does not have the key. */
  readonly failure: unknown;
  /** Whether the email may be sent again. */
  readonly isDue: boolean;
}

/** The finding for each email, and the end of the attempt for the keys that it claimed. */
export interface Known {
  readonly kind: 'known';
  readonly findings: readonly Finding[];
  /** Records what has become of each key that is claimed, in turn. */
  answered(ends: readonly MailEnd[]): Promise<void>;
  /** Records that the attempt failed, with this effect. */
  failed(effect: Effect): Promise<void>;
}

/** Keys have to be looked for in the log. By then it is known that their emails may have been sent. */
export interface Unknown {
  readonly kind: 'unknown';
  /** What becomes of the emails if that is all that is ever known. */
  readonly findings: readonly Finding[];
  /** Looks for them, by further requests; then the keys are claimed again. */
  readonly lookUp: (options: RequestOptions) => Promise<void>;
}

/** For how long an attempt of this process may last is known only to it. */
const SHORT_WAIT_MS = 1_000;

/** The keys of the emails of one call, over all its attempts. */
export class KeyClaims {
  readonly #operation: string;
  readonly #journal: Journal;
  readonly #mails: readonly KeyedMail[];
  readonly #search: LogSearch;
  readonly #searches = new Map<string, Search>();
  /** By key: attempts of this call that took over a claim, and whose email was not sent. */
  readonly #returned = new Map<string, string>();

  constructor(operation: string, journal: Journal, mails: readonly KeyedMail[], search: LogSearch) {
    this.#operation = operation;
    this.#journal = journal;
    this.#mails = mails;
    this.#search = search;
  }

  /** Claims the keys for one attempt. Where some have to be looked for in the log first, none stays claimed. */
  async take(leaseMs: number): Promise<Known | Unknown> {
    const attempt = new KeyAttempt(this.#journal);
    const entries = await attempt
      .claim(this.#mails, leaseMs, (key) => this.#mayTakeOver(key))
      .catch((cause: unknown) => this.#fail(cause));
    const unsettled: Unsettled[] = [];
    const findings = this.#mails.map((mail, index): Finding => {
      const entry = entries[index];
      if (!entry) return { kind: 'claimed', isResent: this.#searches.get(mail.key)?.isDue === true };
      if (!('state' in entry)) return this.#inProgress(mail, entry.hash);
      const finding = this.#findingOf(mail, entry);
      if (finding) return finding;
      unsettled.push({ mail, entry, claimedAt: this.#search.wallNow() - entry.ageMs });
      return this.#unknown(mail, entry, undefined);
    });
    const end = (endOf: (index: number) => MailEnd) =>
      attempt.end((index, key) => {
        const ended = endOf(index);
        if (ended.state === 'released') this.#returned.set(key, attempt.id);
        return ended;
      });
    const failed = (effect: Effect) =>
      end(() => ({ state: effect === 'none' ? 'released' : 'unknown', messageIds: [] }));
    if (unsettled.length === 0)
      return {
        kind: 'known',
        findings,
        answered: (ends) => end((index) => ends[index] ?? { state: 'unknown', messageIds: [] }),
        failed,
      };
    await failed('none').catch((cause: unknown) => this.#fail(cause));
    return { kind: 'unknown', findings, lookUp: (options) => this.#lookUp(unsettled, options) };
  }

  #fail(cause: unknown): never {
    throw new JournalError(`${this.#operation} was not sent: the journal failed`, { cause });
  }

  /** The attempt whose claim may be taken over: this call's own, or one that the log has been searched for. */
  #mayTakeOver(key: string): string | undefined {
    const search = this.#searches.get(key);
    return this.#returned.get(key) ?? (search?.isDue ? search.attempt : undefined);
  }

  /** What becomes of an email whose key could not be claimed; undefined if it has to be looked for in the log. */
  #findingOf(mail: KeyedMail, entry: JournalEntry): Finding | undefined {
    const { state, hash, leaseLeftMs, messageIds } = entry;
    const isInFlight = state === 'claimed' && leaseLeftMs > 0;
    if (isInFlight) return this.#inProgress(mail, hash, leaseLeftMs);
    if (!mayBeSame(hash, mail.hash))
      return this.#reused(mail, { state: state === 'accepted' ? state : 'unknown', message_ids: messageIds });
    if (state === 'accepted') return { kind: 'accepted', messageIds };
    const search = this.#searches.get(mail.key);
    return search?.attempt === entry.attempt ? this.#unknown(mail, entry, search.failure) : undefined;
  }

  /** In another process there is a lease, after which that process is known to send it no more. */
  #inProgress(mail: KeyedMail, hash: string, leaseLeftMs?: number): Finding {
    const previous: PreviousSend = { state: 'in_progress', message_ids: [] };
    if (!mayBeSame(hash, mail.hash)) return this.#reused(mail, previous);
    const seconds = Math.ceil((leaseLeftMs ?? 0) / 1_000);
    const lease =
      leaseLeftMs === undefined
        ? 'by this process'
        : `or its process is gone; the lease ends in ${seconds} s`;
    return this.#refused(mail, `its email is being sent now, ${lease}`, 'in_progress', previous, {
      retryAfterMs: leaseLeftMs ?? SHORT_WAIT_MS,
    });
  }

  #reused(mail: KeyedMail, previous: PreviousSend): Finding {
    return this.#refused(mail, 'it belongs to an email with other content', 'key_reused', previous, {});
  }

  #unknown(mail: KeyedMail, entry: JournalEntry, failure: unknown): Finding {
    const { onUnknown } = this.#journal;
    const dueInMs = this.#dueInMs(entry);
    const isSandbox = mail.stream === 'sandbox';
    const why = isSandbox
      ? 'emails in a sandbox are not in the log'
      : failure === undefined
        ? 'the email log does not have it'
        : 'the email log could not be read';
    const isForTime = onUnknown === 'resend' && failure === undefined && !isSandbox && dueInMs > 0;
    const retryAfterMs = isForTime ? dueInMs : undefined;
    const what = `its email may have been sent; ${why}`;
    const previous: PreviousSend = { state: 'unknown', message_ids: [] };
    return this.#refused(mail, what, 'unknown', previous, { retryAfterMs, cause: failure });
  }

  /** Milliseconds until the log's silence about a key is enough. */
  #dueInMs({ leaseLeftMs }: JournalEntry): number {
    return leaseLeftMs + this.#journal.settleAfterMs;
  }

  #refused(
    { key }: KeyedMail,
    what: string,
    code: IdempotencyError['code'],
    previous: PreviousSend,
    more: { readonly retryAfterMs?: number | undefined; readonly cause?: unknown },
  ): Finding {
    const effect: Effect = code === 'key_reused' ? 'none' : 'unknown';
    const message = `${this.#operation} was not sent: the idempotencyKey was used before, and ${what}`;
    const isRetryable = more.retryAfterMs !== undefined;
    return {
      kind: 'refused',
      error: new IdempotencyError(message, { code, effect, key, previous, isRetryable, ...more }),
    };
  }

  /** Looks for emails in the log, and records what is found. */
  async #lookUp(unsettled: readonly Unsettled[], options: RequestOptions): Promise<void> {
    const { namespace, store, onUnknown } = this.#journal;
    const wanted = unsettled
      .filter(({ mail }) => mail.stream !== 'sandbox')
      .map(({ mail, claimedAt }): LookedFor => ({ ...mail, claimedAt }));
    const matches = await this.#search.find(wanted, options);
    const entries = unsettled.map(({ entry }) => entry);
    const records = matches.recordsOf(namespace, entries);
    if (records.length > 0) await store.record(records).catch((cause: unknown) => this.#fail(cause));
    for (const { mail, entry } of unsettled) {
      if (matches.idsOf(mail.key)) continue;
      const failure = matches.failureOf(mail.key);
      // Only what was over before the search may be sent again, and only if there was a search.
      const isAbsent = failure === undefined && mail.stream !== 'sandbox';
      const isDue = onUnknown === 'resend' && isAbsent && this.#dueInMs(entry) <= 0;
      this.#searches.set(mail.key, { attempt: entry.attempt, failure, isDue });
    }
  }
}
