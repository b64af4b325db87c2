import type { EmailAddress } from '../../resources/sending/types.ts';
import type { Mail, MailAddress, SentEnvelope } from './types.ts';

type Addresses = ReturnType<Mail['message']['getAddresses']>;

/** The sender, and the recipients by field. */
export interface Mailboxes {
  readonly from: EmailAddress | undefined;
  readonly to: EmailAddress[];
  readonly cc: EmailAddress[];
  readonly bcc: EmailAddress[];
  readonly replyTo: EmailAddress[];
}

/** A text in one line, as nodemailer writes it in a header. */
export const inOneLine = (text: string): string =>
  /[\r\n]/.test(text) ? text.replace(/\r\n?|\n/g, ' ').trim() : text;

const mailboxOf = ({ address = '', name = '' }: MailAddress): EmailAddress =>
  name === '' ? { email: address } : { email: address, name: inOneLine(name) };

/** The addresses of a message. As with SMTP, a recipient in several fields gets one copy, for the first field. */
export function mailboxesOf(addresses: Addresses): Mailboxes {
  const seen = new Set<string>();
  const all = (header: string) => (addresses[header] ?? []).map(mailboxOf);
  const unseen = (header: string) =>
    all(header).filter(({ email }) => {
      const isNew = !seen.has(email.toLowerCase());
      seen.add(email.toLowerCase());
      return isNew;
    });
  return {
    from: all('from')[0],
    to: unseen('to'),
    cc: unseen('cc'),
    bcc: unseen('bcc'),
    replyTo: all('reply-to'),
  };
}

type Recipients = Partial<Pick<Mailboxes, 'to' | 'cc' | 'bcc'>>;

/** The recipients' addresses, in the form of an SMTP envelope. */
export const recipientsOf = ({ to = [], cc = [], bcc = [] }: Recipients): string[] =>
  [...to, ...cc, ...bcc].map(({ email }) => email);

/** The SMTP envelope of a message. */
export function envelopeOf(addresses: Addresses): SentEnvelope {
  const mailboxes = mailboxesOf(addresses);
  return { from: mailboxes.from?.email ?? false, to: recipientsOf(mailboxes) };
}
