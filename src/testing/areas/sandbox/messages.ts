import { hmac } from '../../hmac.ts';
import { notFound, ok, unprocessable, type Exchange, type Reply, type Route } from '../../route.ts';
import { FieldErrors, flag, INVALID } from '../field-errors.ts';
import type { EmulatorAttachment } from '../sending/mail.ts';
import { wrapped } from '../wrapper.ts';
import { emlOf, namedHeaders } from './eml.ts';
import type { SandboxEndpoint, SandboxParts } from './endpoint.ts';
import { findInbox, findMessage } from './find.ts';
import { htmlAnalysis, spamReport } from './reports.ts';
import type { CapturedRecord, InboxRecord } from './store.ts';
import { attachmentView, bytesOf, messageView, recipientsOf } from './view.ts';

const PAGE_SIZE = 30;
const MESSAGES = '/{inboxes}/:inbox_id/messages';
const MESSAGE = `${MESSAGES}/:message_id`;

/** The endpoints of messages and attachments, and the one to which the paths of attachments lead. */
export function messageEndpoints(parts: SandboxParts): {
  readonly endpoints: readonly SandboxEndpoint[];
  readonly routes: readonly Route[];
} {
  const { store } = parts;
  const found = (exchange: Exchange) => findMessage(store, exchange);
  const endpoints: readonly SandboxEndpoint[] = [
    {
      method: 'GET',
      path: MESSAGES,
      handler: (exchange, context) =>
        ok(pageOf(findInbox(store, exchange), exchange.query).map((one) => messageView(one, context))),
    },
    {
      method: 'GET',
      path: MESSAGE,
      handler: (exchange, context) => ok(messageView(found(exchange), context)),
    },
    {
      method: 'PATCH',
      path: MESSAGE,
      handler: (exchange, context) => {
        const message = found(exchange);
        const errors = new FieldErrors();
        const isRead = flag(wrapped(exchange.body(), 'message').is_read, message.isRead, 'is_read', errors);
        errors.throwIfAny();
        Object.assign(message, { isRead, updatedAt: exchange.now });
        return ok(messageView(message, context));
      },
    },
    {
      method: 'DELETE',
      path: MESSAGE,
      handler: (exchange, context) => {
        const message = found(exchange);
        findInbox(store, exchange).messages.delete(message.id);
        return ok(messageView(message, context));
      },
    },
    {
      method: 'POST',
      path: `${MESSAGE}/forward`,
      handler: (exchange) => {
        found(exchange);
        const { email } = exchange.body();
        if (typeof email !== 'string' || !/^[^\s@]+@[^\s@]+$/.test(email)) {
          throw unprocessable({ email: [INVALID] });
        }
        findInbox(store, exchange).forwardedCount += 1;
        return ok({ success: true, message: 'Your email message has been successfully forwarded' });
      },
    },
    {
      method: 'GET',
      path: `${MESSAGE}/spam_report`,
      handler: (exchange) => ok({ report: spamReport(found(exchange).mail) }),
    },
    {
      method: 'GET',
      path: `${MESSAGE}/analyze`,
      handler: (exchange) => ok({ report: htmlAnalysis(found(exchange).mail) }),
    },
    {
      method: 'GET',
      path: `${MESSAGE}/mail_headers`,
      handler: (exchange) => ok({ headers: namedHeaders(found(exchange)) }),
    },
    ...bodyEndpoints(parts),
    ...attachmentEndpoints(parts),
  ];
  return { endpoints, routes: [partRoute(parts)] };
}

/** A page of an inbox, newest first. `last_id` wins over `page`; a value that cannot be read is ignored. */
function pageOf(inbox: InboxRecord, query: URLSearchParams): CapturedRecord[] {
  const search = (query.get('search') ?? '').toLowerCase();
  const lastId = Number(query.get('last_id') ?? '');
  const page = Number(query.get('page') ?? '');
  const all = [...inbox.messages.values()].reverse().filter((message) => {
    const { to_email, to_name } = recipientsOf(message);
    return [message.mail.subject, to_email, to_name].some((text) => text.toLowerCase().includes(search));
  });
  if (lastId > 0) return all.filter(({ id }) => id < lastId).slice(0, PAGE_SIZE);
  const from = page > 1 ? (Math.floor(page) - 1) * PAGE_SIZE : 0;
  return all.slice(from, from + PAGE_SIZE);
}

function bodyEndpoints({ store, options }: SandboxParts): readonly SandboxEndpoint[] {
  const missing = (): Reply => {
    if (options.missingPart === 'not-found') throw notFound();
    return { status: 409, content: { type: 'text/plain; charset=utf-8', body: 'Conflict' } };
  };
  const body = (
    extension: string,
    type: string,
    contentOf: (message: CapturedRecord) => string | Uint8Array<ArrayBuffer> | null,
    headersOf: (message: CapturedRecord) => Record<string, string> = () => ({}),
  ): SandboxEndpoint => ({
    method: 'GET',
    path: `${MESSAGE}/body.${extension}`,
    handler: (exchange) => {
      const message = findMessage(store, exchange);
      const content = contentOf(message);
      if (content === null) return missing();
      return { status: 200, content: { type, body: content }, headers: headersOf(message) };
    },
  });
  const html = ({ mail }: CapturedRecord) => mail.html;
  return [
    body('txt', 'text/plain; charset=utf-8', ({ mail }) => mail.text),
    body('html', 'text/html; charset=utf-8', html),
    body('htmlsource', 'text/html; charset=utf-8', html),
    body('raw', 'text/plain; charset=utf-8', emlOf),
    body('eml', 'message/rfc822', emlOf, ({ mail }) => ({
      'content-disposition': `attachment; filename="${mail.subject.replace(/[^\w .-]/g, '_')}.eml"`,
      'content-transfer-encoding': 'binary',
    })),
  ];
}

/** The attachments of a message, with the ids that they have. */
const attachmentsOf = ({ id, mail }: CapturedRecord) =>
  mail.attachments.map((attachment, index) => ({ id: id * 1000 + index + 1, attachment }));

const sealOf = ({ secret }: SandboxParts, part: string) => hmac(secret, `attachment ${part}`).slice(0, 40);

/** The path of an attachment's content: whoever has it needs no token. */
function pathOf(parts: SandboxParts, { id, inboxId }: CapturedRecord, attachmentId: number): string {
  const part = `${inboxId}.${id}.${attachmentId}`;
  return `/api/testing_message_parts/${part}.${sealOf(parts, part)}/download`;
}

function attachmentEndpoints(parts: SandboxParts): readonly SandboxEndpoint[] {
  const { store } = parts;
  const view = (message: CapturedRecord, attachment: EmulatorAttachment, id: number) =>
    attachmentView(message, attachment, id, pathOf(parts, message, id));
  return [
    {
      method: 'GET',
      path: `${MESSAGE}/attachments`,
      handler: (exchange) => {
        const message = findMessage(store, exchange);
        const type = exchange.query.get('attachment_type') ?? '';
        const wanted = attachmentsOf(message).filter(
          ({ attachment }) => type === '' || attachment.disposition === type,
        );
        return ok(wanted.map(({ attachment, id }) => view(message, attachment, id)));
      },
    },
    {
      method: 'GET',
      path: `${MESSAGE}/attachments/:id`,
      handler: (exchange) => {
        const message = findMessage(store, exchange);
        const one = attachmentsOf(message).find(({ id }) => String(id) === exchange.params.id);
        if (one === undefined) throw notFound();
        return ok(view(message, one.attachment, one.id));
      },
    },
  ];
}

/** Where the paths of attachments lead. */
function partRoute(parts: SandboxParts): Route {
  return {
    method: 'GET',
    path: '/api/testing_message_parts/:part/download',
    permission: ['sandbox', 'viewer'],
    isSigned: true,
    handler: ({ params }) => {
      const [, part = '', inboxId, messageId, id, seal] =
        /^((\d+)\.(\d+)\.(\d+))\.([\da-f]{40})$/.exec(params.part ?? '') ?? [];
      if (seal !== sealOf(parts, part)) throw notFound();
      const message = parts.store.anywhere(Number(inboxId))?.messages.get(Number(messageId));
      const one = message && attachmentsOf(message).find((each) => String(each.id) === id);
      if (one === undefined) throw notFound();
      // The sender chose it, so it may be no value of a header.
      const type = one.attachment.type.replace(/[^\x20-\x7e]/g, '').trim() || 'application/octet-stream';
      return { status: 200, content: { type, body: bytesOf(one.attachment) } };
    },
  };
}
