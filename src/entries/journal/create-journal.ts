import { invalid } from '../../core/rules.ts';
import { isUnsendable, keyShownAs } from '../../core/key.ts';
import { fieldOf } from '../../core/record.ts';
import type { Stream } from '../../core/request.ts';
import { checkedOptions, mustBe, objectOf, oneOf } from '../../core/rules.ts';
import { forSending } from './keys/for-sending.ts';
import { Unrecorded } from './keys/unrecorded.ts';
import type { Journal, JournalEvent, JournalRecord, JournalStore } from '../../core/journal.ts';
import { cleaned } from './rows.ts';

/** Options of a journal. */
export interface JournalOptions {
  /**
   * Separates keys: the same key in two namespaces is two keys. For several accounts or applications that share a
   * database. Applications that send from one account also need different keys, or another `variable`.
   *
   * @defaultValue 'default'
   */
  readonly namespace?: string | undefined;
  /**
   * Name of the custom variable that carries the key. The search of the email log finds an email by it.
   *
   * @defaultValue 'idempotency_key'
   */
  readonly variable?: string | undefined;
  /**
   * The action of a send whose key has an unknown outcome, if the email log does not have the email: `'report'` throws
   * an `IdempotencyError` with code `unknown`; `'resend'` sends the email, which may then arrive twice.
   *
   * @defaultValue 'report'
   */
  readonly onUnknown?: 'report' | 'resend' | undefined;
  /**
   * Milliseconds after the end of a lease before `'resend'` sends an email that the log does not have. The lease ends
   * `timeoutMs` plus one minute after the claim. The log shows emails with a delay, whose length is not published.
   *
   * @defaultValue 300_000
   */
  readonly settleAfterMs?: number | undefined;
}

const nameRule = mustBe(
  '1 to 255 characters without control characters',
  (value) => typeof value === 'string' && /^.{1,255}$/su.test(value) && !isUnsendable(value),
);

export const JOURNAL_RULES = {
  namespace: nameRule,
  variable: mustBe(
    '1 to 100 letters, digits and -_.',
    (value) => typeof value === 'string' && /^[\w.-]{1,100}$/.test(value),
  ),
  onUnknown: oneOf(['report', 'resend']),
  settleAfterMs: mustBe(
    'a number of milliseconds, 0 or more',
    (value) => typeof value === 'number' && value >= 0 && value < Infinity,
  ),
};

/** The attempt of a record from an event, which does not have an attempt's id. No attempt has this id. */
const NO_ATTEMPT = '';

/** The streams whose emails have events. */
const LOGGED_STREAMS: readonly Stream[] = ['transactional', 'bulk'];

/**
 * Youngest age of a key that may be forgotten: the search of the email log accepts an email that is a day older than
 * its claim.
 */
const REMEMBERED_MS = 2 * 86_400_000;

const optionsRule = objectOf<JournalOptions>(JOURNAL_RULES);

/**
 * Makes a journal from your own store: see {@link JournalStore}. For SQLite there is {@link sqliteJournal}.
 *
 * @throws ConfigurationError naming the option that is wrong or unknown
 */
export function createJournal(store: JournalStore, options: JournalOptions = {}): Journal {
  const {
    namespace = 'default',
    variable = 'idempotency_key',
    onUnknown = 'report',
    settleAfterMs = 300_000,
  } = checkedOptions(optionsRule, options);
  return {
    store,
    namespace,
    variable,
    onUnknown,
    settleAfterMs,
    inFlight: new Map(),
    unrecorded: new Unrecorded(),
    forSending(log, runtime) {
      return forSending(this, log, runtime);
    },
    forget: async ({ before }) => {
      const moment = before instanceof Date ? before.getTime() : NaN;
      if (Number.isNaN(moment)) throw invalid('before', 'must be a valid Date');
      if (moment > Date.now() - REMEMBERED_MS) throw invalid('before', 'must be two days ago, or earlier');
      return store.forget(namespace, moment);
    },
    settleFrom: async (event) => {
      const settled = settledBy({ namespace, variable }, event);
      if (settled === undefined) return false;
      await store.record([settled]);
      return true;
    },
  };
}

/** The record that an event settles its key with; undefined if the event has no key. */
export function settledBy(
  { namespace, variable }: Pick<Journal, 'namespace' | 'variable'>,
  event: Partial<JournalEvent>,
): JournalRecord | undefined {
  const messageId = fieldOf(event, 'message_id');
  const id = typeof messageId === 'string' ? cleaned(messageId) : '';
  const key = keyShownAs(fieldOf(fieldOf(event, 'custom_variables'), variable));
  const stream = LOGGED_STREAMS.find((one) => one === fieldOf(event, 'sending_stream'));
  if (fieldOf(event, 'kind') !== 'sending' || key === undefined || !stream || id === '') return undefined;
  return { namespace, key, stream, attempt: NO_ATTEMPT, state: 'accepted', messageIds: [id] };
}
