/** The estimated sizes of records in bytes. */
import type { Mail } from '../../service/state/emails/mail.ts';
import type { Copy } from '../../service/state/emails/outbox.ts';
import type { EmulatorWebhookPost } from '../../service/state/posts/posts.ts';

/** The estimated bytes of a mail's or a request's objects. */
export const OVERHEAD = 500;

/** The content that the copies of an email share. */
export const sharedBy = (copy: Copy): object => copy.mailing ?? copy.mail;

/** In bytes: two for each character. */
export function sizeOf(given: string | null | readonly (readonly [string, string])[]): number {
  if (typeof given === 'string') return 2 * given.length;
  return (given ?? []).reduce((sum, [name, value]) => sum + 2 * (name.length + value.length), 0);
}

export function sizeOfMail({ subject, html, text, headers, attachments }: Mail): number {
  const files = attachments.reduce((sum, { content }) => sum + content.length, 0);
  return (
    2 * (subject.length + (html?.length ?? 0) + (text?.length ?? 0)) + sizeOf(Object.entries(headers)) + files
  );
}

export const sizeOfPost = ({ body, url }: EmulatorWebhookPost) => OVERHEAD + 2 * (body.length + url.length);
