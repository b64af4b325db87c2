/** Which messages of the email log are emails whose keys they carry. */
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
  /** Undefined where they are not known. */
  readonly recipients?: readonly string[] | undefined;
  /** When its key was claimed, in milliseconds since 1970 by the wall clock. */
  readonly claimedAt: number;
}

/** Clocks may differ by this much without being asked for. */
export const MARGIN_MS = 120_000;

/**
 * An email may have been sent this long before its claim: the clock may have been wrong when the key was claimed, and have
 * been put right since. An email that is older belongs to a key that was forgotten.
 */
export const LONG_MARGIN_MS = 86_400_000;

/** An address without the name beside it, as it may stand in the log. */
export const bareAddress = (address: string): string =>
  (/<([^<>]*)>\s*$/.exec(address)?.[1] ?? address).trim();

const compared = (address: string) => bareAddress(address).toLowerCase();

/** Whether it is a number, or one with so many digits that it is read as text: the service may have rounded it then. */
const isNumber = (shown: unknown): boolean =>
  typeof shown === 'number' ||
  (typeof shown === 'string' && /^-?\d{16,}$/.test(shown) && String(Number(shown)) === shown);

/** Emails by a number that the log may show in place of their keys. */
function byNumber(wanted: readonly LookedFor[]): Map<number, LookedFor[]> {
  const all = new Map<number, LookedFor[]>();
  for (const one of wanted) {
    const number = Number(one.key);
    if (!Number.isNaN(number)) all.set(number, [...(all.get(number) ?? []), one]);
  }
  return all;
}

/** Results of a search for emails, page by page. */
export class KeyMatches {
  /** Why the log could not be read to its end: what was not found may be in it then. */
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

  /** How many keys were found. */
  get size(): number {
    return this.#found.size;
  }

  /**
   * Notes messages of a page: they carry the key, on the same stream, to the same people. `offsetMs` is by how much the
   * service's clock is ahead.
   *
   * @returns the keys of which more is known now
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

  /** Emails that may be those with this value: one with the key itself, or all that the same number may be shown for. */
  #shownAs(shown: unknown): readonly LookedFor[] {
    const one = typeof shown === 'string' ? this.#wanted.get(shown) : undefined;
    if (one) return [one];
    return isNumber(shown) ? (this.#numbers.get(Number(shown)) ?? []) : [];
  }

  /** Ids of the messages that carry a key: in the order to, cc, bcc, or as they were sent; undefined if there are none. */
  idsOf(key: string): readonly string[] | undefined {
    const found = this.#found.get(key);
    if (!found) return undefined;
    const recipients = this.#wanted.get(key)?.recipients?.map(compared) ?? [];
    return [...found]
      .reverse()
      .sort(([, one], [, other]) => recipients.indexOf(one) - recipients.indexOf(other))
      .map(([id]) => id);
  }

  /** Why it is not known that the log has no email with a key that was not found; undefined if it is. */
  failureOf(key: string): unknown {
    if (this.failure !== undefined || !this.#inDoubt.has(key)) return this.failure;
    const message =
      'emailLogs.list shows a number where the key is: other keys would be shown like that, too';
    return new ResponseFormatError(message, { effect: 'none' });
  }

  /** Records for the keys that were found. */
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

/** Whether a message with the right key may be an email: on its stream, to one of its recipients, since its claim. */
function isAbout(
  { sending_stream, to, sent_at }: EmailLogMessage,
  { stream, recipients, claimedAt }: LookedFor,
  offsetMs: number,
): boolean {
  if ((sending_stream as string | undefined) !== stream) return false;
  // A recipient that cannot be read tells nothing.
  if (recipients && typeof to === 'string' && !recipients.map(compared).includes(compared(to))) return false;
  const isTooOld = Date.parse(sent_at) < claimedAt + offsetMs - LONG_MARGIN_MS - MARGIN_MS;
  return !isTooOld;
}
