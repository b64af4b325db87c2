/** Redacts secrets in requests and posts: by the names of fields, headers and parameters, and by value. */

/** Stands for a secret. */
export const REDACTED = '[redacted]';

/** Names of secrets: of tokens, of passwords, of keys, and of links that give access. */
const SECRET =
  /token|secret|passw|passphrase|api[-_ ]?key|private[-_ ]?key|signing[-_ ]?key|credential|authorization|cookie|share_link/i;
/** Names of positions in a list. */
const POSITION = /page_?token$/i;

const isSecret = (name: string) => SECRET.test(name) && !POSITION.test(name);

/** Shorter values, and words, are not looked for elsewhere: they may stand in any text. */
export const isUnique = (value: string) => value.length >= 8 && (value.length >= 16 || /\d/.test(value));

/** The secrets that are looked for by their values: the newest ones. */
export class SecretValues {
  readonly #values = new Set<string>();

  add(value: string): void {
    if (!isUnique(value) || value === REDACTED || value.length > 1_000) return;
    this.#values.delete(value);
    this.#values.add(value);
    if (this.#values.size > 100)
      for (const oldest of this.#values.keys()) return void this.#values.delete(oldest);
  }

  get all(): Iterable<string> {
    return this.#values;
  }
}

type Add = (value: string) => void;
const none: Add = () => undefined;

/** Headers by name and value, without secrets. Passes the last word of each secret, such as a bearer token, to `add`. */
export const shownHeaders = (
  headers: Iterable<readonly [string, string]>,
  add: Add = none,
): [string, string][] =>
  [...headers].map(([name, value]) => {
    if (!isSecret(name)) return [name, withoutPasswords(value, add)];
    add(value.trim().replace(/^.*\s/s, ''));
    return [name, REDACTED];
  });

/** A name of JSON with its quotes, which have backslashes in JSON within JSON. */
const NAME = /(\\{0,7}")([^"]{1,100}?)\1\s{0,9}:\s{0,9}/g;
const SCALAR = /[-+.\w]+/y;
const URL_IN_JSON = /"https?:(?:\\?\/){2}[^"\s]{1,8000}"/g;
const PASSWORD = /(:(?:\\?\/){2})[^\s/?#"'<>@\\]{1,300}@/g;
const PARAMETER = /(^|[?&;])([^=&?;#\s"]{1,100})=([^&;#\s"'<>]{1,8000})/g;
const FORM = /^[^\s={}<>"[\]]{1,100}=/;
const SIGNATURE = /(signature=)[\w%.~-]+/gi;

/** A body without secrets. Passes their values to `add`. */
export function redacted(text: string, add: Add = none): string {
  if (FORM.test(text)) return redactedQuery(text, add);
  return withoutFields(text, add)
    .replace(URL_IN_JSON, (url) => redactedQuery(url, add))
    .replace(PASSWORD, `$1${REDACTED}@`)
    .replace(SIGNATURE, `$1${REDACTED}`);
}

/** A query, a form or an address without secrets. */
export function redactedQuery(text: string, add: Add = none): string {
  const shown = text.replace(PARAMETER, (whole: string, sign: string, name: string, value: string) => {
    if (!isSecret(decoded(name))) return whole;
    add(decoded(value));
    return `${sign}${name}=${REDACTED}`;
  });
  return withoutPasswords(shown, add).replace(SIGNATURE, `$1${REDACTED}`);
}

/** An address without its user and its password. */
function withoutPasswords(text: string, add: Add): string {
  return text.replace(PASSWORD, (whole: string, start: string) => {
    for (const part of whole.slice(start.length, -1).split(':')) add(decoded(part));
    return `${start}${REDACTED}@`;
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** JSON without the values of secret fields, as far as it goes: it may be cut, or within a text. */
function withoutFields(text: string, add: Add): string {
  let shown = '';
  let done = 0;
  for (const { 0: whole, 1: quote = '"', 2: name = '', index } of text.matchAll(NAME)) {
    if (index < done || !isSecret(withoutEscapes(name))) continue;
    const from = index + whole.length;
    const to = endOfValue(text, from, quote);
    if (to === from) continue;
    if (text.startsWith(quote, from)) add(withoutEscapes(text.slice(from + quote.length, to - quote.length)));
    shown += `${text.slice(done, from)}${quote}${REDACTED}${quote}`;
    done = to;
  }
  return shown + text.slice(done);
}

const withoutEscapes = (text: string) =>
  text.replace(/\\{1,8}u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

/** The end of a value of JSON. It is its start for `true`, `false` and `null`. */
function endOfValue(text: string, from: number, quote: string): number {
  if (text.startsWith(quote, from)) return endOfString(text, from + quote.length, quote.length - 1);
  if (!/[[{]/.test(text.charAt(from))) {
    SCALAR.lastIndex = from;
    const [scalar = ''] = SCALAR.exec(text) ?? [];
    return /^(?:true|false|null)?$/.test(scalar) ? from : from + scalar.length;
  }
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at + 1, quote.length - 1) - 1;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

/** The end of a text of JSON, whose quotes have so many backslashes: 0, 1, 3 or 7. */
function endOfString(text: string, from: number, backslashes: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (before > from && text.charAt(before - 1) === '\\') before -= 1;
    if ((at - before - backslashes) % (2 * (backslashes + 1)) === 0) return at + 1;
  }
  return text.length;
}
