import { isGiven, memberOf, isRecord, itemsOf } from '../../../core/record.ts';
import { defined } from '../../../kit/defined.ts';
import { isolated, isolatedIfPlain } from '../../../core/isolated.ts';
import { tried } from '../../../core/tried.ts';
import { bufferOfJson } from './attachment-content.ts';
import type { BatchBase, MailDefaults } from '../types.ts';

/** The text between double quotes in the name of an address. */
const unquoted = (name: string) =>
  name.replace(/^"(.*)"$/s, (_, text: string) => text.replace(/\\(.)/gs, '$1'));

/** Whether a text has a comma or a semicolon outside double quotes, which separates addresses. */
export function hasSeveralAddresses(text: string): boolean {
  let isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted && character === '\\') index += 1;
    else if (!isQuoted && (character === ',' || character === ';')) return true;
  }
  return false;
}

/**
 * `'Ann <ann@example.org>'` or `'ann@example.org'` as an object. Other text becomes one too, and the service checks it.
 * Text with several addresses stays as it is, and the client's check refuses it.
 */
export function addressOf(input: unknown): unknown {
  if (typeof input !== 'string' || hasSeveralAddresses(input)) return input;
  const text = input.trim();
  const at = text.indexOf('<');
  const email = at < 0 ? text : text.slice(at + 1, -1).trim();
  const isAddress = /^[^<>"\s@]+@[^<>"\s]+$/.test(email) && (at < 0 || text.endsWith('>'));
  if (!isAddress) return { email: text };
  const name = unquoted(text.slice(0, Math.max(0, at)).trim());
  return name === '' ? { email } : { email, name };
}

const isText = (value: unknown) => typeof value === 'string';

/** One address, or a list of them, as a list of objects. */
function recipientsOf(input: unknown): unknown {
  if (Array.isArray(input)) {
    const list = itemsOf(input);
    return list.some(isText) ? list.map(addressOf) : input;
  }
  const address = addressOf(input);
  return isRecord(address) ? [address] : input;
}

/** Whether a field has recipients: more than an empty list. */
export const hasRecipients = (value: unknown): boolean =>
  isGiven(value) && !(Array.isArray(value) && value.length === 0);

/** Headers without those that are undefined. */
const headersOf = (input: unknown): unknown =>
  isRecord(input) && !Array.isArray(input) && Object.values(input).includes(undefined)
    ? defined(input)
    : input;

/** The id itself: in the header it is in angle brackets, and in HTML behind `cid:`. */
const contentIdOf = (id: unknown): unknown =>
  typeof id === 'string' ? id.replace(/^<(.*)>$/s, '$1').replace(/^cid:/i, '') : id;

/** An attachment with the id itself, and with the bytes of a Buffer that went through JSON. */
function attachmentOf(input: unknown): unknown {
  if (!isRecord(input)) return input;
  const content = bufferOfJson(input.content);
  const content_id = contentIdOf(input.content_id);
  if (content === input.content && content_id === input.content_id) return input;
  return { ...input, content, ...(content_id !== undefined && { content_id }) };
}

/** A list of attachments; the same one if there is nothing to do. */
function attachmentsOf(input: unknown): unknown {
  if (!Array.isArray(input)) return input;
  const given = itemsOf(input);
  const list = given.map(attachmentOf);
  return list.some((one, index) => one !== given[index]) ? list : input;
}

const READ_FIELDS: readonly (readonly [string, (input: unknown) => unknown])[] = [
  ['from', addressOf],
  ['reply_to', addressOf],
  ['to', recipientsOf],
  ['cc', recipientsOf],
  ['bcc', recipientsOf],
  ['attachments', attachmentsOf],
  ['headers', headersOf],
];

/** The name of the header with the reply addresses, as the caller wrote it; undefined if there is none. */
export const replyToHeader = (headers: unknown): string | undefined =>
  isRecord(headers)
    ? Object.keys(headers).find((name) => /^reply-to$/i.test(name) && headers[name] !== undefined)
    : undefined;

/** An email with other fields. A polluted `Object.prototype` adds none. */
export const mailWith = <Mail>(mail: Mail, fields: object): Mail =>
  Object.assign(isolated(mail as object), fields) as Mail;

/**
 * An email, or the base of a batch, with its addresses and attachments in the service's form, and with the client's
 * defaults for fields that are absent from it and from its base. Leaves out a default that the email's other fields exclude. Every
 * email comes in here: it is copied once, and the caller's object stays as it is. Returns what cannot be read.
 */
export function completeMail<Mail>(input: Mail, defaults: MailDefaults = {}, base?: unknown): Mail {
  return tried(
    () => {
      if (!isRecord(input)) return input;
      const mail = isolatedIfPlain<Record<string, unknown>>(input);
      const valueOf = (name: string) => (mail[name] === undefined ? memberOf(base, name) : mail[name]);
      const isExcluded = (name: string) =>
        (name === 'category' && isGiven(valueOf('template_uuid'))) ||
        (name === 'reply_to' && replyToHeader(valueOf('headers')) !== undefined);
      const changes = new Map<string, unknown>();
      for (const [name, value] of Object.entries(defaults)) {
        if (value !== undefined && valueOf(name) === undefined && !isExcluded(name)) changes.set(name, value);
      }
      for (const [name, read] of READ_FIELDS) {
        const value = changes.get(name) ?? mail[name];
        const own = read(value);
        if (own !== value) changes.set(name, own);
      }
      return (changes.size > 0 ? mailWith(mail, Object.fromEntries(changes)) : mail) as Mail;
    },
    () => input,
  );
}

/** A complete email, without an empty `to` if it has other recipients: the types require the field, the service does not. */
export function completeEmail<Mail>(input: Mail, defaults?: MailDefaults, base?: unknown): Mail {
  const mail = completeMail(input, defaults, base);
  return tried(
    () => {
      const has = (name: string) => hasRecipients(memberOf(mail, name));
      const isEmpty = Array.isArray(memberOf(mail, 'to')) && !has('to');
      return isEmpty && (has('cc') || has('bcc')) ? mailWith(mail, { to: undefined }) : mail;
    },
    () => mail,
  );
}

/**
 * The base of a batch with the client's sender; undefined if it is empty. The other defaults are added to the emails:
 * an email may have a template or reply addresses that exclude them.
 */
export function completeBase(
  input: BatchBase | undefined,
  defaults: MailDefaults | undefined,
): BatchBase | undefined {
  const from = defaults?.from;
  if (input === undefined) return from === undefined ? undefined : completeMail({}, { from });
  return completeMail(input, { from });
}
