/** The form in which a store keeps an address, by the option `addresses`. */
import { isRecord } from '../../../core/record.ts';
import { mustBe, type Rule } from '../../../core/rules.ts';
import { bareAddress } from '../keys/matches.ts';

/** The form in which addresses are kept. */
export type AddressPrivacy =
  | 'plain'
  | 'none'
  | {
      /** The secret of the HMAC. With another secret, addresses that were recorded before are not found. */
      readonly hash: string;
    };

export const addressesRule: Rule = mustBe(
  "'plain', 'none', or { hash: secret } with a secret of at least 16 characters",
  (value) =>
    value === 'plain' ||
    value === 'none' ||
    (isRecord(value) &&
      Object.keys(value).join() === 'hash' &&
      typeof value.hash === 'string' &&
      value.hash.length >= 16),
);

/** Longest address that is kept, in characters: an index of Postgres takes no longer texts. */
const MAX_LENGTH = 500;

/** One address without a name, in lower case; undefined for any other value. */
export function addressOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return undefined;
  const address = bareAddress(value).toLowerCase();
  return /^[^\s@]+@[^\s@]+$/.test(address) ? address : undefined;
}

/** The rule for one address. */
export const addressRule: Rule = mustBe('one email address', (value) => addressOf(value) !== undefined);

const bytesOf = (text: string) => new TextEncoder().encode(text);

const hex = (digest: ArrayBuffer) =>
  Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** An address, as a store keeps it. */
export interface KeptAddress {
  readonly recipient: string | null;
  /** The hash by which a forgotten address is recognized. */
  readonly recipientId: string | null;
}

/** Makes what a store keeps of addresses. */
export class Addresses {
  /** Whether texts are kept, which may name the address. */
  readonly areTextsKept: boolean;
  readonly #privacy: AddressPrivacy;
  #key: Promise<CryptoKey> | undefined;

  constructor(privacy: AddressPrivacy) {
    this.#privacy = privacy;
    this.areTextsKept = privacy === 'plain';
  }

  async keep(address: string | undefined): Promise<KeptAddress> {
    const privacy = this.#privacy;
    if (address === undefined || privacy === 'none') return { recipient: null, recipientId: null };
    if (privacy === 'plain')
      return {
        recipient: address,
        recipientId: hex(await crypto.subtle.digest('SHA-256', bytesOf(address))),
      };
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    this.#key ??= crypto.subtle.importKey('raw', bytesOf(privacy.hash), algorithm, false, ['sign']);
    const mac = hex(await crypto.subtle.sign('HMAC', await this.#key, bytesOf(address)));
    return { recipient: mac, recipientId: mac };
  }
}
