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
/** Letters, their marks and digits; of ASCII what may be in a domain. All else could mean something in a URL. */
const WIDE_DOMAIN = /^[-.\p{L}\p{M}\p{Nd}]+$/u;
/** Letters that the two versions of IDNA read as different domains. */
const DEVIATIONS = /[ßẞς\u200c\u200d]/u;

const MAX_LENGTH = 254;

/**
 * A domain in lower case, as ASCII; undefined for anything else. A domain of other letters has to be written in their
 * usual form, so that every reader of it comes to the same.
 */
export function asciiDomain(text: string): string | undefined {
  // Before it is lower case: some letters that look like ASCII become ASCII then.
  if (ASCII_DOMAIN.test(text)) return text.toLowerCase();
  if (!WIDE_DOMAIN.test(text) || DEVIATIONS.test(text) || text.normalize('NFKC') !== text) return undefined;
  // A browser has no other function for this.
  const ascii = tried(() => new URL(`https://${text.toLowerCase()}`).hostname) ?? '';
  return ASCII_DOMAIN.test(ascii) ? ascii : undefined;
}

/** The only address in a value; undefined if that is not exactly one, without a name, a comment or quotes. */
export function readAddress(value: unknown): Address | undefined {
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return undefined;
  const [local = '', domain = '', ...others] = value.split('@');
  const ascii = others.length === 0 && LOCAL.test(local) ? asciiDomain(domain) : undefined;
  return ascii === undefined ? undefined : { local: local.toLowerCase(), domain: ascii };
}

/** Whether two addresses are the same. */
export const isSame = (one: Address, other: Address): boolean =>
  one.local === other.local && one.domain === other.domain;
