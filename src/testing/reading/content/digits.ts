/** Excludes digits that are not a code: part of a date, an amount, a phone number, an address, or a longer word. */

/** The place of digits in a text, by offsets. */
export interface Digits {
  readonly start: number;
  readonly end: number;
}

/** The longest context of digits that is examined, in characters. */
const REACH = 64;

/** Letters of languages without spaces between words. */
const UNSPACED = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}';
const EDGE_BEFORE = new RegExp(`[\\s${UNSPACED}，。、：；！？]`, 'u');

/** Text that may directly precede a code: brackets, quotation marks, and a word with a colon. */
const BEFORE = new RegExp(`^(?:[\\p{L}\\p{M}'’-]+[:：=])?[\\p{Ps}\\p{Pi}"'*_<>|•·→–—~\`:：=]*$`, 'u');
/** Text that may directly follow a code. */
const AFTER = new RegExp(
  `^(?:[\\p{Pe}\\p{Pf}"'*_<>|.,;:!?。，、：；！？…–—~\`]*$|[${UNSPACED}，。、：；！？])`,
  'u',
);

const HOST = /^(?:localhost|[a-z\d-]+(?:\.[a-z\d-]+)+)$/i;

const CURRENCIES =
  'AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR ISK JPY KES KRW MAD MXN MYR NGN NOK NZD PEN PHP PKR PLN RON RSD RUB SAR SEK SGD THB TRY TWD UAH USD VND ZAR'.replaceAll(
    ' ',
    '|',
  );
const MONEY_BEFORE = new RegExp(
  `(?:\\p{Sc}|(?<![\\p{L}\\p{N}])(?:${CURRENCIES}|Rs\\.?|kr\\.?|Fr\\.))\\s?$`,
  'u',
);
const MONEY_AFTER = new RegExp(
  `^\\s?(?:[\\p{Sc}%‰]|(?:${CURRENCIES}|kr|zł|Kč|Ft|lei|руб|円|元|원|percent|euros?|dollars?|pounds?|cents?)(?![\\p{L}\\p{N}]))`,
  'u',
);
const UNIT_AFTER =
  /^\s?(?:ms|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?|points?|credits?|miles?|km|m|kg|g|lbs?|KB|MB|GB|TB|kB|px|times|users?|people|items?)(?![\p{L}\p{N}])/u;

const PHONE_BEFORE =
  /(?:^|[^\p{L}])(?:tel|tel\. no|telephone|telefon|phone|fax|mobile|mobil|cell|hotline|call(?: us)?(?: at| on)?|whatsapp)[.:]?\s?$/iu;

const STREETS =
  'Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Way|Parkway|Pkwy|Square|Sq|Court|Ct|Place|Pl|Terrace|Highway|Hwy|Broadway|Circle|Cir';
/** A house number before its street. */
const STREET_AFTER = new RegExp(`^ (?:\\p{Lu}[\\p{L}.'’-]{0,30} ){0,4}(?:${STREETS})(?![\\p{L}\\p{N}])`, 'u');
/** Text before a house number, the number of a box, or a postal code. */
const STREET_BEFORE =
  /(?:stra(?:ß|ss)e|str\.|platz|weg|allee|gasse|damm|ufer|P\.? ?O\.? ?Box|Postfach|Suite|Ste\.?|Apt\.?|ZIP(?: code)?:?|PLZ:?|Postal code:?|Postcode:?) ?$/iu;
/** The state before an American postal code. */
const STATE_BEFORE = /, ?[A-Z]{2} $/;
/** A town after its postal code, to the end of a line or a comma. */
const TOWN_AFTER = /^ \p{Lu}[\p{L}.'’-]+(?: \p{Lu}[\p{L}.'’-]+){0,2} ?(?=,|$)/u;
const TOWN_BEFORE = /(?:^|[,·|] ?)(?:[A-Z]{1,2}-)?$/;

/** Whether two groups of digits are one number: `030/1234`, `12:30`, `1.234,50`, `(030) 1234`, `2026-11-24`. */
function areJoined(text: string, before: Digits | undefined, after: Digits | undefined): boolean {
  if (before === undefined || after === undefined || after.start - before.end > 3) return false;
  const between = text.slice(before.end, after.start);
  if (/^\)[ -]?$/.test(between)) return true;
  if (/^[ -]?\($/.test(between)) return text[after.end] === ')';
  return /^[ .,:/'’‐-―-]$/.test(between);
}

/** The text between the last white space and the digits; `undefined` if it is longer than {@link REACH}. */
function headOf(text: string, { start }: Digits): string | undefined {
  let from = start;
  while (from > 0 && !EDGE_BEFORE.test(text[from - 1] ?? '')) {
    from -= 1;
    if (start - from > REACH) return undefined;
  }
  return text.slice(from, start);
}

/** The text between the digits and the next white space; `undefined` if it is longer than {@link REACH}. */
function tailOf(text: string, { end }: Digits): string | undefined {
  const found = /^\S*/.exec(text.slice(end, end + REACH + 1))?.[0] ?? '';
  return found.length > REACH ? undefined : found;
}

/** The reason why digits are not a code; `undefined` if they may be one. */
export function reasonFor(
  text: string,
  digits: Digits,
  previous: Digits | undefined,
  next: Digits | undefined,
): string | undefined {
  const { start, end } = digits;
  const value = text.slice(start, end);
  const head = headOf(text, digits);
  const tail = tailOf(text, digits);
  if (head === undefined || tail === undefined) return 'part of a longer word';
  const before = text.slice(Math.max(0, start - REACH), start).replace(/^[^]*[\n\t]/, '');
  const after = text.slice(end, end + REACH).replace(/[\n\t][^]*$/, '');
  if (areJoined(text, previous, digits) || areJoined(text, digits, next))
    return 'part of a number, a date or a phone number in groups';
  if (MONEY_BEFORE.test(before) || MONEY_AFTER.test(after)) return 'an amount';
  if (UNIT_AFTER.test(after)) return 'a quantity';
  if (!BEFORE.test(head) || !AFTER.test(tail) || HOST.test(head.slice(0, -1)))
    return `part of ${JSON.stringify(head + value + tail)}`;
  if (PHONE_BEFORE.test(before)) return 'a phone number';
  if (isInAddress(before, after, value)) return 'part of an address';
  if (/^(?:19|20)\d\d$/.test(value)) return 'a year';
  return undefined;
}

function isInAddress(before: string, after: string, value: string): boolean {
  if (STREET_AFTER.test(after) || STREET_BEFORE.test(before)) return true;
  if (value.length > 6) return false;
  return (
    STATE_BEFORE.test(before) || (value.length < 6 && TOWN_BEFORE.test(before) && TOWN_AFTER.test(after))
  );
}
