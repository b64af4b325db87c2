/** Reads one address strictly: refuses a text that a mail server might read differently. */
import { hostName } from '../core/host-name.ts';

/** An address in its normal form for comparison. */
export interface Address {
  /** In lower case. */
  readonly local: string;
  /** In lower case, as ASCII. */
  readonly domain: string;
}

/**
 * The characters of the local part, without `%` and `!`: an old mail server reads the text before them as an address of
 * another host.
 */
const LOCAL = /^[\w#$&'*+/=?^`{|}~-]+(\.[\w#$&'*+/=?^`{|}~-]+)*$/;
const ASCII_DOMAIN = /^[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*$/i;
/**
 * Letters, their marks and digits, and the ASCII characters of domains. Other characters could have a meaning in a URL.
 * No literal: an engine would load the tables of all scripts at every import, and few domains need them.
 */
const wideDomain = () => new RegExp('^[-.\\p{L}\\p{M}\\p{Nd}]+$', 'u');
/**
 * Letters that the two versions of IDNA convert to different domains: ß, ẞ, ς. Escaped, because engines parse a Latin-1
 * bundle faster.
 */
const DEVIATIONS = /[\u00df\u1e9e\u03c2\u200c\u200d]/u;

const MAX_LENGTH = 254;

/** Whether a label has the prefix of an encoded label. A label without it consisted of ignored characters. */
const isEncoded = (label: string | undefined) => label?.startsWith('xn--') === true;

/**
 * A domain in lower case, as ASCII; undefined for another text. Other letters have to be in their normal form (NFKC),
 * so that every reader gets the same domain.
 */
export function asciiDomain(text: string): string | undefined {
  // Checked before the conversion to lower case, which turns some letters that look like ASCII into ASCII.
  if (ASCII_DOMAIN.test(text)) return text.toLowerCase();
  if (!wideDomain().test(text) || DEVIATIONS.test(text) || text.normalize('NFKC') !== text) return undefined;
  // `URL` is the only function of a browser for this. It converts to lower case by the rules for domains, which differ
  // from those for text.
  const ascii = hostName(text) ?? '';
  const encoded = ascii.split('.');
  const labels = text.split('.');
  const isFaithful = labels.every((label, index) =>
    ASCII_DOMAIN.test(label) ? label.toLowerCase() === encoded[index] : isEncoded(encoded[index]),
  );
  return ASCII_DOMAIN.test(ascii) && labels.length === encoded.length && isFaithful ? ascii : undefined;
}

/** The address in a value; undefined unless the value is exactly one address, without a name, a comment or quotes. */
export function readAddress(value: unknown): Address | undefined {
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return undefined;
  const [local = '', domain = '', ...others] = value.split('@');
  // A library that decodes headers reads another address in an encoded word (RFC 2047).
  const isPlain = others.length === 0 && LOCAL.test(local) && !local.includes('=?');
  const ascii = isPlain ? asciiDomain(domain) : undefined;
  return ascii === undefined ? undefined : { local: local.toLowerCase(), domain: ascii };
}

/**
 * An address with its domain as ASCII, the form for comparison; another value unchanged. So no later reader can convert
 * the domain to another one.
 */
export function asciiAddress(value: unknown): unknown {
  // Most addresses are ASCII.
  if (typeof value !== 'string' || /^[!-~]*$/.test(value)) return value;
  const address = readAddress(value);
  return address === undefined ? value : value.slice(0, value.indexOf('@') + 1) + address.domain;
}

/** Whether two addresses are the same. */
export const isSame = (one: Address, other: Address): boolean =>
  one.local === other.local && one.domain === other.domain;
