/** The parts of an email, for a browser or a test. Emails are untrusted: the browser opens them in a sandbox without scripts. */
import { fromBase64 } from '../../encoding/base64.ts';
import { withImages, withoutConnections, withoutOpeners } from '../../common/inert-links.ts';
import { writeEml } from '../../service/state/emails/eml.ts';
import { sourceOf } from '../../service/areas/email-logs/view.ts';
import type { EmulatorAttachment } from '../../service/state/emails/mail.ts';
import type { EmulatorMessage } from '../../service/state/emails/outbox.ts';
import type { World } from '../../service/state/world.ts';
import { notFound, type Reply } from '../../service/wire/reply.ts';
import type { Handlers } from './asked.ts';

/** The policy of a page: no scripts, no origin, no requests but for images. Its links open in new windows. */
const sandbox = (images: string) =>
  `sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src data:${images}; style-src 'unsafe-inline'`;

const page = (
  type: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Reply => ({
  status: 200,
  content: { type, body },
  headers: { 'content-security-policy': sandbox(''), ...headers },
});

/**
 * The HTML of an email, with its attached images.
 *
 * @param images - The sources of other images, for a content security policy; none by default.
 */
export function htmlOf(
  {
    html,
    attachments,
  }: {
    readonly html: string | null;
    readonly attachments: readonly Pick<EmulatorAttachment, 'contentId' | 'type' | 'content'>[];
  },
  images = '',
): Reply {
  if (html === null) throw notFound('The email has no HTML');
  const body = withoutOpeners(withoutConnections(withImages(html, attachments)));
  return page('text/html; charset=utf-8', body, { 'content-security-policy': sandbox(images) });
}

/** The text of an email. */
export function textOf({ text }: EmulatorMessage): Reply {
  if (text === null) throw notFound('The email has no text');
  return page('text/plain; charset=utf-8', text);
}

/** The raw email, as a download. */
export function rawOf({ logs, outbox, readerLinks }: World, id: string): Reply {
  const record = logs.anywhere(id);
  if (record !== undefined)
    return page('message/rfc822', sourceOf(record, readerLinks), download(`${id}.eml`));
  // An email in a test inbox is in the outbox, not in the log.
  const copy = outbox.find(id);
  if (copy === undefined) throw notFound(`There is no email ${id}`);
  const { mail, at } = copy;
  const messageId = `<${id}@${mail.from.email.slice(mail.from.email.lastIndexOf('@') + 1)}>`;
  return page('message/rfc822', writeEml(mail, { id, sentAt: at, messageId }), download(`${id}.eml`));
}

/** An attachment, as a download. */
export function attachmentOf({ attachments }: EmulatorMessage, index: number): Reply {
  const attachment = attachments[index];
  if (attachment === undefined) throw notFound(`The email has no attachment ${index}`);
  // The type comes from the email, so it is untrusted, too.
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(attachment.type) ? attachment.type : 'application/octet-stream';
  return page(type, fromBase64(attachment.content), download(attachment.filename));
}

/** The header of a download: `filename` in ASCII, `filename*` with the real name in the encoding of RFC 8187. */
function download(name: string): Record<string, string> {
  const plain = name.replace(/[^\w.-]/g, '_');
  const real = encodeURIComponent(new TextDecoder().decode(new TextEncoder().encode(name))).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16)}`,
  );
  return { 'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${real}` };
}

/** The handlers of the emails of the current world, by the names of their operations. */
export function messageHandlers(world: () => World): Handlers {
  const message = (id: unknown): EmulatorMessage => {
    const { outbox } = world();
    const found = outbox.find(String(id));
    if (found === undefined) throw notFound(`There is no email ${String(id)}`);
    return outbox.shown(found);
  };

  return {
    'message.html': ({ params }) => htmlOf(message(params.id)),
    'message.text': ({ params }) => textOf(message(params.id)),
    'message.source': ({ params }) => rawOf(world(), String(params.id)),
    'message.attachment': ({ params }) => attachmentOf(message(params.id), Number(params.n)),
    'message.latest': ({ query }) => {
      const wanted = typeof query.to === 'string' ? query.to.toLowerCase() : undefined;
      const { outbox } = world();
      const found = outbox.latest(
        ({ recipient: { email } }) => wanted === undefined || email.toLowerCase() === wanted,
      );
      if (found === undefined) throw notFound('There is no such email yet');
      return htmlOf(outbox.shown(found));
    },
  };
}
