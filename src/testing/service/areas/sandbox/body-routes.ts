import { route, type Exchange } from '../../routing/route.ts';
import { notFound, type Reply, ok } from '../../wire/reply.ts';
import type { World } from '../../state/world.ts';
import { SANDBOX, findMessage } from './endpoint.ts';
import type { CapturedRecord } from '../../state/inboxes/sandbox.ts';
import { fromBase64 } from '../../../encoding/base64.ts';
import { hmac } from '../../../encoding/hashes.ts';
import type { EmulatorAttachment } from '../../state/emails/mail.ts';
import { attachmentView } from './view.ts';

/** The endpoints of a message's parts, as text or bytes. */
export function bodyRoutes({ inboxes, settings }: World) {
  const missing = (): Reply => {
    if (settings.sandbox.missingPart === 'not-found') throw notFound();
    return { status: 409, content: { type: 'text/plain; charset=utf-8', body: 'Conflict' } };
  };
  const body =
    (
      type: string,
      contentOf: (message: CapturedRecord) => string | Uint8Array<ArrayBuffer> | null,
      headersOf: (message: CapturedRecord) => Record<string, string> = () => ({}),
    ) =>
    (exchange: Exchange): Reply => {
      const message = findMessage(inboxes, exchange);
      const content = contentOf(message);
      if (content === null) return missing();
      return { status: 200, content: { type, body: content }, headers: headersOf(message) };
    };
  const raw = (message: CapturedRecord) => inboxes.rawOf(message);
  const html = ({ mail }: CapturedRecord) => mail.html;
  const eml = body('message/rfc822', raw, ({ mail }) => ({
    'content-disposition': `attachment; filename="${mail.subject.replace(/[^\w .-]/g, '_')}.eml"`,
    'content-transfer-encoding': 'binary',
  }));
  const part = (extension: string, handler: (exchange: Exchange) => Reply) =>
    route(`GET /{sandboxes|inboxes}/{inbox_id}/messages/{message_id}/body.${extension}`, SANDBOX, handler);
  return [
    part(
      'txt',
      body('text/plain; charset=utf-8', ({ mail }) => mail.text),
    ),
    part('html', body('text/html; charset=utf-8', html)),
    part('htmlsource', body('text/html; charset=utf-8', html)),
    part('raw', body('text/plain; charset=utf-8', raw)),
    part('eml', eml),
  ];
}

/** The attachments of a message, with their ids. */
const attachmentsOf = ({ id, mail }: CapturedRecord) =>
  mail.attachments.map((attachment, index) => ({ id: id * 1000 + index + 1, attachment }));

/** The endpoints of attachments, and the endpoint of their content. */
export function attachmentRoutes({ inboxes, secret }: World) {
  const sealOf = (part: string) => hmac(secret, `attachment ${part}`).slice(0, 40);
  /** The signed path of an attachment's content, which needs no token. */
  const pathOf = ({ id, inboxId }: CapturedRecord, attachmentId: number): string => {
    const part = `${inboxId}.${id}.${attachmentId}`;
    return `/api/testing_message_parts/${part}.${sealOf(part)}/download`;
  };
  const view = (message: CapturedRecord, attachment: EmulatorAttachment, id: number) =>
    attachmentView(message, attachment, id, pathOf(message, id));
  return [
    route('GET /{sandboxes|inboxes}/{inbox_id}/messages/{message_id}/attachments', SANDBOX, (exchange) => {
      const message = findMessage(inboxes, exchange);
      const type = exchange.query.get('attachment_type') ?? '';
      const wanted = attachmentsOf(message).filter(
        ({ attachment }) => type === '' || attachment.disposition === type,
      );
      return ok(wanted.map(({ attachment, id }) => view(message, attachment, id)));
    }),
    route(
      'GET /{sandboxes|inboxes}/{inbox_id}/messages/{message_id}/attachments/{id}',
      SANDBOX,
      (exchange) => {
        const message = findMessage(inboxes, exchange);
        const one = attachmentsOf(message).find(({ id }) => String(id) === exchange.params.id);
        if (one === undefined) throw notFound();
        return ok(view(message, one.attachment, one.id));
      },
    ),
    route(
      'GET /testing_message_parts/{part}/download',
      { ...SANDBOX, forms: ['token'], isSigned: true },
      ({ params }) => {
        const [, part = '', inboxId, messageId, id, seal] =
          /^((\d+)\.(\d+)\.(\d+))\.([\da-f]{40})$/.exec(params.part ?? '') ?? [];
        if (seal !== sealOf(part)) throw notFound();
        const inbox = inboxes.anywhere(Number(inboxId));
        const message = inbox && inboxes.messagesOf(inbox).get(Number(messageId));
        const one = message && attachmentsOf(message).find((each) => String(each.id) === id);
        if (one === undefined) throw notFound();
        // The sender chose the type, so it may contain characters that a header does not allow.
        const type = one.attachment.type.replace(/[^\x20-\x7e]/g, '').trim() || 'application/octet-stream';
        return { status: 200, content: { type, body: fromBase64(one.attachment.content) } };
      },
    ),
  ];
}
