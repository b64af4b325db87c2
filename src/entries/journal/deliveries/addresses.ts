/** The form in which a store keeps an address, by the option `addresses`. */
import { isRecord } from '../../../core/record.ts';
import { mustBe, type Rule } from '../../../core/rules.ts';
import { digest } from '../keys/key.ts';
import { bareAddress, compared, formsOf } from '../keys/matches.ts';
import { cleaned } from '../rows.ts';
import type { ForgottenRecipient } from './types.ts';

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
  const address = bareAddress(cleaned(value)).normalize('NFC').toLowerCase();
  return /^[^\s@]+@[^\s@]+$/.test(address) ? address : undefined;
}

/** The rule for one address. */
export const addressRule: Rule = mustBe('one email address', (value) => addressOf(value) !== undefined);

/** A text in a form that does not depend on case: some letters have several lower-case forms, and one upper-case form. */
const caseless = (text: string) => text.normalize('NFC').toLowerCase().toUpperCase();

/** The parts of a key that may be addresses. Any text may precede an address; punctuation ends it. */
function addressesIn(key: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [, local = '', domain = ''] of key.matchAll(/([^\s@]+)@(?=([^\s@]+))/g)) {
    const ends = [...domain.matchAll(/[!-/:-?[-`{-~]|$/g)].map(({ index }) => index).filter((end) => end > 0);
    for (const end of ends)
      for (let start = 0; start < local.length; start += 1)
        found.add(`${local.slice(start)}@${domain.slice(0, end)}`);
  }
  return found;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

const hex = (digested: ArrayBuffer) =>
  Array.from(new Uint8Array(digested), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** An address, as a store keeps it. */
export interface KeptAddress {
  readonly recipient: string | null;
  /** The hashes by which a forgotten address is recognized. */
  readonly recipientIds: readonly string[];
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
    if (address === undefined) return { recipient: null, recipientIds: [] };
    return { recipient: await this.#kept(address), recipientIds: await this.#idsOf(address) };
  }

  /** The hashes of the addresses that a key may contain. */
  async idsIn(key: string | null): Promise<readonly string[]> {
    const ids = await Promise.all([...addressesIn(key ?? '')].map((address) => this.#idsOf(address)));
    return [...new Set(ids.flat())];
  }

  /** Describes an address to forget, also in rows that another setting of `addresses` has left. */
  async forgotten(address: string): Promise<ForgottenRecipient> {
    const forms = formsOf(address);
    const kept = await Promise.all(forms.map((form) => this.#kept(form)));
    const [recipientId = ''] = await this.#idsOf(address);
    return {
      recipients: [...new Set([...kept.filter((one) => one !== null), ...forms])],
      recipientId,
      isIn: (key) => forms.some((form) => caseless(key).includes(caseless(form))),
    };
  }

  async #kept(address: string): Promise<string | null> {
    if (this.#privacy === 'none') return null;
    return this.#privacy === 'plain' ? address : this.#hmac(this.#privacy.hash, address);
  }

  /** The first is the one to note. The others are those that another setting has noted. */
  async #idsOf(address: string): Promise<readonly string[]> {
    const form = caseless(compared(address));
    const plain = await digest(form);
    return typeof this.#privacy === 'string' ? [plain] : [await this.#hmac(this.#privacy.hash, form), plain];
  }

  async #hmac(secret: string, text: string): Promise<string> {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    this.#key ??= crypto.subtle.importKey('raw', bytesOf(secret), algorithm, false, ['sign']);
    return hex(await crypto.subtle.sign('HMAC', await this.#key, bytesOf(text)));
  }
}
