/** Reads a raw email (RFC 5322) with postal-mime. */
import PostalMime, { decodeWords, type Email } from 'postal-mime';
import { late } from '../../../kit/late.ts';
import type { NamedAddress } from '../content/named-address.ts';
import { ReceivedMail } from './received-mail.ts';
import type { MailboxMail, MailboxMessage } from './message-types.ts';

interface Address {
  readonly name?: string | undefined;
  readonly address?: string | undefined;
  readonly group?: readonly Address[] | undefined;
}

const addressesIn = (input: readonly Address[] = []): NamedAddress[] =>
  input.flatMap(({ name = '', address, group }) => {
    if (group !== undefined) return addressesIn(group);
    return address === undefined ? [] : { email: address, name: name === '' ? null : name };
  });

const HEADER_OF = {
  plain: /^content-type:[ \t]{0,9}text\/plain/im,
  html: /^content-type:[ \t]{0,9}text\/html/im,
};
const IN_BASE64 = /^content-transfer-encoding:[ \t]{0,9}base64/im;

/** Whether the first part of a type has a body in base64. */
function isInBase64(source: string, type: keyof typeof HEADER_OF): boolean {
  const at = source.search(HEADER_OF[type]);
  if (at < 0) return false;
  const from = Math.max(source.lastIndexOf('\n\n', at), source.lastIndexOf('\n--', at));
  return IN_BASE64.test(source.slice(from + 1, source.indexOf('\n\n', at)));
}

/** The bodies, without the line break that postal-mime adds to each that is not in base64: it belongs to the boundary. */
function bodiesOf(raw: Uint8Array, { text, html }: Pick<Email, 'text' | 'html'>) {
  const source = late(() => new TextDecoder('latin1').decode(raw).replaceAll('\r\n', '\n'));
  const body = (type: keyof typeof HEADER_OF, read: string | undefined): string | null =>
    read?.endsWith('\n') && !isInBase64(source(), type) ? read.slice(0, -1) : (read ?? null);
  return { text: body('plain', text), html: body('html', html) };
}

/** The error of a raw email that the parser refuses, such as one with 300 levels of parts. Its cause is the parser's. */
export class UnreadableMail extends Error {
  override readonly name = 'UnreadableMail';
}

/** Reads a raw email. Subject, sender and time of arrival come from the inbox. Throws {@link UnreadableMail}. */
export async function mailFrom(
  raw: Uint8Array,
  id: string,
  { subject, from_email: from, created_at: created }: MailboxMessage,
): Promise<MailboxMail> {
  const mail = await PostalMime.parse(raw).catch((cause: unknown) => {
    throw new UnreadableMail(`Message ${id} cannot be read: ${(cause as Error).message}`, { cause });
  });
  const headers = new Map<string, string>();
  for (const { key, value } of mail.headers) {
    const before = headers.get(key);
    headers.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  const [to, cc] = [addressesIn(mail.to), addressesIn(mail.cc)];
  const [sender] = addressesIn(mail.from === undefined ? [] : [mail.from]);
  const sent = new Date(mail.date ?? created);
  return new ReceivedMail({
    id,
    from: sender?.email ?? from,
    fromName: sender?.name ?? null,
    to: to.map(({ email }) => email),
    toNames: to.map(({ name }) => name),
    cc: cc.map(({ email }) => email),
    ccNames: cc.map(({ name }) => name),
    reply_to: addressesIn(mail.replyTo)[0] ?? null,
    subject: mail.subject ?? subject,
    template: null,
    date: Number.isNaN(sent.getTime()) ? new Date(created) : sent,
    ...bodiesOf(raw, mail),
    headers: Object.fromEntries(headers),
    attachments: mail.attachments.map(({ filename, mimeType, content, disposition, contentId }) => ({
      filename,
      type: mimeType,
      disposition: disposition === 'inline' ? 'inline' : 'attachment',
      contentId: contentId?.replace(/^<|>$/g, '') ?? null,
      content: typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content),
    })),
  });
}

/** The text of the encoded words (RFC 2047) of a header. */
export const decodedWords = (words: string): string => decodeWords(words);
