/** Matches messages of the email log with the keys that emails carry. */
import { grouped } from '../../../kit/grouped.ts';
import { isRecord } from '../../../core/record.ts';
import { keyShownAs } from '../../../core/key.ts';
import { ResponseFormatError } from '../../../core/errors.ts';
import { builtinModule } from '../../../core/platform.ts';
import { hostName } from '../../../core/host-name.ts';
import type { JournalEntry, JournalRecord } from '../../../core/journal.ts';
import type { Stream } from '../../../core/request.ts';

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

/** Age of a claim, in days, from which the log may have forgotten the email. The service publishes no retention. */
export const LOG_DAYS = 3;

/** An address without the display name, as the log may show it. */
export const bareAddress = (address: string): string =>
  (/<([^<>]*)>\s*$/.exec(address)?.[1] ?? address).trim();

/** True for an address that has one form only, as most have. */
const isPlain = (address: string) => /^[!-~]*$/.test(address) && !/xn--/i.test(address);

const asciiDomain = (domain: string) => hostName(domain) ?? domain;

const withDomain = (address: string, formOf: (domain: string) => string) => {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + formOf(address.slice(at));
};

/** An address with its domain as it is, encoded (`xn--`), and in letters: the log may show each of these forms. */
export function formsOf(address: string): readonly string[] {
  if (isPlain(address)) return [address];
  const ascii = withDomain(address, asciiDomain);
  // Browsers have no function for this direction.
  const url = builtinModule('node:url') as { domainToUnicode(ascii: string): string } | undefined;
  return [address, ascii, withDomain(ascii, (domain) => url?.domainToUnicode(domain) ?? domain)];
}

/** An address in its form for comparison. */
export function compared(address: string): string {
  const bare = bareAddress(address).normalize('NFC').toLowerCase();
  return isPlain(bare) ? bare : withDomain(bare, asciiDomain);
}

/** Keys with the same text here may be one key, as the service shows it: normalized, trimmed, or in another case. */
const roughly = (key: string) => key.normalize('NFKC').trim().toLowerCase();

/** True for a number, or for a text of 16 or more digits: the service may have rounded the key to it. */
const isNumber = (shown: unknown): boolean =>
  typeof shown === 'number' ||
  (typeof shown === 'string' && /^-?\d{16,}$/.test(shown) && String(Number(shown)) === shown);

/** The messages that a search found, page by page. */
export class KeyMatches {
  /** The error that ended the search early: the rest of the log may have the missing emails. */
  failure: unknown;
  readonly #variable: string;
  readonly #wanted: ReadonlyMap<string, LookedFor>;
  /** By the number that the log may show instead of the key. */
  readonly #numbers: ReadonlyMap<number, readonly LookedFor[]>;
  readonly #roughly: ReadonlyMap<string, readonly LookedFor[]>;
  readonly #recipients: ReadonlyMap<string, readonly LookedFor[]>;
  /** By key: the messages' recipients by their ids, newest first. */
  readonly #found = new Map<string, Map<string, string>>();
  /** By key: the reason why its email may be in the log, although no message is certainly this email. */
  readonly #doubts = new Map<string, string>();

  constructor(wanted: readonly LookedFor[], variable: string) {
    this.#variable = variable;
    this.#wanted = new Map(wanted.map((one) => [one.key, one]));
    this.#numbers = grouped(wanted, ({ key }) => (Number.isNaN(Number(key)) ? [] : [Number(key)]));
    this.#roughly = grouped(wanted, ({ key }) => [roughly(key)]);
    this.#recipients = grouped(wanted, ({ recipients = [] }) => new Set(recipients.map(compared)));
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
  note(messages: readonly unknown[], offsetMs: number): ReadonlySet<string> {
    const keys = new Set<string>();
    for (const message of messages) {
      // The service may send anything.
      const fields = isRecord(message) ? message : {};
      const { custom_variables: variables, message_id: id, to } = fields;
      const shown = isRecord(variables) ? variables[this.#variable] : null;
      const isReadable = typeof id === 'string' && (shown === undefined || isText(shown));
      const mayBe = (isReadable ? this.#shownAs(shown) : this.#sentTo(to)).filter(
        (one) => !isTooOld(fields, one, offsetMs),
      );
      for (const one of mayBe) {
        const doubt = isReadable ? doubtAbout(fields, shown, one, mayBe.length) : UNREADABLE;
        if (doubt !== undefined) this.#doubts.set(one.key, doubt);
        else {
          const ids = this.#found.get(one.key) ?? new Map<string, string>();
          this.#found.set(one.key, ids.set(id as string, compared(String(to))));
          keys.add(one.key);
        }
      }
    }
    return keys;
  }

  /** The emails whose key the log may show as this value. */
  #shownAs(shown: string | number | undefined): readonly LookedFor[] {
    if (shown === undefined) return [];
    const exact = typeof shown === 'string' ? this.#wanted.get(shown) : undefined;
    const ofNumber = isNumber(shown) && !exact ? (this.#numbers.get(Number(shown)) ?? []) : [];
    return [...new Set([...ofNumber, ...(this.#roughly.get(roughly(String(shown))) ?? [])])];
  }

  /** The emails to this recipient, or to any if it cannot be read. */
  #sentTo(to: unknown): readonly LookedFor[] {
    return typeof to === 'string' ? (this.#recipients.get(compared(to)) ?? []) : [...this.#wanted.values()];
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
    const doubt = this.#doubts.get(key);
    if (this.failure !== undefined || doubt === undefined) return this.failure;
    return new ResponseFormatError(`emailLogs.list shows ${doubt}`, { effect: 'none' });
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

const UNREADABLE = 'a message whose custom variables cannot be read, and which may be this email';

const isText = (shown: unknown): shown is string | number =>
  typeof shown === 'string' || typeof shown === 'number';

/** The reason why a message with this key may be another email; undefined if it certainly is this one. */
function doubtAbout(
  { sending_stream, to }: Readonly<Record<string, unknown>>,
  shown: unknown,
  { key, stream, recipients }: LookedFor,
  count: number,
): string | undefined {
  const isShown = keyShownAs(shown) === key;
  if (typeof shown === 'number' ? count > 1 || !isShown : isNumber(shown) && !isShown)
    return 'a rounded number instead of the key: it would show other keys as the same number';
  if (!isShown) return 'a key that differs from this one only in its form';
  if (sending_stream !== stream) return 'the key in an email of another stream, or of none';
  // A recipient that is not text excludes no message.
  if (recipients && typeof to === 'string' && !recipients.map(compared).includes(compared(to)))
    return 'the key in an email to another recipient';
  return undefined;
}

/** True for a message that was sent long before the claim: it belongs to a key that was forgotten. */
const isTooOld = (
  { sent_at }: Readonly<Record<string, unknown>>,
  { claimedAt }: LookedFor,
  offsetMs: number,
) =>
  typeof sent_at === 'string' &&
  // `Date.parse` reads a time in other texts, too.
  /^\d{4}-\d\d-\d\d/.test(sent_at) &&
  Date.parse(sent_at) < claimedAt + offsetMs - LONG_MARGIN_MS - MARGIN_MS;
