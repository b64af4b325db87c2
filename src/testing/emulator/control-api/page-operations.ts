/** The requests of the live page. They belong to the page of the same version, so that no guide lists them. */
import { flag, oneOf, text } from '../../declare/kind.ts';
import { needed, optional } from '../../service/routing/control.ts';
import { waitMs } from '../../common/waiters.ts';
import { operation, type Operation } from './operations.ts';

const ofPage = (line: string, name: string, answer: string, more?: Partial<Operation>) =>
  operation(line, name, '', answer, more);

const id = { params: { id: text } };

export const PAGE_OPERATIONS = [
  ofPage('GET /', 'page', 'text/html'),
  ofPage('GET /live', 'live.changes', 'application/json', {
    query: { since: optional(text), waitMs: optional(waitMs) },
  }),
  ofPage('GET /live/due', 'live.due', 'application/json', {
    query: { from: needed(text), to: needed(text) },
  }),
  ofPage('GET /live/findings', 'live.findings', 'application/json'),
  ofPage('GET /live/search', 'live.search', 'application/json', { query: { text: needed(text) } }),
  ofPage('GET /live/mails/{id}', 'live.mail', 'application/json', id),
  ofPage('DELETE /live/mails/{id}', 'live.remove', 'application/json', id),
  ofPage('POST /live/mails/{id}/restore', 'live.restore', 'application/json', id),
  ofPage('GET /live/mails/{id}/html', 'live.html', 'text/html', {
    ...id,
    query: { images: optional(flag), scheme: optional(oneOf(['light', 'dark'])) },
  }),
  ofPage('GET /live/requests/{id}', 'live.request', 'application/json', id),
] as const;
