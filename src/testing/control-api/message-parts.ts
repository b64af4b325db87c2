/** The parts of an email, as a browser or a test reads them. An email is not to be trusted: it never runs as a page of ours. */
import { fromBase64 } from '../base64.ts';
import { writeEml } from '../eml.ts';
import { sourceOf } from '../areas/email-logs/view.ts';
import type { EmulatorAttachment } from '../areas/sending/mail.ts';
import type { EmulatorMessage } from '../areas/sending/outbox.ts';
import type { World } from '../areas/world.ts';
import { notFound, type Reply } from '../route.ts';

/** A page without scripts, of no origin, that loads nothing. Its links open in new windows. */
const SANDBOX =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'";

const page = (
  type: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Reply => ({
  status: 200,
  content: { type, body },
  headers: { 'content-security-policy': SANDBOX, ...headers },
});

/** As much as all images together may add to the HTML of an email, in characters: it may show one any number of times. */
const MAX_IMAGES = 32 * 2 ** 20;

/** The HTML of an email. Images that it carries with it are shown, as far as there is room. */
export function htmlOf({
  html,
  attachments,
}: {
  readonly html: string | null;
  readonly attachments: readonly Pick<EmulatorAttachment, 'contentId' | 'type' | 'content'>[];
}): Reply {
  if (html === null) throw notFound('The email has no HTML');
  const images = new Map(
    attachments
      .filter(({ contentId, type }) => contentId !== null && /^image\/[\w.+-]+$/.test(type))
      .map(({ contentId, type, content }) => [
        `cid:${contentId ?? ''}`,
        `data:${type};base64,${content.replace(/\s/g, '')}`,
      ]),
  );
  return page('text/html; charset=utf-8', withoutFrames(withImages(html, images)));
}

function withImages(html: string, images: ReadonlyMap<string, string>): string {
  let room = MAX_IMAGES;
  return html.replace(/cid:[^\s"'<>(),;&]+/g, (reference) => {
    const image = images.get(reference) ?? reference;
    if (image.length > room) return reference;
    room -= image.length;
    return image;
  });
}

/**
 * A browser connects to the address of a frame before it looks at the policy of the page. The content of a template is
 * not shown, and nor is that of a frame; an unknown element stands for a frame without an end tag.
 */
const withoutFrames = (html: string): string =>
  html.replace(/<(\/?)iframe(?![\w-])/gi, '<$1template').replace(/<frame(?![\w-])/gi, '<x-frame');

/** The text of an email. */
export function textOf({ text }: EmulatorMessage): Reply {
  if (text === null) throw notFound('The email has no text');
  return page('text/plain; charset=utf-8', text);
}

/** The raw email, to be downloaded. */
export function rawOf({ logs, outbox }: World, id: string): Reply {
  const record = logs.anywhere(id);
  if (record !== undefined) return page('message/rfc822', sourceOf(record), download(`${id}.eml`));
  // One in a test inbox, which the log does not have.
  const copy = outbox.find(id);
  if (copy === undefined) throw notFound(`There is no email ${id}`);
  const { mail, at } = copy;
  const messageId = `<${id}@${mail.from.email.slice(mail.from.email.lastIndexOf('@') + 1)}>`;
  return page('message/rfc822', writeEml(mail, { id, sentAt: at, messageId }), download(`${id}.eml`));
}

/** An attachment, to be downloaded. */
export function attachmentOf({ attachments }: EmulatorMessage, index: number): Reply {
  const attachment = attachments[index];
  if (attachment === undefined) throw notFound(`The email has no attachment ${index}`);
  // What it claims to be is not to be trusted either.
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(attachment.type) ? attachment.type : 'application/octet-stream';
  return page(type, fromBase64(attachment.content), download(attachment.filename));
}

/** In the header only letters, digits and the like; the real name as RFC 8187 writes it. */
function download(name: string): Record<string, string> {
  const plain = name.replace(/[^\w.-]/g, '_');
  const real = encodeURIComponent(new TextDecoder().decode(new TextEncoder().encode(name))).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16)}`,
  );
  return { 'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${real}` };
}
