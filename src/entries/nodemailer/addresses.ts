import type { Issue } from '../../core/errors.ts';
import { hostName } from '../../core/host-name.ts';
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
 * Refuses each entry of which nodemailer would drop or change an address, because it sends to the others without an error.
 * A text with an @ has to be an address that nodemailer reads, too, or stand in quotes or in a comment.
 */
export function addressIssues({ message }: Mail): Issue[] {
  const addresses = message.getAddresses();
  return Object.entries(FIELDS).flatMap(([header, field]) => {
    const value = message.getHeader(header) ?? '';
    const entries = Array.isArray(value) ? Array.from(value, entriesIn).flat() : textEntries(value);
    const read = (addresses[header] ?? []).map(({ address = '' }) => comparable(address));
    return entries.flatMap((entry, index) => {
      const fault = faultOf(entry) ?? lossOf(entry.text, read);
      return fault === undefined ? [] : [{ path: `${field}[${index}]`, message: fault }];
    });
  });
}

/** The text in angle brackets. */
const BRACKETS = /<([^<>]*)>/g;

const NOT_IN_DOMAIN = /[^\p{L}\p{M}\p{N}\s\0.:_[\]-]/u;

/** An entry of a field. */
interface Entry {
  readonly text: string;
  /** The fault if it has no address. */
  readonly lack: string;
}

const NO_ADDRESS = 'has no address';
/** A name with brackets follows in the same text: this may be a part of that name. */
const PART_OF_NAME = `${NO_ADDRESS}: put a name with a comma in quotes, as in '"Lee, Ann" <ann@example.org>'`;
const OTHER_NAME = `${NO_ADDRESS}: in a message of nodemailer, its name is \`address\``;

function faultOf({ text: entry, lack }: Entry): string | undefined {
  if (/["(]/.test(entry)) return 'has an open quote, or an open or nested parenthesis';
  const count = countIn(entry);
  if (count === 0) return lack;
  if (entry.split('<').length !== entry.split('>').length)
    return 'has an angle bracket without its counterpart';
  const [address = ''] = addressesIn(entry);
  if (count > 1 || /@.+@/.test(address.replace(/@+/g, '@')))
    return 'has several addresses: separate them with commas';
  if (address.includes('@@')) return 'has an address with two @ one after the other';
  if (NOT_IN_DOMAIN.test(address.slice(address.lastIndexOf('@') + 1)))
    return 'has a domain with a character that no domain has: separate addresses with commas';
  if (!entry.includes('<'))
    return wordsOf(entry).length === 1 ? undefined : 'has words beside its address: write Name <address>';
  return wordsOf(entry.replace(BRACKETS, ' ')).every((word) => !word.includes('@') || word === address)
    ? undefined
    : 'has an @ beside its address: separate addresses with commas, and put a name with an @ in quotes';
}

/** The fault of an entry with an address that nodemailer does not read. Of a quoted local part, the domain is compared. */
const lossOf = (entry: string, read: readonly string[]): string | undefined =>
  addressesIn(entry).every((text) => {
    const address = comparable(text);
    return read.some((one) => (address.startsWith('@') ? one.endsWith(address) : one === address));
  })
    ? undefined
    : 'cannot be read as one address: write Name <address>';

/** An address in lower case, with its domain in ASCII, as nodemailer has it. */
function comparable(text: string): string {
  const address = text.replaceAll(HIDDEN, '').replace(/\s/g, '').toLowerCase();
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + (hostName(address.slice(at)) ?? address.slice(at));
}

/** The entries of an item of a list. An empty item is one, too. */
function entriesIn(item: unknown): Entry[] {
  const entries = textEntries(item);
  return entries.length === 0 && !/:\s*;?\s*$/.test(String(item)) ? [entryOf('')] : entries;
}

/** Stands for a quoted name or a comment. */
const HIDDEN = '\0';

const entryOf = (text: string, lack = NO_ADDRESS): Entry => ({ text, lack });

/** The entries of a field, without quoted names, comments and the names of groups. */
function textEntries(value: unknown): Entry[] {
  if (isRecord(value)) {
    const { address, email } = value;
    if (typeof address === 'string') return [entryOf(`<${address.replace(/[<>]/g, '')}>`)];
    return [entryOf('', email === undefined ? NO_ADDRESS : OTHER_NAME)];
  }
  const parts = String(value)
    .replace(/"(?:[^"\\]|\\.)*"|\([^()]*\)/gs, HIDDEN)
    .split(/[,;]/)
    .map((part) => part.replace(/^[^<>@]*:/, '').trim())
    .filter((part) => part !== '');
  let isNamed = false;
  const entries = parts.reverse().map((part) => {
    const entry = entryOf(part, isNamed ? PART_OF_NAME : NO_ADDRESS);
    if (countIn(part) > 0) isNamed = /[^\s<>]\s*</.test(part);
    return entry;
  });
  return entries.reverse();
}

/** The words of a text that are not hidden. */
const wordsOf = (text: string): string[] =>
  text.split(/\s+/).filter((word) => word.replaceAll(HIDDEN, '') !== '');

/** The addresses of an entry: the texts in angle brackets, or else the words with an @. */
const addressesIn = (entry: string): string[] =>
  entry.includes('<')
    ? Array.from(entry.matchAll(BRACKETS), ([, text = '']) => text.trim())
    : wordsOf(entry).filter((word) => word.includes('@'));

const countIn = (entry: string): number =>
  entry.includes('<')
    ? (entry.match(/<[^<>]*[^<>\s]/g) ?? []).length
    : entry.split(/\s+/).filter((word) => word.includes('@')).length;
