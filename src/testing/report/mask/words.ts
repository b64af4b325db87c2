/** Tells texts that read as words, numbers and dates from tokens. */
import { plainTextOf } from './readings.ts';

/** Pairs of letters that words of hardly any language have. */
const RARE =
  /(?=b[dfgkmnpqtxz]|c[bdfgmpqvwx]|d[bfgmqtx]|f[bcdjkmnpqvxyz]|g[fpqx]|h[bcfgmpqsxz]|j[bfghlmpqrwxz]|k[bdfgjpqxz]|l[fpqrwxz]|m[fgjkqrtvwxz]|n[prx]|oq|p[bdgjkmnqwx]|q[bcdfghjklmnpqstwxyz]|r[hp]|s[mqx]|t[dfgmpq]|ux|v[bdfghkmpqtvwxz]|w[dfgjkmqtvwxz]|x[bdfgjklmnqrsvwxz]|y[qvx]|z[bfqrx])/g;

/** Text that is still encoded after its escapes are resolved once, and bytes that are not text. */
const STILL_ENCODED =
  /&(?:#|[a-z][a-z\d]{1,30};)|%[\da-f]{2}|\\[ux\d]|(?:=[\da-f]{2}){3}|=\?[\w.*-]{1,40}\?[bq]\?|[^\P{Cc}\t-\r]|\ufffd/iu;
/** Bytes in hexadecimal digits, with a sign between them. */
const BYTES = /(?<![\da-f])(?:[\da-f]{2}[^\w\s]){7,}[\da-f]{2}(?![\da-f])/i;
const MOMENT = /\d{4}-?\d\d-?\d\dT\d\d:?\d\d(?::?\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?/g;
const PIECE = /[\p{L}\p{M}\p{N}]+/gu;

/** Whether a text is still encoded after its escapes are resolved once, or has tags then. `&lt;` is meant to be read. */
export function isStillEncoded(text: string, sign = STILL_ENCODED): boolean {
  const plain = plainTextOf(text);
  return sign.test(plain) || (/<[/!a-z]/i.test(plain) && !/<|&lt;/i.test(text));
}

/** Whether a text reads as words, numbers and dates, whatever signs are between them. */
export function isReadable(text: string): boolean {
  if (isStillEncoded(text)) return false;
  const plain = plainTextOf(text);
  const [bytes] = BYTES.exec(plain) ?? [];
  if (bytes !== undefined && /[a-f]/i.test(bytes)) return false;
  return (plain.replace(MOMENT, ' ').match(PIECE) ?? []).every(isWord);
}

/** Whether most of a text is words of three or more letters, and numbers. */
export function isMostlyWords(text: string): boolean {
  const pieces = plainTextOf(text).match(PIECE) ?? [];
  const words = pieces.filter((piece) => /^\d+$|^\D{3,}$/.test(piece) && isWord(piece));
  return 2 * words.join('').length >= pieces.join('').length;
}

/** The longest number. */
const DIGITS = 20;

/** Whether a piece of a text is a word in any language, perhaps in camel case, or a number, perhaps with a unit. */
function isWord(piece: string): boolean {
  if (/[^\0-\x7f]/.test(piece)) return true;
  if (/^\d+$/.test(piece)) return piece.length <= DIGITS;
  const letters = /^\d{0,6}([a-z]+)\d{0,6}$/i.exec(piece)?.[1];
  if (letters === undefined) return false;
  const parts = letters.split(/(?<=[a-z])(?=[A-Z])/);
  if (parts.length > Math.max(2, 1 + letters.length / 5) || (parts.at(-1) ?? '').length < 2)
    return letters.length < 2;
  return letters.length < 8 || 8 * (letters.toLowerCase().match(RARE)?.length ?? 0) <= letters.length;
}
