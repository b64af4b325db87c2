/** Searches the email log by the keys that emails carry, for emails whose response never arrived. */
import { fieldOf } from '../../../core/record.ts';
import { ResponseFormatError } from '../../../core/errors.ts';
import { steersFramework } from '../../../core/steering.ts';
import type { RequestOptions } from '../../../core/request.ts';
import type { Runtime } from '../../../core/runtime.ts';
import type { LogPage, SearchedFilters, SearchedLog } from '../../../core/sending-journal.ts';
import { bareAddress, formsOf, KeyMatches, LONG_MARGIN_MS, MARGIN_MS, type LookedFor } from './matches.ts';

/** A page of the log that was searched. */
export interface SearchedPage {
  /** Number of messages on the page. */
  readonly read: number;
  /** Keys for which this page had a message. */
  readonly keys: ReadonlySet<string>;
}

/** A sample cursor, because the cursor of a page counts towards the length of the query. Cursors are UUIDs. */
const CURSOR = '00000000-0000-0000-0000-000000000000';

/** Splits addresses into groups, so that each group fits into one query. */
function groupsOf(addresses: Iterable<string>, log: SearchedLog): string[][] {
  const fits = (filters: SearchedFilters) =>
    log.takes({ filters: { ...filters, sent_after: new Date(0) }, search_after: CURSOR });
  const groups: string[][] = [];
  let group: string[] = [];
  for (const address of new Set(addresses)) {
    const value = [...group, address];
    if (group.length > 0 && !fits({ to: { operator: 'ci_equal', value } })) {
      groups.push(group);
      group = [address];
    } else group = value;
  }
  return group.length > 0 ? [...groups, group] : groups;
}

/** Time of the earliest claim. Uses `reduce`, because `Math.min(...)` fails with too many arguments. */
const firstClaimOf = (wanted: readonly LookedFor[]) =>
  wanted.reduce((first, { claimedAt }) => Math.min(first, claimedAt), Infinity);

/** The reason why a page does not show all its messages; undefined for a page of the specified form. */
function unreadPage(page: LogPage): string | undefined {
  const [success, errors, error, total_count] = ['success', 'errors', 'error', 'total_count'].map((name) =>
    fieldOf(page, name),
  );
  const isEmpty = (value: unknown) =>
    value === undefined ||
    value === null ||
    value === '' ||
    (typeof value === 'object' && Object.keys(value).length === 0);
  if (success === false || !isEmpty(errors) || !isEmpty(error)) return 'reports an error in a page';
  if (typeof total_count !== 'number') return 'has a page without total_count';
  return undefined;
}

/** Searches of the email log. */
export class LogSearch {
  readonly #log: SearchedLog;
  readonly #runtime: Runtime;
  readonly #variable: string;
  /** Milliseconds by which the service's clock is ahead of this machine's clock. */
  #offsetMs = 0;

  constructor(log: SearchedLog, runtime: Runtime, variable: string) {
    this.#log = log;
    this.#runtime = runtime;
    this.#variable = variable;
  }

  /** Milliseconds since 1970. */
  wallNow(): number {
    return this.#runtime.wallNow();
  }

  /** The empty result of a search for these emails. */
  matchesOf(wanted: readonly LookedFor[]): KeyMatches {
    return new KeyMatches(wanted, this.#variable);
  }

  /** Searches for emails by recipient: by the address as it was written, and by the bare address in all its forms. */
  async find(wanted: readonly LookedFor[], options: RequestOptions): Promise<KeyMatches> {
    const matches = this.matchesOf(wanted);
    const since = firstClaimOf(wanted) - LONG_MARGIN_MS;
    const addresses = wanted.flatMap(({ recipients = [] }) =>
      recipients.flatMap((to) => [to, ...formsOf(bareAddress(to))]),
    );
    try {
      for (const value of groupsOf(addresses, this.#log)) {
        const searching = this.#search({ to: { operator: 'ci_equal', value } }, since, matches, options);
        while (!(await searching.next()).done);
      }
    } catch (failure) {
      if (steersFramework(failure)) throw failure;
      matches.failure = failure;
    }
    return matches;
  }

  /** Reads the whole log since the earliest claim, page by page. */
  findAll(
    wanted: readonly LookedFor[],
    matches: KeyMatches,
    options: RequestOptions,
  ): AsyncGenerator<SearchedPage, void, undefined> {
    return this.#search({}, firstClaimOf(wanted), matches, options);
  }

  /**
   * Reads the log since a moment. Throws at the end if the log showed fewer messages than it counted, because then
   * absence from it proves nothing.
   */
  async *#search(
    filters: SearchedFilters,
    since: number,
    matches: KeyMatches,
    options: RequestOptions,
  ): AsyncGenerator<SearchedPage, void, undefined> {
    let counted: number | undefined;
    let read = 0;
    let unread: string | undefined;
    for await (const page of this.#pages(filters, since, options)) {
      const { messages } = page;
      unread ??= unreadPage(page);
      // Later pages may count messages that were sent since.
      counted ??= page.total_count;
      read += messages.length;
      yield { read: messages.length, keys: matches.note(messages, this.#offsetMs) };
    }
    if (counted !== undefined && read < counted)
      unread ??= `counts ${counted} messages, and shows ${read} of them`;
    if (unread !== undefined) throw new ResponseFormatError(`emailLogs.list ${unread}`, { effect: 'none' });
  }

  /** The log since a moment, newest first. Starts again from an earlier moment if the service's clock is behind. */
  async *#pages(
    filters: SearchedFilters,
    since: number,
    options: RequestOptions,
  ): AsyncGenerator<LogPage, void, undefined> {
    for (;;) {
      // A concurrent search may change the offset.
      const usedMs = this.#offsetMs;
      const sent_after = new Date(since + usedMs - MARGIN_MS);
      const list = this.#log.list({ filters: { ...filters, sent_after } }, options);
      const { data, response } = await list.withResponse();
      const date = Date.parse(response.headers.get('date') ?? '');
      const offsetMs = Number.isNaN(date) ? this.#offsetMs : date - this.wallNow();
      if (offsetMs >= usedMs - MARGIN_MS / 2) {
        for (let page: LogPage | undefined = data; page; page = await page.nextPage()) yield page;
        return;
      }
      this.#offsetMs = Math.min(this.#offsetMs, offsetMs);
    }
  }
}
