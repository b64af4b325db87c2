/** Shows the open keys of a journal and the keys in flight, as text and as JSON. */
import { printable } from '../core/error-text.ts';
import { jsonText } from './json-text.ts';
import type { DatabaseJournal, JournalEntry } from '../entries/journal/index.ts';

/** The unsettled keys of a journal, oldest first. */
export interface JournalKeys {
  readonly namespace: string;
  /** Keys whose emails may have been sent. */
  readonly open: readonly JournalEntry[];
  /** Keys whose emails are being sent, or whose process has ended during the lease. */
  readonly inFlight: readonly JournalEntry[];
  /** Time of the reading, in milliseconds since 1970. */
  readonly now: number;
}

/** The form of the output. */
interface Shown {
  /** Whether each key is listed, besides the totals. */
  readonly isListed: boolean;
  readonly isJson: boolean;
}

/** Reads the keys of a journal. */
export async function keysOf(journal: DatabaseJournal): Promise<JournalKeys> {
  const { store, namespace } = journal;
  const oldestFirst = (entries: readonly JournalEntry[]) => [...entries].sort((a, b) => b.ageMs - a.ageMs);
  const inFlight = oldestFirst(await journal.claimed());
  return { namespace, open: oldestFirst(await store.open(namespace)), inFlight, now: Date.now() };
}

/** Shows the keys of a journal. */
export const shownStatus = (keys: JournalKeys, { isListed, isJson }: Shown): string =>
  isJson ? jsonText(statusJson(keys, isListed)) : statusText(keys, isListed);

function statusText(keys: JournalKeys, isListed: boolean): string {
  const { namespace, open, inFlight } = keys;
  const unknown = open.filter(({ state }) => state === 'unknown').length;
  const where = ` in the namespace "${namespace}"`;
  const flight = flightText(keys, open.length === 0 ? where : '');
  const lines =
    open.length === 0
      ? flight === undefined
        ? [`No key is open${where}.`]
        : [flight, 'No key is open.']
      : [
          `${counted(open.length)} open${where}:`,
          ...(unknown > 0 ? [`  ${unknown} unknown: ${WHY.unknown}`] : []),
          ...(unknown < open.length ? [`  ${open.length - unknown} claimed: ${WHY.claimed}`] : []),
          ...(flight === undefined ? [] : [flight]),
          'Next, with the same options: journal settle, which searches the email log for them.',
        ];
  if (isListed && open.length + inFlight.length > 0) {
    lines.push('');
    const all = [...open, ...inFlight];
    const width = all.reduce((longest, { key }) => Math.max(longest, key.length), 0);
    for (const entry of all)
      lines.push(`${entry.key.padEnd(width)}  ${entry.stream.padEnd(13)}  ${wordsFor(entry, keys)}`);
  }
  return `${lines.map(printable).join('\n')}\n`;
}

/** The reason why the outcome of a key is unknown. */
const WHY = { claimed: 'its process did not report', unknown: 'no response arrived' };

function wordsFor({ state, ageMs, leaseLeftMs }: JournalEntry, { now }: JournalKeys): string {
  const since = `since ${time(now - ageMs)}`;
  if (state === 'claimed' && leaseLeftMs > 0)
    return `in flight, ${since}; the lease ends ${time(now + leaseLeftMs)}`;
  return `${state === 'unknown' ? WHY.unknown : WHY.claimed}, ${since}`;
}

function statusJson(keys: JournalKeys, isListed: boolean) {
  const { namespace, open, inFlight, now } = keys;
  const unknown = open.filter(({ state }) => state === 'unknown').length;
  const shown = ({ key, stream, state, ageMs, leaseLeftMs }: JournalEntry) => ({
    key,
    stream,
    state,
    since: time(now - ageMs),
    leaseEnds: time(now + leaseLeftMs),
  });
  return {
    namespace,
    unknown,
    claimed: open.length - unknown,
    inFlight: inFlight.length,
    leasesEnd: leaseEnds(keys) ?? null,
    ...(isListed && { openKeys: open.map(shown), inFlightKeys: inFlight.map(shown) }),
  };
}

/** The number of keys in flight and the ends of their leases, as text; undefined if there are none. */
export function flightText(keys: Pick<JournalKeys, 'inFlight' | 'now'>, where = ''): string | undefined {
  const ends = leaseEnds(keys);
  if (!ends) return undefined;
  const { length } = keys.inFlight;
  const when = ends.first === ends.last ? ends.first : `from ${ends.first} to ${ends.last}`;
  return `${counted(length)} in flight${where}; ${length === 1 ? 'its lease ends' : 'their leases end'} ${when}.`;
}

/** The ends of the first and the last lease of the keys in flight; undefined if there are none. */
export function leaseEnds({
  inFlight,
  now,
}: Pick<JournalKeys, 'inFlight' | 'now'>): { first: string; last: string } | undefined {
  if (inFlight.length === 0) return undefined;
  let [first, last] = [Infinity, 0];
  for (const { leaseLeftMs } of inFlight) {
    first = Math.min(first, leaseLeftMs);
    last = Math.max(last, leaseLeftMs);
  }
  return { first: time(now + first), last: time(now + last) };
}

const time = (ms: number) => new Date(ms).toISOString();

/** The subject of a sentence about a number of keys. */
export const counted = (count: number) => (count === 1 ? '1 key is' : `${count} keys are`);
