/** Matches messages of the email log with the keys that emails carry. */
import { isRecord } from '../../core/record.ts';
import { keyShownAs } from '../../core/key.ts';
import { ResponseFormatError } from '../../core/errors.ts';
import type { JournalEntry, JournalRecord } from '../types.ts';
import type { Stream } from '../../core/request.ts';
import type { EmailLogMessage } from '../../resources/email-logs/types.ts';

/** An email to look for. */
export interface LookedFor {
  readonly key: string;
  readonly stream: Stream;
  /** Undefined if they are unknown. */
  readonly recipients?: readonly string[] | undefined;
  /** Time of the claim in milliseconds since 1970, by the wall clock. */
  readonly claimedAt: number;
}

/** Tolerated difference between this machine's clock and the service's clock. */
export const MARGIN_MS = 120_000;

/**
 * Longest time between an email and a later claim of its key: the clock may have been wrong at the claim, and
 * corrected since. An older email belongs to a key that was forgotten.
 */
export const LONG_MARGIN_MS = 86_400_000;

/** An address without the display name, as the log may show it. */
export const bareAddress = (address: string): string =>
  (/<([^<>]*)>\s*$/.exec(address)?.[1] ?? address).trim();

const compared = (address: string) => bareAddress(address).toLowerCase();

/** True for a number, or for a text of 16 or more digits: the service may have rounded the key to it. */
const isNumber = (shown: unknown): boolean =>
  typeof shown === 'number' ||
  (typeof shown === 'string' && /^-?\d{16,}$/.test(shown) && String(Number(shown)) === shown);

/** Emails by the number that the log may show instead of their keys. */
function byNumber(wanted: readonly LookedFor[]): Map<number, LookedFor[]> {
  const all = new Map<number, LookedFor[]>();
  for (const one of wanted) {
    const number = Number(one.key);
    if (!Number.isNaN(number)) all.set(number, [...(all.get(number) ?? []), one]);
  }
  return all;
}

/** The messages that a search found, page by page. */
export class KeyMatches {
  /** The error that ended the search early: the rest of the log may have the missing emails. */
  failure: unknown;
  readonly #variable: string;
  readonly #wanted: ReadonlyMap<string, LookedFor>;
  readonly #numbers: ReadonlyMap<number, readonly LookedFor[]>;
  /** By key: the messages' recipients by their ids, newest first. */
  readonly #found = new Map<string, Map<string, string>>();
  readonly #inDoubt = new Set<string>();

  constructor(wanted: readonly LookedFor[], variable: string) {
    this.#variable = variable;
    this.#wanted = new Map(wanted.map((one) => [one.key, one]));
    this.#numbers = byNumber(wanted);
  }

  /** Number of keys with a message. */
  get size(): number {
    return this.#found.size;
  }

  /**
   * Adds the messages of a page that match an email: the same key, stream and recipients. `offsetMs` is by how many
   * milliseconds the service's clock is ahead.
   *
   * @returns the keys for which this page had a message
   */
  note(messages: readonly EmailLogMessage[], offsetMs: number): ReadonlySet<string> {
    const keys = new Set<string>();
    for (const message of messages) {
      const { custom_variables: variables, message_id: id } = message;
      const shown = isRecord(variables) ? variables[this.#variable] : undefined;
      const fitting = this.#shownAs(shown).filter((one) => isAbout(message, one, offsetMs));
      const [one] = fitting;
      if (!one) continue;
      if (fitting.length > 1 || keyShownAs(shown) !== one.key)
        for (const { key } of fitting) this.#inDoubt.add(key);
      else {
        const ids = this.#found.get(one.key) ?? new Map<string, string>();
        this.#found.set(one.key, ids.set(id, compared(message.to)));
        keys.add(one.key);
      }
    }
    return keys;
  }

  /** The email with this value as its key, or all emails whose key the log may show as the same number. */
  #shownAs(shown: unknown): readonly LookedFor[] {
    const one = typeof shown === 'string' ? this.#wanted.get(shown) : undefined;
    if (one) return [one];
    return isNumber(shown) ? (this.#numbers.get(Number(shown)) ?? []) : [];
  }

  /**
   * Ids of the messages that carry a key, in the order to, cc, bcc, and otherwise in the order of sending; undefined
   * if there is none.
   */
  idsOf(key: string): readonly string[] | undefined {
    const found = this.#found.get(key);
    if (!found) return undefined;
    const recipients = this.#wanted.get(key)?.recipients?.map(compared) ?? [];
    return [...found]
      .reverse()
      .sort(([, one], [, other]) => recipients.indexOf(one) - recipients.indexOf(other))
      .map(([id]) => id);
  }

  /** The reason why a missing email may be in the log after all; undefined if the log certainly does not have it. */
  failureOf(key: string): unknown {
    if (this.failure !== undefined || !this.#inDoubt.has(key)) return this.failure;
    const message =
      'emailLogs.list shows a rounded number instead of the key: it would show other keys as the same number';
    return new ResponseFormatError(message, { effect: 'none' });
  }

  /** Records for the keys with a message. */
  recordsOf(
    namespace: string,
    entries: readonly Pick<JournalEntry, 'key' | 'attempt' | 'stream'>[],
  ): JournalRecord[] {
    return entries.flatMap(({ key, attempt, stream }) => {
      const messageIds = this.idsOf(key);
      return messageIds ? [{ namespace, key, stream, attempt, state: 'accepted', messageIds }] : [];
    });
  }
}

/** True if a message with the right key may be this email: the same stream, one of its recipients, and not too old. */
function isAbout(
  { sending_stream, to, sent_at }: EmailLogMessage,
  { stream, recipients, claimedAt }: LookedFor,
  offsetMs: number,
): boolean {
  if ((sending_stream as string | undefined) !== stream) return false;
  // A recipient that is not text excludes no message.
  if (recipients && typeof to === 'string' && !recipients.map(compared).includes(compared(to))) return false;
  const isTooOld = Date.parse(sent_at) < claimedAt + offsetMs - LONG_MARGIN_MS - MARGIN_MS;
  return !isTooOld;
}
