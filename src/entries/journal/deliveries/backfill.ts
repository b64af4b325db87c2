/** Reads the email log into a store, page by page. The cursor of the next page is kept there, for a later call. */
import { ConfigurationError, InvalidRequestError } from '../../../core/errors.ts';
import { fieldOf, isRecord } from '../../../core/record.ts';
import { functionRule, mustBe, objectOf, refuse } from '../../../core/rules.ts';
import { tell } from '../../../core/tried.ts';
import { isLogged } from './history.ts';
import { idOf, readLogged, recordsOf, type ReadLogged, type RecordParts } from './records.ts';
import type {
  BackfillOptions,
  DeliveryCounts,
  DeliveryLog,
  DeliveryRecord,
  StoredDelivery,
} from './types.ts';

/** The parts of deliveries that a backfill uses. */
export interface BackfillParts {
  readonly parts: RecordParts;
  readonly record: (
    records: readonly DeliveryRecord[],
    total: number,
    ignored: number,
  ) => Promise<DeliveryCounts>;
  readonly stored: (messageIds: readonly string[]) => Promise<readonly StoredDelivery[]>;
  readonly noted: (name: string) => Promise<string | undefined>;
  readonly note: (name: string, text: string | undefined) => Promise<void>;
}

const MINUTE_MS = 60_000;
/** The published limits of the log. */
const [EMAILS_A_MINUTE, PAGES_A_MINUTE] = [1_000, 60];

/** Emails that are requested at once. The client keeps them within its limits. */
const AT_ONCE = 20;

const optionsRule = objectOf<BackfillOptions>(
  {
    since: mustBe('a valid Date', (value) => value instanceof Date && !Number.isNaN(value.getTime())),
    onProgress: functionRule,
    signal: mustBe('an AbortSignal', (signal) => signal instanceof AbortSignal),
  },
  ['since'],
);

const clientRule = mustBe('an EmailPlatform: pass new EmailPlatform()', (client) =>
  isRecord((client as Partial<DeliveryLog>).emailLogs),
);

const statusOf = (error: unknown) => (Object(error) as { readonly status?: unknown }).status;

/** Whether the service, or the client itself, no longer takes a cursor. */
const isRefused = (error: unknown) =>
  error instanceof ConfigurationError ||
  error instanceof InvalidRequestError ||
  [400, 404, 422].some((status) => statusOf(error) === status);

/** A page of the log. The service may send anything. */
interface LogPage {
  readonly messages: readonly unknown[];
  readonly total_count: number;
  readonly next_page_cursor: string | null;
}

const sentAtOf = (message: unknown) => Date.parse(String(fieldOf(message, 'sent_at')));

/** The time of a page's last message, in milliseconds since 1970; NaN if it has none. */
const endOf = ({ messages }: LogPage) => Math.min(...messages.map(sentAtOf));

/**
 * Reads the emails of the log since a moment. The log lists the newest first, so an earlier call that was interrupted
 * has read the upper part of the list. This call reads the lower part, and then looks through the upper part, which has
 * grown since, for emails that are not known from the log.
 */
export async function backfill(
  client: DeliveryLog,
  options: BackfillOptions,
  { parts, record, stored, noted, note }: BackfillParts,
): Promise<DeliveryCounts> {
  refuse('client', clientRule(client));
  refuse('', optionsRule(options));
  const { since, onProgress, signal } = options;
  const name = `backfill ${since.toISOString()}`;
  const sum = { recorded: 0, repeated: 0, ignored: 0 };
  let read = 0;

  const logged = async (id: string): Promise<readonly ReadLogged[]> => {
    try {
      return [readLogged(id, await client.emailLogs.get(id, { signal }))];
    } catch (error) {
      // The log has dropped it since the page was read.
      if (statusOf(error) === 404) return [];
      throw error;
    }
  };

  /** Records messages of a page. */
  const readAll = async (ids: readonly string[]) => {
    const all: ReadLogged[] = [];
    for (let from = 0; from < ids.length; from += AT_ONCE)
      all.push(...(await Promise.all(ids.slice(from, from + AT_ONCE).map(logged))).flat());
    const total = all.reduce((events, one) => events + one.total, 0);
    const ignored = all.reduce((events, one) => events + one.ignored, 0);
    const counts = await record(await recordsOf(all, parts), total, ignored);
    for (const count of ['recorded', 'repeated', 'ignored'] as const) sum[count] += counts[count];
    read += ids.length;
  };

  /**
   * Reads the list from a place on, until `readPage` returns false.
   *
   * @returns whether the place was taken
   */
  const readList = async (
    cursor: string | undefined,
    readPage: (page: LogPage, ids: readonly string[]) => Promise<boolean>,
  ): Promise<boolean> => {
    let total: number | undefined;
    const report = (pageSize: number) => {
      const all = Math.max(total ?? 0, read);
      const unread = all - read;
      const minutes = Math.max(unread / EMAILS_A_MINUTE, unread / Math.max(1, pageSize) / PAGES_A_MINUTE);
      tell(onProgress, () => ({ total: all, read, remainingMs: Math.ceil(minutes * MINUTE_MS) }));
    };
    let reading: AsyncIterator<LogPage>;
    let next: IteratorResult<LogPage>;
    try {
      const list = client.emailLogs.list(
        { filters: { sent_after: since }, search_after: cursor },
        { signal },
      );
      reading = list.pages()[Symbol.asyncIterator]();
      next = await reading.next();
    } catch (error) {
      if (cursor === undefined || !isRefused(error)) throw error;
      return false;
    }
    for (; next.done !== true; next = await reading.next()) {
      const { messages, total_count } = next.value;
      // Later pages may count messages that were sent since.
      if (total === undefined) {
        total = total_count;
        report(messages.length);
      }
      const ids = messages.flatMap((message) => idOf(fieldOf(message, 'message_id')) ?? []);
      sum.ignored += messages.length - ids.length;
      const goesOn = await readPage(next.value, ids);
      report(messages.length);
      if (!goesOn) break;
    }
    return true;
  };

  /** Reads the lower part of the list, or all of it. */
  const readRest = (cursor?: string) =>
    readList(cursor, async (page, ids) => {
      await readAll(ids);
      const { next_page_cursor: next } = page;
      if (next !== null) await note(name, placeText({ read, cursor: next, end: endOf(page) }));
      return true;
    });

  /** Reads the emails of the upper part that are not known from the log. The end of that part is a time. */
  const readNew = (end: number) =>
    readList(undefined, async (page, ids) => {
      const known = (await stored(ids)).filter(({ events }) => events.some(isLogged));
      const knownIds = new Set(known.map(({ messageId }) => messageId));
      await readAll(ids.filter((id) => !knownIds.has(id)));
      return !page.messages.every((message) => sentAtOf(message) < end);
    });

  const place = placeIn(await noted(name));
  read = place?.read ?? 0;
  if (place && (place.cursor === '' || (await readRest(place.cursor)))) {
    await note(name, placeText({ read, cursor: '', end: NaN }));
    await readNew(place.end);
  } else {
    read = 0;
    await readRest();
  }
  await note(name, undefined);
  return sum;
}

/** The place where an earlier call ended. */
interface Place {
  readonly read: number;
  /** Empty if only the upper part of the list is left. */
  readonly cursor: string;
  /** End of that part in milliseconds since 1970; NaN for the whole list. */
  readonly end: number;
}

const placeText = ({ read, cursor, end }: Place) => `${read} ${end} ${cursor}`;

/** The place in a note. */
function placeIn(text = ''): Place | undefined {
  const [, read, end, cursor = ''] = /^(\d+) (-?\d+|NaN) (.*)$/s.exec(text) ?? [];
  return read === undefined ? undefined : { read: Number(read), cursor, end: Number(end) };
}
