import { isRecord } from '../../core/record.ts';
import { tried } from '../../core/rules.ts';
import { itemsOf } from '../../core/items-of.ts';
import type { MailDefaults } from './types.ts';

/** What is between double quotes in the name of an address. */
const unquoted = (name: string) =>
  name.replace(/^"(.*)"$/s, (_, text: string) => text.replace(/\\(.)/gs, '$1'));

/** `'Ann <ann@example.org>'` or `'ann@example.org'` as an object; what is neither stays as it is, for the check. */
export function addressOf(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  const text = given.trim();
  const at = text.indexOf('<');
  const email = at < 0 ? text : text.slice(at + 1, -1).trim();
  const isAddress = /^[^<>"\s@]+@[^<>"\s]+$/.test(email) && (at < 0 || text.endsWith('>'));
  if (!isAddress) return given;
  const name = unquoted(text.slice(0, Math.max(0, at)).trim());
  return name === '' ? { email } : { email, name };
}

const isText = (value: unknown) => typeof value === 'string';

const ADDRESSES = ['from', 'reply_to', 'to', 'cc', 'bcc'];

/**
 * An email, or the base of a batch, with addresses that are given as text as objects, and with the client's defaults
 * where it has no value of its own. What the caller passed is not changed, and returned itself if there is nothing to do
 * or it cannot be read.
 */
export function completeMail<Mail>(given: Mail, defaults?: MailDefaults): Mail {
  return tried(() => {
    if (!isRecord(given)) return given;
    const mail: Record<string, unknown> = given;
    const changes: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(defaults ?? {})) {
      if (mail[name] === undefined && value !== undefined) changes[name] = value;
    }
    for (const name of ADDRESSES) {
      const value = changes[name] ?? mail[name];
      const list = itemsOf(value);
      if (isText(value)) changes[name] = addressOf(value);
      else if (list.some(isText)) changes[name] = list.map(addressOf);
    }
    return Object.keys(changes).length > 0 ? { ...given, ...changes } : given;
  }, given);
}
