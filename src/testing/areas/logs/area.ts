import type { EmulatorAnswers } from '../../answers.ts';
import { badRequest, notFound, ok, type Area, type Exchange, type Route } from '../../route.ts';
import type { SignedStorage } from '../../storage.ts';
import { inBothForms, type Form } from '../forms.ts';
import { readConditions } from './conditions.ts';
import type { LogOptions } from './options.ts';
import { LogQuery, reachable } from './query.ts';
import { isUuid, type LogRecord } from './record.ts';
import type { LogStore } from './store.ts';
import { logDetail, logSummary } from './view.ts';

/** The path of a raw message in the storage. */
const rawPath = (id: string) => `/messages/${id}.eml`;

/** Email logs: a list and single messages, both read-only. */
export function createLogs(
  store: LogStore,
  storage: SignedStorage,
  options: LogOptions,
  answers: EmulatorAnswers,
): Area {
  const query = new LogQuery(store);
  /** The form whose name for the domain is used: the specification has one name for both. */
  const namesIn = (form: Form): Form => (answers === 'recorded' ? form : 'token');

  /** The message after which a page starts. Refuses a cursor that is not a message. */
  const cursorOf = ({ query: given, token }: Exchange): LogRecord | undefined => {
    const cursor = given.get('search_after');
    if (cursor === null || cursor === '') return undefined;
    const record = store.find(token.accountId, cursor);
    if (record !== undefined || options.unknownCursor === 'first-page') return record;
    throw badRequest(isUuid(cursor) ? 'search_after names no message' : 'search_after is not a UUID');
  };

  const list = (form: Form): Omit<Route, 'path'> => ({
    method: 'GET',
    pool: 'emailLogsList',
    permission: ['emailLogs', 'viewer'],
    handler: (exchange) => {
      const { token, now } = exchange;
      const conditions = readConditions(exchange.query, namesIn(form), options.unreadableDates);
      const after = cursorOf(exchange);
      const page = query.page(token, conditions, after, options.pageSize, now);
      return ok({
        messages: page.records.map((record) => logSummary(record, namesIn(form), now)),
        total_count: page.total,
        next_page_cursor: page.next,
      });
    },
  });

  const one = (form: Form): Omit<Route, 'path'> => ({
    method: 'GET',
    pool: 'emailLogsGet',
    permission: ['emailLogs', 'viewer'],
    handler: ({ params, token, origin, now }) => {
      const record = store.find(token.accountId, params.id ?? '');
      if (record === undefined || !reachable(token, record)) throw notFound();
      const link = storage.link(origin, rawPath(record.id), now + options.rawUrlMs);
      return ok(logDetail(record, namesIn(form), now, link));
    },
  });

  return { routes: [...inBothForms('/email_logs', list), ...inBothForms('/email_logs/:id', one)] };
}
