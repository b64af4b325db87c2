import { headersOf } from '../../state/emails/eml.ts';
import { messageIdOf, type CapturedRecord } from '../../state/inboxes/sandbox.ts';
import { FieldErrors, INVALID } from '../../wire/fields.ts';
import { emailAddress, fits, flag } from '../../../declare/kind.ts';
import { route, type Exchange } from '../../routing/route.ts';
import { ok, unprocessable } from '../../wire/reply.ts';
import { wrapped } from '../../routing/wrapper.ts';
import type { World } from '../../state/world.ts';
import { SANDBOX, findInbox, findMessage } from './endpoint.ts';
import { htmlAnalysis, spamReport } from './reports.ts';
import { contextOf, messageView, recipientsOf } from './view.ts';

/** The headers of a raw message, with names in lower case and underscores; and `bcc`, which a raw message does not have. */
export function namedHeaders(message: CapturedRecord, raw: Uint8Array): Record<string, string> {
  const { mail, at } = message;
  const [head = ''] = new TextDecoder().decode(raw).split('\r\n\r\n');
  const type = /^Content-Type: (.*)$/im.exec(head)?.[1]?.replace(/\r$/, '');
  const headers = headersOf(mail, messageIdOf(message), at).map(([name, value]) => [
    name.toLowerCase().replaceAll('-', '_'),
    value.replace(/\r\n /g, ' '),
  ]);
  return {
    ...(Object.fromEntries(headers) as Record<string, string>),
    ...(type !== undefined && { content_type: type }),
    ...(mail.bcc.length > 0 && { bcc: mail.bcc.map(({ email }) => email).join(', ') }),
  };
}

const PAGE_SIZE = 30;

/** The endpoints of messages. */
export function messageRoutes({ inboxes, settings }: World) {
  const found = (exchange: Exchange) => findMessage(inboxes, exchange);
  const messagesOf = (exchange: Exchange) => inboxes.messagesOf(findInbox(inboxes, exchange));
  const view = (message: CapturedRecord, exchange: Exchange) =>
    messageView(message, inboxes, contextOf(exchange, settings));
  return [
    route('GET /{sandboxes|inboxes}/{inbox_id}/messages', SANDBOX, (exchange) =>
      ok(pageOf([...messagesOf(exchange).values()], exchange.query).map((one) => view(one, exchange))),
    ),
    route('GET /{sandboxes|inboxes}/{inbox_id}/messages/{message_id}', SANDBOX, (exchange) =>
      ok(view(found(exchange), exchange)),
    ),
    route('PATCH /{sandboxes|inboxes}/{inbox_id}/messages/{message_id}', SANDBOX, (exchange) => {
      const message = found(exchange);
      const errors = new FieldErrors();
      const input = readFlag(wrapped(exchange.body(), 'message').is_read);
      const isRead = errors.read(flag, input, message.isRead, 'is_read');
      errors.throwIfAny();
      Object.assign(message, { isRead, updatedAt: exchange.now });
      return ok(view(message, exchange));
    }),
    route('DELETE /{sandboxes|inboxes}/{inbox_id}/messages/{message_id}', SANDBOX, (exchange) => {
      const message = found(exchange);
      messagesOf(exchange).delete(message.id);
      return ok(view(message, exchange));
    }),
    route('POST /{sandboxes|inboxes}/{inbox_id}/messages/{message_id}/forward', SANDBOX, (exchange) => {
      found(exchange);
      const { email } = exchange.body();
      if (!fits(emailAddress, email)) throw unprocessable({ email: [INVALID] });
      findInbox(inboxes, exchange).forwardedCount += 1;
      return ok({ success: true, message: 'Your email message has been successfully forwarded' });
    }),
    route(
      'GET /{sandboxes|inboxes}/{inbox_id}/messages/{message_id}/spam_report',
      { ...SANDBOX, inferred: 'the rules of the filter' },
      (exchange) => ok({ report: spamReport(found(exchange).mail) }),
    ),
    route(
      'GET /{sandboxes|inboxes}/{inbox_id}/messages/{message_id}/analyze',
      { ...SANDBOX, inferred: 'what is not supported by which program' },
      (exchange) => ok({ report: htmlAnalysis(found(exchange).mail) }),
    ),
    route('GET /{sandboxes|inboxes}/{inbox_id}/messages/{message_id}/mail_headers', SANDBOX, (exchange) => {
      const message = found(exchange);
      return ok({ headers: namedHeaders(message, inboxes.rawOf(message)) });
    }),
  ];
}

/** Reads a flag: clients send a boolean, or a text as in the public reference. */
const readFlag = (input: unknown) => (input === 'true' || input === 'false' ? input === 'true' : input);

/** A page of an inbox, newest first. `last_id` takes precedence over `page`. Ignores an invalid value. */
function pageOf(messages: readonly CapturedRecord[], query: URLSearchParams): CapturedRecord[] {
  const search = (query.get('search') ?? '').toLowerCase();
  const lastId = Number(query.get('last_id') ?? '');
  const page = Number(query.get('page') ?? '');
  const all = [...messages].reverse().filter((message) => {
    const { to_email, to_name } = recipientsOf(message);
    return [message.mail.subject, to_email, to_name].some((text) => text.toLowerCase().includes(search));
  });
  if (lastId > 0) return all.filter(({ id }) => id < lastId).slice(0, PAGE_SIZE);
  const from = page > 1 ? (Math.floor(page) - 1) * PAGE_SIZE : 0;
  return all.slice(from, from + PAGE_SIZE);
}
