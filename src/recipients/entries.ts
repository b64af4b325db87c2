/** The entries of an allow-list. */
import { asciiDomain, isSame, readAddress, type Address } from './address.ts';

/** Whether an entry of an allow-list names an address. */
export type Entry = (address: Address) => boolean;

/** The forms of an entry, for messages. */
export const AN_ENTRY = "'ann@example.org', 'ann+*@example.org', '@example.org' or '@*.example.org'";

/** Reads an entry of an allow-list; undefined for another text. */
export function readEntry(text: unknown): Entry | undefined {
  if (typeof text !== 'string') return undefined;
  const [local = '', host = '', ...others] = text.split('@');
  if (others.length > 0) return undefined;
  if (local === '') return domainEntry(host);
  const tagged = local.endsWith('+*');
  const address = readAddress(`${tagged ? local.slice(0, -2) : local}@${host}`);
  if (!address || address.local.includes('*')) return undefined;
  if (!tagged) return (other) => isSame(address, other);
  const start = `${address.local}+`;
  return ({ local, domain }) =>
    domain === address.domain && local.startsWith(start) && local.length > start.length;
}

/** Checks an entry of an allow-list. The message for a domain without `@` says what is missing. */
export const entryRule = (entry: unknown): string | undefined => {
  if (readEntry(entry) !== undefined) return undefined;
  const isDomain = typeof entry === 'string' && domainEntry(entry) !== undefined;
  return `must be ${AN_ENTRY}${isDomain ? '; a domain begins with `@`' : ''}`;
};

function domainEntry(host: string): Entry | undefined {
  const ofSubdomains = host.startsWith('*.');
  const name = asciiDomain(ofSubdomains ? host.slice(2) : host);
  if (name === undefined) return undefined;
  return ofSubdomains ? ({ domain }) => domain.endsWith(`.${name}`) : ({ domain }) => domain === name;
}
