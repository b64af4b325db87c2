/** How a text may be written so that it does not stand there as it is, and how to find it again. */

const each = (text: string, write: (code: number, char: string) => string) =>
  Array.from(text, (char) => write(char.charCodeAt(0), char)).join('');
const hex = (code: number, width = 2) => code.toString(16).padStart(width, '0');
const mixed = (text: string) => each(text, (code, char) => (code % 2 ? char.toUpperCase() : char));
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Written in each of these ways, a text reaches whoever reads a log and knows how to read it. */
export const FORMS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'in capitals': (text) => text.toUpperCase(),
  'in small letters': (text) => text.toLowerCase(),
  'after a byte order mark': (text) => `\ufeff${text}`,
  'JSON, slashes': (text) => text.replaceAll('/', '\\/'),
  'JSON, every character': (text) => each(text, (code) => `\\u${hex(code, 4)}`),
  'JSON, every second character, capitals': (text) =>
    each(text, (code, char) => (code % 2 ? `\\u${hex(code, 4).toUpperCase()}` : char)),
  'JSON twice': (text) => each(text, (code) => `\\\\u${hex(code, 4)}`),
  'JavaScript, every character': (text) => each(text, (code) => `\\x${hex(code)}`),
  'percent, what has to be': (text) => encodeURIComponent(text),
  'percent, every character': (text) => each(text, (code) => `%${hex(code)}`),
  'percent, mixed case': (text) => each(text, (code) => `%${mixed(hex(code))}`),
  'percent, some characters': (text) => each(text, (code, char) => (code % 3 ? char : `%${hex(code)}`)),
  'percent twice': (text) => each(text, (code) => `%25${hex(code)}`),
  'percent three times': (text) => encodeURIComponent(encodeURIComponent(encodeURIComponent(text))),
  'HTML, decimal': (text) => each(text, (code) => `&#${code};`),
  'HTML, decimal with zeros': (text) => each(text, (code) => `&#000${code};`),
  'HTML, hexadecimal': (text) => each(text, (code) => `&#x${hex(code)};`),
  'HTML, the ampersand': (text) => text.replaceAll('&', '&amp;'),
  'HTML twice': (text) => each(text, (code) => `&amp;#${code};`),
  'percent in JSON': (text) => each(text, (code) => `\\u0025${hex(code)}`),
  base64: base64,
  'base64 after one byte': (text) => base64(`:${text}`),
  'base64 after two bytes': (text) => base64(`u:${text}`),
  'base64 of the header': (text) => base64(`Authorization: Bearer ${text}\r\n`),
  'base64 for URLs': (text) => Buffer.from(`Bearer ${text}`).toString('base64url'),
  'base64 in percent': (text) => encodeURIComponent(base64(text)),
};

/** For a covering set: each place has a text as it is, and in one other form. */
export const kindOf = ([form]: readonly [form: string, write: unknown]): string =>
  form === 'plain' ? form : 'written in another way';

/** So many characters of a secret in a row are a leak. */
const TELLING = 12;

/** Lines in which a secret was looked for and not found. Most of what is readable of a client is in every text. */
const innocent = new Map<string, Set<string>>();
/** Enough for the texts of one file of tests. */
const MAX_INNOCENT = 200_000;

/**
 * Whether a text contains a good part of a secret, written in whatever form of the above. No form goes over the end of a
 * line.
 */
export function shows(text: string, secret: string): boolean {
  const known = innocent.get(secret) ?? new Set();
  innocent.set(secret, known);
  const lines = [...new Set(text.split('\n'))].filter((line) => line.length >= TELLING && !known.has(line));
  if (isShownIn(lines.join('\n'), secret)) return true;
  if (known.size > MAX_INNOCENT) known.clear();
  for (const line of lines) known.add(line);
  return false;
}

function isShownIn(text: string, secret: string): boolean {
  const readings = new Set([text]);
  let last = text;
  for (let round = 0; round < 4; round += 1) readings.add((last = resolved(last)));
  const words = new Set([...readings].flatMap((reading) => reading.match(/[\w+/-]{16,}/g) ?? []));
  for (const word of words) {
    // A cut word may begin at any offset.
    for (let at = 0; at < 4; at += 1) readings.add(Buffer.from(word.slice(at), 'base64').toString('latin1'));
  }
  const all = [...readings].join('\n').toLowerCase();
  const wanted = secret.toLowerCase();
  return Array.from({ length: wanted.length - TELLING + 1 }).some((_, at) =>
    all.includes(wanted.slice(at, at + TELLING)),
  );
}

/** Every escape resolved once. */
const resolved = (text: string): string =>
  text
    .replace(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/\\x([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/\\(.)/g, '$1')
    .replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/&#x([\da-f]{1,6});/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/&#(\d{1,6});/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/&amp;/g, '&');
