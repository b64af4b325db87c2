/** What a guard makes of one email. Pure: the email is plain data, and is not changed. */
import { isGiven } from '../core/defined.ts';
import { ENDS_HEADER } from '../core/header-text.ts';
import { isRecord } from '../core/record.ts';
import { RECIPIENT_FIELDS, type RecipientField } from '../core/reach.ts';
import { asciiAddress, isSame, readAddress } from './address.ts';
import type { Decide } from './fate.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What has become of data: as it may be sent, and the places in it of what may not. */
export interface Verdict {
  readonly value: unknown;
  readonly refused: readonly string[];
}

/** What is known of an email besides its own fields. */
export interface MailContext {
  /** What comes before the name of a field, where an email is a part of something. */
  readonly path?: string;
  /** What it shares with other emails. */
  readonly base?: unknown;
  /** The fields to which the service adds recipients of its own, where they are empty. */
  readonly fillsIn?: readonly RecipientField[] | undefined;
}

/** The header that says to whom an email would have gone. */
export const ORIGINAL_HEADER = 'X-Original-Recipients';
/** Addresses that the header names. */
const MAX_NAMED = 20;
/** Characters of the names in a header, which no server refuses as too long. */
const MAX_NAMED_LENGTH = 800;

const HEADER_FIELDS = ['from', 'reply_to', 'subject', 'headers'];
/** Headers that name recipients. */
const RECIPIENT_HEADER = /^[\s:]*(to|cc|bcc|resent-.*)([\s:].*)?$/is;
/** How a reader might know a field of recipients that is not written as it should be. */
const LIKE_RECIPIENTS = /^\W*(to|cc|bcc)(\W.*)?$/is;

const listOf = (value: unknown): readonly unknown[] => {
  if (!isGiven(value)) return [];
  return Array.isArray(value) ? (value as unknown[]) : [value];
};

/** Whether a text in the value, or a name, would end a header. */
function endsHeader(value: unknown): boolean {
  if (typeof value === 'string') return ENDS_HEADER.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, part]) => ENDS_HEADER.test(name) || endsHeader(part));
}

/** What a recipient has as its address; undefined where it has anything else besides its name. */
export function emailOf(recipient: unknown): unknown {
  if (!isRecord(recipient)) return undefined;
  const { email, name, ...others } = recipient;
  const isPlain = Object.keys(others).length === 0 && (!isGiven(name) || typeof name === 'string');
  return isPlain && !endsHeader(name) ? email : undefined;
}

/** A recipient with its address as it is compared. */
export function asciiRecipient(recipient: unknown): unknown {
  if (!isRecord(recipient)) return recipient;
  const email = asciiAddress(recipient.email);
  return email === recipient.email ? recipient : { ...recipient, email };
}

/** The places of an email that could name recipients without being one of their fields. */
export function hiddenPlaces(mail: Fields, path: string, fields: readonly string[]): string[] {
  const names = Object.keys(mail).filter(
    (name) => LIKE_RECIPIENTS.test(name) && !fields.includes(name) && isGiven(mail[name]),
  );
  const { headers } = mail;
  const named = isRecord(headers) && Object.keys(headers).some((name) => RECIPIENT_HEADER.test(name));
  return [
    // Not by its own name, which could be anything.
    ...names.map((name) => path + (/[a-z]+/i.exec(name)?.[0] ?? '').toLowerCase()),
    ...HEADER_FIELDS.filter((name) => endsHeader(mail[name]) || (name === 'headers' && named)).map(
      (name) => path + name,
    ),
  ];
}

/** Those to whom is redirected, as far as they are not there already. */
export function newRecipients(
  targets: Iterable<string>,
  kept: readonly unknown[],
): { readonly email: string }[] {
  const known = kept.map((recipient) => readAddress(emailOf(recipient)));
  return [...targets].flatMap((email) => {
    const target = readAddress(email);
    return known.some((one) => one && target && isSame(one, target)) ? [] : [{ email }];
  });
}

/** Decides about every recipient of an email; what the others become is in `to`. */
export function decideMail(
  mail: unknown,
  decide: Decide,
  { path = '', base, fillsIn = [] }: MailContext = {},
): Verdict {
  if (!isRecord(mail)) return { value: mail, refused: [path.replace(/\.$/, '') || 'body'] };
  const refused = hiddenPlaces(mail, path, RECIPIENT_FIELDS);
  const targets = new Set<string>();
  const encoded: RecipientField[] = [];
  const kept: Record<RecipientField, readonly unknown[]> = { to: [], cc: [], bcc: [] };
  for (const field of RECIPIENT_FIELDS) {
    const given = listOf(mail[field]);
    const list = given.map(asciiRecipient);
    if (list.some((recipient, index) => recipient !== given[index])) encoded.push(field);
    const isList = Array.isArray(mail[field]);
    // Whom the service adds is not known here.
    const recipients = list.length === 0 && fillsIn.includes(field) ? [undefined] : list;
    kept[field] = recipients.filter((recipient, index) => {
      const fate = decide(isList ? emailOf(recipient) : undefined);
      if (fate === 'refused') refused.push(`${path}${field}${isList && list.length > 0 ? `[${index}]` : ''}`);
      if (typeof fate === 'object') targets.add(fate.redirectTo);
      return fate === 'allowed';
    });
  }
  if (refused.length > 0) return { value: mail, refused };
  if (targets.size === 0) {
    const changed = Object.fromEntries(encoded.map((field) => [field, kept[field]]));
    return { value: encoded.length > 0 ? { ...mail, ...changed } : mail, refused };
  }
  const added = newRecipients(targets, [...kept.to, ...kept.cc, ...kept.bcc]);
  const fields = { ...kept, to: [...kept.to, ...added] };
  const unnamed = fillsIn.filter((field) => fields[field].length === 0);
  if (unnamed.length > 0) return { value: mail, refused: unnamed.map((field) => path + field) };
  const value: Record<string, unknown> = { ...mail, headers: headersOf(mail, base) };
  for (const field of RECIPIENT_FIELDS) {
    if (fields[field].length > 0) value[field] = fields[field];
    else Reflect.deleteProperty(value, field);
  }
  return { value, refused };
}

/** An email's headers, and the one that says to whom it would have gone. Its own are in place of those of its base. */
function headersOf(mail: Fields, base: unknown): Fields {
  const { headers } = Object.hasOwn(mail, 'headers') || !isRecord(base) ? mail : base;
  const own = isRecord(headers) ? Object.entries(headers) : [];
  const others = own.filter(([name]) => name.toLowerCase() !== ORIGINAL_HEADER.toLowerCase());
  return Object.fromEntries([...others, [ORIGINAL_HEADER, originalRecipients(mail)]]);
}

/** Names those in To and Cc, as far as there is room, and counts those in Bcc. Only visible ASCII is repeated. */
export function originalRecipients(mail: Fields): string {
  const visible = (['to', 'cc'] as const).flatMap((field) =>
    listOf(mail[field]).map((recipient) => {
      const email = isRecord(recipient) ? recipient.email : recipient;
      const text = typeof email === 'string' ? email : '?';
      return `${field}: ${text.slice(0, 100).replace(/[^!-~]/g, '?')}`;
    }),
  );
  const named: string[] = [];
  let length = 0;
  for (const text of visible.slice(0, MAX_NAMED)) {
    length += text.length;
    if (length > MAX_NAMED_LENGTH) break;
    named.push(text);
  }
  const more = visible.length - named.length;
  if (more > 0) named.push(`and ${more} more`);
  const hidden = listOf(mail.bcc).length;
  if (hidden > 0) named.push(`bcc: ${hidden}`);
  return named.join(', ');
}
