import { route, type Exchange } from '../../routing/route.ts';
import { badRequest, notFound, ok } from '../../wire/reply.ts';
import type { World } from '../../state/world.ts';
import { readConditions } from './conditions.ts';
import { LogQuery } from './query.ts';
import { isUuid, type LogRecord } from '../../state/emails/email-log.ts';
import { logDetail, logSummary } from './view.ts';

/** The path of a raw message in the storage. */
const rawPath = (id: string) => `/messages/${id}.eml`;

/** The endpoints of the email logs: a list and single messages, both read-only. */
export function logRoutes({ logs, storage, settings }: World) {
  const { unreadableDates, unknownCursor, pageSize, rawUrlMs, shownWithinMs } = settings.logs;
  const query = new LogQuery(logs, shownWithinMs);

  /** The message before a page. Refuses a cursor that is not a message. */
  const cursorOf = ({ query: input, token, now }: Exchange): LogRecord | undefined => {
    const cursor = input.get('search_after');
    if (cursor === null || cursor === '') return undefined;
    const record = query.shown(token.accountId, cursor, now);
    if (record !== undefined || unknownCursor === 'first-page') return record;
    throw badRequest(isUuid(cursor) ? 'search_after names no message' : 'search_after is not a UUID');
  };

  return [
    route(
      'GET /email_logs',
      { area: 'emailLogs', pool: 'emailLogsList', inferred: 'the number of messages on a page' },
      (exchange) => {
        const { token, now } = exchange;
        const conditions = readConditions(exchange.query, unreadableDates);
        const after = cursorOf(exchange);
        const page = query.page(token, conditions, after, pageSize, now);
        return ok({
          messages: page.records.map((record) => logSummary(record, now)),
          total_count: page.total,
          next_page_cursor: page.next,
        });
      },
    ),
    route(
      'GET /email_logs/{id}',
      {
        area: 'emailLogs',
        pool: 'emailLogsGet',
        inferred: 'what happens to an email, which follows from its recipient',
      },
      ({ params, token, origin, now }) => {
        const record = query.find(token, params.id ?? '', now);
        if (record === undefined) throw notFound();
        const link = storage.link(origin, rawPath(record.id), now + rawUrlMs);
        return ok(logDetail(record, now, link));
      },
    ),
  ];
}
