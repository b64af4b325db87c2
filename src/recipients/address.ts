/** Reading one address, strictly: what a mail server might read in another way is no address here. */
import { tried } from '../core/tried.ts';

/** An address, in the form in which addresses are compared. */
export interface Address {
  /** In lower case. */
  readonly local: string;
  /** In lower case, as ASCII. */
  readonly domain: string;
}

/**
 * What may be in the local part: `%` and `!` may not, because an old mail server takes what is before them for another
 * host's address.
 */
const LOCAL = /^[\w#$&'*+/=?^`{|}~-]+(\.[\w#$&'*+/=?^`{|}~-]+)*$/;
const ASCII_DOMAIN = /^[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*$/i;
/**
 * Letters, their marks and digits; of ASCII what may be in a domain. All else could mean something in a URL. No literal: an
 * engine would read the tables of all scripts at every import, and few domains need them.
 */
const wideDomain = () => new RegExp('^[-.\\p{L}\\p{M}\\p{Nd}]+$', 'u');
/** Letters that the two versions of IDNA read as different domains: ß, ẞ, ς. Escaped: a bundle in Latin-1 is read faster. */
const DEVIATIONS = /[\u00df\u1e9e\u03c2\u200c\u200d]/u;

const MAX_LENGTH = 254;

/** Prefix of an encoded label. A label that became anything else consisted of characters that are left out. */
const isEncoded = (label: string | undefined) => label?.startsWith('xn--') === true;

/**
 * A domain in lower case, as ASCII; undefined for anything else. A domain of other letters has to be written in their
 * usual form, so that every reader of it comes to the same.
 */
export function asciiDomain(text: string): string | undefined {
  // Before it is lower case: some letters that look like ASCII become ASCII then.
  if (ASCII_DOMAIN.test(text)) return text.toLowerCase();
  if (!wideDomain().test(text) || DEVIATIONS.test(text) || text.normalize('NFKC') !== text) return undefined;
  // A browser has no other function for this. It makes lower case by the rules for domains, which are not those for text.
  const ascii = tried(() => new URL(`https://${text}`).hostname) ?? '';
  const encoded = ascii.split('.');
  const labels = text.split('.');
  const isFaithful = labels.every((label, index) =>
    ASCII_DOMAIN.test(label) ? label.toLowerCase() === encoded[index] : isEncoded(encoded[index]),
  );
  return ASCII_DOMAIN.test(ascii) && labels.length === encoded.length && isFaithful ? ascii : undefined;
}

/** The only address in a value; undefined if that is not exactly one, without a name, a comment or quotes. */
export function readAddress(value: unknown): Address | undefined {
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return undefined;
  const [local = '', domain = '', ...others] = value.split('@');
  const ascii = others.length === 0 && LOCAL.test(local) ? asciiDomain(domain) : undefined;
  return ascii === undefined ? undefined : { local: local.toLowerCase(), domain: ascii };
}

/**
 * An address with its domain as ASCII, which is the form that is compared; anything else as it is. So it cannot be read as
 * another domain once it has been compared.
 */
export function asciiAddress(value: unknown): unknown {
  // Most have no other letter.
  if (typeof value !== 'string' || /^[!-~]*$/.test(value)) return value;
  const address = readAddress(value);
  return address === undefined ? value : value.slice(0, value.indexOf('@') + 1) + address.domain;
}

/** Whether two addresses are the same. */
export const isSame = (one: Address, other: Address): boolean =>
  one.local === other.local && one.domain === other.domain;
