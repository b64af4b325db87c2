import { headersOf, writeEml } from '../../eml.ts';
import type { CapturedRecord } from './store.ts';

const messageIdOf = ({ id, mail: { from } }: CapturedRecord) =>
  `<${id}@${from.email.slice(from.email.lastIndexOf('@') + 1)}>`;

/** The raw message, as it was captured. */
export function emlOf(message: CapturedRecord): Uint8Array<ArrayBuffer> {
  const { id, mail, at } = message;
  return (message.eml ??= writeEml(mail, { id, sentAt: at, messageId: messageIdOf(message) }));
}

/** The headers of the raw message by name, in small letters and with underscores; and `bcc`, which is not one of them. */
export function namedHeaders(message: CapturedRecord): Record<string, string> {
  const { mail, at } = message;
  const [head = ''] = new TextDecoder().decode(emlOf(message)).split('\r\n\r\n');
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
