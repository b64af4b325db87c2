/** Looks in the email log for emails whose keys they carry: whether an email is there that no answer was received for. */
import type { JournalEntry, JournalRecord } from '../../core/journal.ts';
import type { QueryValue } from '../../core/query.ts';
import type { RequestOptions, Stream } from '../../core/request.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { EmailLogs } from '../email-logs/email-logs.ts';
import type { EmailLogFilters } from '../email-logs/filter-types.ts';
import type { EmailLogMessage, EmailLogPage } from '../email-logs/types.ts';
import { queryLengthIssues } from '../query-length.ts';

/** An email to look for. */
export interface LookedFor {
  readonly key: string;
  readonly stream: Stream;
  /** Undefined where they are not known. */
  readonly recipients?: readonly string[] | undefined;
  /** When its key was claimed, in milliseconds since 1970 by the wall clock. */
  readonly claimedAt: number;
}

/** What a search came to. */
export interface Found {
  /** Ids of the messages that carry a key. */
  readonly found: ReadonlyMap<string, readonly string[]>;
  /** Why the log could not be read, or not to its end: what is not found may be in it then. */
  readonly failure?: unknown;
}

/** What to record of the keys that the log has. */
export const recordsOf = (
  namespace: string,
  entries: readonly Pick<JournalEntry, 'key' | 'attempt'>[],
  found: Found['found'],
): JournalRecord[] =>
  entries.flatMap(({ key, attempt }) => {
    const messageIds = found.get(key);
    return messageIds ? [{ namespace, key, attempt, state: 'accepted', messageIds }] : [];
  });

/** Clocks may differ by this much without being asked for. */
const MARGIN_MS = 120_000;

/**
 * By recipients, the log is searched from this long before the claim on. It costs nothing there, and what is absent may be
 * sent again: the clock may have been wrong when the key was claimed, and have been put right since.
 */
const LONG_MARGIN_MS = 86_400_000;

/** A page's cursor, which is part of the query, is a UUID. */
const CURSOR = '00000000-0000-0000-0000-000000000000';

const fits = (filters: EmailLogFilters) =>
  queryLengthIssues({ filters: { ...filters, sent_after: new Date(0) } as QueryValue, search_after: CURSOR })
    .length === 0;

/** Addresses in groups that fit in one query each. */
function groupsOf(addresses: Iterable<string>): string[][] {
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

/** Searches of the email log. */
export class LogSearch {
  readonly #logs: EmailLogs;
  readonly #runtime: Runtime;
  readonly #variable: string;
  /** Milliseconds by which the service's clock is ahead of this machine's. */
  #offsetMs = 0;

  constructor(logs: EmailLogs, runtime: Runtime, variable: string) {
    this.#logs = logs;
    this.#runtime = runtime;
    this.#variable = variable;
  }

  /** Milliseconds since 1970. */
  wallNow(): number {
    return this.#runtime.wallNow();
  }

  /** Looks for emails by their recipients. */
  async find(wanted: readonly LookedFor[], options: RequestOptions): Promise<Found> {
    const found = new Map<string, string[]>();
    const since = Math.min(...wanted.map(({ claimedAt }) => claimedAt)) - LONG_MARGIN_MS;
    try {
      for (const value of groupsOf(wanted.flatMap(({ recipients = [] }) => recipients))) {
        const filters: EmailLogFilters = { to: { operator: 'ci_equal', value } };
        for await (const { messages } of this.pages(filters, since, options))
          this.note(messages, wanted, found);
      }
      return { found };
    } catch (failure) {
      return { found, failure };
    }
  }

  /** Notes the ids of the messages of these emails: they carry the key, on the same stream, to the same people. */
  note(
    messages: readonly EmailLogMessage[],
    wanted: readonly LookedFor[],
    found: Map<string, string[]>,
  ): void {
    const byKey = new Map(wanted.map((one) => [one.key, one]));
    for (const { message_id, custom_variables, sending_stream, to } of messages) {
      const key = custom_variables?.[this.#variable];
      // The log may have a number where a key looks like one.
      const one = typeof key === 'string' || typeof key === 'number' ? byKey.get(String(key)) : undefined;
      if (!one || (sending_stream as string | undefined) !== one.stream) continue;
      const isTo = (email: string) => email.toLowerCase() === to.toLowerCase();
      if (typeof to === 'string' && one.recipients?.some(isTo) === false) continue;
      found.set(one.key, [...(found.get(one.key) ?? []), message_id]);
    }
  }

  /** The log since a moment, newest first. Where the service's clock turns out to be behind, it begins earlier. */
  async *pages(
    filters: EmailLogFilters,
    since: number,
    options: RequestOptions,
  ): AsyncGenerator<EmailLogPage, void, undefined> {
    for (;;) {
      const sent_after = new Date(since + this.#offsetMs - MARGIN_MS);
      const list = this.#logs.list({ filters: { ...filters, sent_after } }, options);
      const { data, response } = await list.withResponse();
      const date = Date.parse(response.headers.get('date') ?? '');
      const offsetMs = Number.isNaN(date) ? this.#offsetMs : date - this.wallNow();
      if (offsetMs >= this.#offsetMs - MARGIN_MS / 2) {
        for (let page: EmailLogPage | undefined = data; page; page = await page.nextPage()) yield page;
        return;
      }
      this.#offsetMs = offsetMs;
    }
  }
}
