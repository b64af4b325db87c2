/** Hashes of texts. Not of Web Crypto, which is asynchronous: a handler responds at once. */
import { hmac as hmacOf } from '@noble/hashes/hmac.js';
import { sha256 as sha256Of } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** HMAC-SHA-256 of a text, in hexadecimal digits. */
export const hmac = (secret: string, text: string): string =>
  bytesToHex(hmacOf(sha256Of, utf8ToBytes(secret), utf8ToBytes(text)));

/** SHA-256 of a text, or of bytes, in hexadecimal digits. */
export const sha256 = (content: string | Uint8Array): string =>
  bytesToHex(sha256Of(typeof content === 'string' ? utf8ToBytes(content) : content));

/** SHA-256 of a text in base64, the form that a content security policy uses for scripts. */
export const base64Hash = (text: string): string => btoa(String.fromCharCode(...sha256Of(utf8ToBytes(text))));
