import { headersOf } from '../../eml.ts';
import { messageIdOf, type CapturedRecord } from './store.ts';

/** The headers of a raw message by name, in small letters and with underscores; and `bcc`, which is not one of them. */
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
