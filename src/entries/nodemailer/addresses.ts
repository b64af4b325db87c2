import type { Issue } from '../../core/errors.ts';
import { isRecord } from '../../core/record.ts';
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

/** nodemailer's fields with addresses, by header. */
const FIELDS = { from: 'from', to: 'to', cc: 'cc', bcc: 'bcc', 'reply-to': 'replyTo' } as const;

/**
 * Refuses each entry of which nodemailer would drop or change an address: without one, with several that no comma
 * separates, with one angle bracket of two, or with words beside an address without them, such as `ben@exa mple.org`.
 */
export const addressIssues = ({ message }: Mail): Issue[] =>
  Object.entries(FIELDS).flatMap(([header, field]) => {
    const value = message.getHeader(header) ?? '';
    const entries = Array.isArray(value) ? Array.from(value, entriesIn).flat() : textEntries(value);
    return entries.flatMap((entry, index) => {
      const fault = faultOf(entry);
      return fault === undefined ? [] : [{ path: `${field}[${index}]`, message: fault }];
    });
  });

function faultOf(entry: string): string | undefined {
  const count = countIn(entry);
  if (count === 0) return 'has no address';
  if (entry.split('<').length !== entry.split('>').length)
    return 'has an angle bracket without its counterpart';
  if (count > 1) return 'has several addresses: separate them with commas';
  const isBare = entry.includes('<') || entry.split(/\s+/).filter((word) => word !== HIDDEN).length === 1;
  return isBare ? undefined : 'has words beside its address: write Name <address>';
}

/** The entries of an item of a list. An empty item is one, too. */
function entriesIn(item: unknown): string[] {
  const entries = textEntries(item);
  return entries.length === 0 && !/:\s*;?\s*$/.test(String(item)) ? [''] : entries;
}

/** Stands for a quoted name or a comment. */
const HIDDEN = 'x';

/** The entries of a field, without quoted names, comments and the names of groups. */
function textEntries(value: unknown): string[] {
  if (isRecord(value))
    return typeof value.address === 'string' ? [`<${value.address.replace(/[<>]/g, '')}>`] : [''];
  const parts = String(value)
    .replace(/"(?:[^"\\]|\\.)*"|\([^()]*\)/g, HIDDEN)
    .split(/[,;]/)
    .map((part) => part.replace(/^[^<>]*:/, '').trim())
    .filter((part) => part !== '');
  const entries: string[] = [];
  // Of `Doe, Ann <ann@example.org>`, nodemailer takes both parts for the name.
  for (const part of parts.reverse()) if (countIn(part) > 0 || !isNamed(entries.at(-1))) entries.push(part);
  return entries.reverse();
}

/** Whether an entry has an address, and a name beside it. */
const isNamed = (entry = ''): boolean =>
  countIn(entry) > 0 && (entry.includes('<') ? !/^<[^<>]*>$/.test(entry) : /\s/.test(entry));

const countIn = (entry: string): number =>
  entry.includes('<')
    ? (entry.match(/<[^<>]*[^<>\s]/g) ?? []).length
    : entry.split(/\s+/).filter((word) => word.includes('@')).length;
