/** Reads the email log into a store, page by page. The cursor of the next page is kept there, for a later call. */
import { isRecord } from '../../../core/record.ts';
import { functionRule, mustBe, objectOf, refuse } from '../../../core/rules.ts';
import { tell } from '../../../core/tried.ts';
import type { EmailLogMessageDetails } from '../../../resources/email-logs/types.ts';
import { readLogged, recordsOf, type RecordParts } from './records.ts';
import type { BackfillOptions, DeliveryCounts, DeliveryLog, DeliveryRecord } from './types.ts';

/** The parts of deliveries that a backfill uses. */
export interface BackfillParts {
  readonly parts: RecordParts;
  readonly record: (
    records: readonly DeliveryRecord[],
    total: number,
    ignored: number,
  ) => Promise<DeliveryCounts>;
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

const isMissing = (error: unknown) => (Object(error) as { readonly status?: unknown }).status === 404;

/** Reads the emails of the log since a moment. */
export async function backfill(
  client: DeliveryLog,
  options: BackfillOptions,
  { parts, record, noted, note }: BackfillParts,
): Promise<DeliveryCounts> {
  refuse('client', clientRule(client));
  refuse('', optionsRule(options));
  const { since, onProgress, signal } = options;
  const name = `backfill ${since.toISOString()}`;
  const left = placeIn(await noted(name));
  const sum = { recorded: 0, repeated: 0, ignored: 0 };
  let { read } = left;
  let total: number | undefined;

  const logged = async (messageId: string): Promise<readonly EmailLogMessageDetails[]> => {
    try {
      return [await client.emailLogs.get(messageId, { signal })];
    } catch (error) {
      // The log has dropped it since the page was read.
      if (isMissing(error)) return [];
      throw error;
    }
  };
  const report = (pageSize: number) => {
    const all = Math.max(total ?? 0, read);
    const unread = all - read;
    const minutes = Math.max(unread / EMAILS_A_MINUTE, unread / Math.max(1, pageSize) / PAGES_A_MINUTE);
    tell(onProgress, () => ({ total: all, read, remainingMs: Math.ceil(minutes * MINUTE_MS) }));
  };

  const params = { filters: { sent_after: since }, search_after: left.cursor };
  for await (const page of client.emailLogs.list(params, { signal }).pages()) {
    const { messages } = page;
    // Later pages may count messages that were sent since.
    if (total === undefined) {
      total = page.total_count;
      report(messages.length);
    }
    const emails: EmailLogMessageDetails[] = [];
    for (let from = 0; from < messages.length; from += AT_ONCE) {
      const some = messages.slice(from, from + AT_ONCE);
      emails.push(...(await Promise.all(some.map(({ message_id: id }) => logged(id)))).flat());
    }
    const all = emails.map((email) => ({ ...readLogged(email), of: email.events.length }));
    const counts = await record(
      await recordsOf(all, parts),
      all.reduce((events, { of }) => events + of, 0),
      all.reduce((ignored, one) => ignored + one.ignored, 0),
    );
    for (const count of ['recorded', 'repeated', 'ignored'] as const) sum[count] += counts[count];
    read += messages.length;
    const { next_page_cursor: next } = page;
    await note(name, next === null ? undefined : `${read} ${next}`);
    report(messages.length);
  }
  return sum;
}

/** The place where an earlier run ended, from its note. */
function placeIn(note: string | undefined): { readonly read: number; readonly cursor: string | undefined } {
  const [read = '0', cursor] = note?.split(' ') ?? [];
  return { read: Number(read), cursor };
}
