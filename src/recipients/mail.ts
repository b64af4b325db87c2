/** Applies a guard to one email. Pure: does not change the email, which is plain data. */
import { isGiven, isRecord } from '../core/record.ts';
import { ENDS_HEADER } from '../core/rules.ts';
import { RECIPIENT_FIELDS, type RecipientField } from '../core/reach.ts';
import { asciiAddress, isSame, readAddress } from './address.ts';
import type { Decide } from './decision.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The result of a guard: the allowed data, and the places of refused recipients. */
export interface Verdict {
  readonly value: unknown;
  readonly refused: readonly string[];
}

/** The facts of an email besides its fields. */
export interface MailContext {
  /** The prefix of a field's name, for an email inside a batch. */
  readonly path?: string;
  /** The base of the batch. */
  readonly base?: unknown;
  /** The fields that the service fills in with recipients, if they are empty. */
  readonly fillsIn?: readonly RecipientField[] | undefined;
}

/** The header with the original recipients of an email. */
export const ORIGINAL_HEADER = 'X-Original-Recipients';
/** The maximum number of addresses in the header. */
const MAX_NAMED = 20;
/** The maximum number of characters in the header, which every server accepts. */
const MAX_NAMED_LENGTH = 800;

const HEADER_FIELDS = ['from', 'reply_to', 'subject', 'headers'];
/** Headers that name recipients. */
const RECIPIENT_HEADER = /^[\s:]*(to|cc|bcc|resent-.*)([\s:].*)?$/is;
/** Matches misspelt names of recipient fields that a lenient parser might accept. */
const LIKE_RECIPIENTS = /^\W*(to|cc|bcc)(\W.*)?$/is;

const listOf = (value: unknown): readonly unknown[] => {
  if (!isGiven(value)) return [];
  return Array.isArray(value) ? (value as unknown[]) : [value];
};

/** Whether a text or a name in the value would end a header. */
function endsHeader(value: unknown): boolean {
  if (typeof value === 'string') return ENDS_HEADER.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, part]) => ENDS_HEADER.test(name) || endsHeader(part));
}

/** The address of a recipient; undefined if the recipient has a field other than address and name. */
export function emailOf(recipient: unknown): unknown {
  if (!isRecord(recipient)) return undefined;
  const { email, name, ...others } = recipient;
  const isPlain = Object.keys(others).length === 0 && (!isGiven(name) || typeof name === 'string');
  return isPlain && !endsHeader(name) ? email : undefined;
}

/** A recipient with its address in the form for comparison. */
export function asciiRecipient(recipient: unknown): unknown {
  if (!isRecord(recipient)) return recipient;
  const email = asciiAddress(recipient.email);
  return email === recipient.email ? recipient : { ...recipient, email };
}

/** The places of an email outside the recipient fields that could name recipients. */
export function hiddenPlaces(mail: Fields, path: string, fields: readonly string[]): string[] {
  const names = Object.keys(mail).filter(
    (name) => LIKE_RECIPIENTS.test(name) && !fields.includes(name) && isGiven(mail[name]),
  );
  const { headers } = mail;
  const named = isRecord(headers) && Object.keys(headers).some((name) => RECIPIENT_HEADER.test(name));
  return [
    // Reports a fixed name, because the caller's name may be any text.
    ...names.map((name) => path + (/[a-z]+/i.exec(name)?.[0] ?? '').toLowerCase()),
    ...HEADER_FIELDS.filter((name) => endsHeader(mail[name]) || (name === 'headers' && named)).map(
      (name) => path + name,
    ),
  ];
}

/** The targets of redirects that the email does not yet have. */
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

/** Decides about every recipient of an email; adds the targets of redirects to `to`. */
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
    const input = listOf(mail[field]);
    const list = input.map(asciiRecipient);
    if (list.some((recipient, index) => recipient !== input[index])) encoded.push(field);
    const isList = Array.isArray(mail[field]);
    // The recipients that the service fills in are unknown here.
    const recipients = list.length === 0 && fillsIn.includes(field) ? [undefined] : list;
    kept[field] = recipients.filter((recipient, index) => {
      const decision = decide(isList ? emailOf(recipient) : undefined);
      if (decision === 'refused')
        refused.push(`${path}${field}${isList && list.length > 0 ? `[${index}]` : ''}`);
      if (typeof decision === 'object') targets.add(decision.redirectTo);
      return decision === 'allowed';
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

/** An email's headers, and the header with its original recipients. Its own headers replace those of its base. */
function headersOf(mail: Fields, base: unknown): Fields {
  const { headers } = Object.hasOwn(mail, 'headers') || !isRecord(base) ? mail : base;
  const own = isRecord(headers) ? Object.entries(headers) : [];
  const others = own.filter(([name]) => name.toLowerCase() !== ORIGINAL_HEADER.toLowerCase());
  return Object.fromEntries([...others, [ORIGINAL_HEADER, originalRecipients(mail)]]);
}

/** The recipients in To and Cc, up to the limits, and the number of those in Bcc. Contains only visible ASCII. */
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
