import { notFound, route, type Exchange, type Reply } from '../../route.ts';
import type { World } from '../world.ts';
import { SANDBOX } from './endpoint.ts';
import { findMessage } from './find.ts';
import type { CapturedRecord } from './store.ts';

/** The endpoints of the parts of a message, as text or bytes. */
export function bodyRoutes({ inboxes, settings }: World) {
  const missing = (): Reply => {
    if (settings.sandbox.missingPart === 'not-found') throw notFound();
    return { status: 409, content: { type: 'text/plain; charset=utf-8', body: 'Conflict' } };
  };
  const body = (
    type: string,
    contentOf: (message: CapturedRecord) => string | Uint8Array<ArrayBuffer> | null,
    headersOf: (message: CapturedRecord) => Record<string, string> = () => ({}),
  ) => ({
    ...SANDBOX,
    handler: (exchange: Exchange): Reply => {
      const message = findMessage(inboxes, exchange);
      const content = contentOf(message);
      if (content === null) return missing();
      return { status: 200, content: { type, body: content }, headers: headersOf(message) };
    },
  });
  const raw = (message: CapturedRecord) => inboxes.rawOf(message);
  const html = ({ mail }: CapturedRecord) => mail.html;
  const eml = body('message/rfc822', raw, ({ mail }) => ({
    'content-disposition': `attachment; filename="${mail.subject.replace(/[^\w .-]/g, '_')}.eml"`,
    'content-transfer-encoding': 'binary',
  }));
  return [
    route(
      'GET /{sandboxes|inboxes}/{inbox_id}/messages/{message_id}/body.txt',
      body('text/plain; charset=utf-8', ({ mail }) => mail.text),
    ),
    route(
      'GET /{sandboxes|inboxes}/{inbox_id}/messages/{message_id}/body.html',
      body('text/html; charset=utf-8', html),
    ),
    route(
      'GET /{sandboxes|inboxes}/{inbox_id}/messages/{message_id}/body.htmlsource',
      body('text/html; charset=utf-8', html),
    ),
    route(
      'GET /{sandboxes|inboxes}/{inbox_id}/messages/{message_id}/body.raw',
      body('text/plain; charset=utf-8', raw),
    ),
    route('GET /{sandboxes|inboxes}/{inbox_id}/messages/{message_id}/body.eml', eml),
  ];
}
