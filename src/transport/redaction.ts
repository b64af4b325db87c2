/**
 * Keeps secrets out of errors, hooks and logs: a call's tokens and the parts of a signed address, which are plain,
 * percent-encoded, escaped as in JSON or HTML, or in base64 on one line; and the request's contents in pieces of 64
 * characters and more. Gateways and the errors of a `fetch` echo them.
 */
import { printableLines } from '../core/error-text.ts';
import { urlOf } from '../core/host-name.ts';
import { tried } from '../core/tried.ts';
import { MAX_OTHER_BYTES } from './response.ts';

const REDACTED = '[redacted]';
/** Shorter tokens are not redacted, because ordinary words might match. The service's tokens are all longer. */
export const MIN_TOKEN_LENGTH = 8;
/** Shorter texts of the request stay, so that a message can say which value is wrong. */
const PIECE = 64;
/** The engine refuses a pattern of a few million characters, and searches one of a million in less than a millisecond. */
const MAX_PATTERN = 2 ** 20;
/** Deeper values are left out: `JSON.stringify`, for example, would fail on them. */
const MAX_DEPTH = 20;
/** The longest encoding of one character of a token: `&amp;amp;amp;#x00041;` has 23. */
const MAX_WRITTEN = 32;
/** The fields of an error that a copy keeps; most of them distinguish system and TLS errors. */
const SAFE_FIELDS = [
  'name',
  'stack',
  'code',
  'errno',
  'syscall',
  'hostname',
  'address',
  'port',
  'reason',
  'library',
] as const;

/** Characters escaped as in JSON and JavaScript, in a URL and in HTML, possibly several times over. */
const ESCAPED = /(?:\\(?:u00|x)|%(?:25)*)([\da-f]{2})|\\|&#(x[\da-f]+|\d+);?|&amp;/gi;

/** The maximum number of rounds that resolve escapes: an escape may contain another one. */
const MAX_ROUNDS = 4;

/** The text with one level of escapes resolved, if the result is a character of a token. */
const resolvedOnce = (text: string): string =>
  // UTF-16 read as another encoding has a null character beside each character.
  text.replaceAll('\0', '').replace(ESCAPED, (escape, hex?: string, html = `x${hex}`) => {
    const code = Number(`0${html}`);
    if (code >= 0x20 && code < 0x7f) return String.fromCharCode(code);
    return escape.startsWith('\\') ? '' : /&a/i.test(escape) ? '&' : escape;
  });

/**
 * Resolves the escapes of a text round by round, and passes each result through `redact`. Every round counts: the end of a
 * token may form an escape with the text beside it, which the next round resolves. Returns the last result that `redact`
 * changed, or the text.
 */
function redactedInRounds(text: string, redact: (text: string) => string): string {
  let shown = redact(text);
  let current = shown;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const plain = resolvedOnce(current);
    if (plain === current) break;
    current = redact(plain);
    if (current !== plain) shown = current;
  }
  return shown;
}

/** The text with all its escapes resolved. */
function decoded(text: string): string {
  for (let round = 0; round < MAX_ROUNDS; round += 1) text = resolvedOnce(text);
  return text;
}

/** The three base64 forms of a text, by its offset in a group of three bytes. */
const base64Forms = (text: string): string[] =>
  [0, 1, 2].map((offset) =>
    // Without the characters that share bits with the neighbouring text.
    btoa('.'.repeat(offset) + text).slice(offset && offset + 1, ((offset + text.length) * 4) / 3),
  );

/** Escapes a form for a pattern; `-` and `_` also match as `+` and `/`, as in base64 for URLs. */
const escaped = (form: string) => form.replace(/\W/g, '\\$&').replace(/\\[+/]/g, '[-+/_]');

/**
 * Matches secrets in plain text and in base64. A secret below the minimum length of a token matches only as a separate
 * word.
 */
function patternOf(secrets: readonly string[]): RegExp {
  const isLong = ({ length }: string) => length >= MIN_TOKEN_LENGTH;
  const forms = secrets.filter(isLong).flatMap((secret) => {
    const isAscii = /^[\0-\x7f]*$/.test(secret);
    return [secret, decoded(secret), ...(isAscii ? base64Forms(secret) : [])];
  });
  const short = secrets.filter((secret) => secret !== '' && !isLong(secret));
  const pattern = [
    // The longest first: a form may be a prefix of another.
    ...forms
      .filter(isLong)
      .sort((one, other) => other.length - one.length)
      .map(escaped),
    ...short.map((secret) => `(?<![a-z\\d])${escaped(secret)}(?![a-z\\d])`),
  ].join('|');
  // A larger pattern cannot be compiled: redacts the whole text.
  if (pattern.length > MAX_PATTERN) return /[^]+/g;
  // Without secrets, nothing matches.
  return new RegExp(pattern || '(?!)', 'gi');
}

/** The most recent tokens of a client, of any call: a gateway may repeat one later. A call also hides its own. */
export class Tokens {
  #recent: readonly string[] = [];
  #pattern: RegExp | undefined;

  add(token: string): void {
    if (token === this.#recent[0] || token.length < MIN_TOKEN_LENGTH) return;
    this.#recent = [...new Set([token, ...this.#recent])].slice(0, 10);
    this.#pattern = undefined;
  }

  /** The length in characters of the longest encoded token, these and `others`. */
  reachWith(others: readonly string[]): number {
    return MAX_WRITTEN * Math.max(0, ...[...this.#recent, ...others].map(({ length }) => length));
  }

  /** Created at the first use, because most clients never need it. */
  get pattern(): RegExp {
    return (this.#pattern ??= patternOf(this.#recent));
  }
}

/** Redacts a text, a value, headers or an error. */
export class Redaction {
  readonly #tokens: Tokens;
  readonly #contents: () => unknown[];
  readonly #secrets: readonly string[];
  #pieces: ReadonlySet<string> | undefined;
  #secretPattern: RegExp | undefined;

  /** Redacts the tokens, long pieces of the request's `contents`, and `secrets`, however short. */
  constructor(tokens: Tokens, contents: () => unknown[] = () => [], secrets: readonly string[] = []) {
    this.#tokens = tokens;
    this.#contents = contents;
    this.#secrets = secrets;
  }

  text(text: string): string {
    return redactedInRounds(text, (plain) => this.#cut(plain));
  }

  /** A copy of parsed JSON; its keys are redacted too. */
  value(value: unknown, depth = 0): unknown {
    if (typeof value !== 'object' || value === null) {
      const text = String(value);
      const redacted = this.text(text);
      return redacted === text ? value : redacted;
    }
    if (depth === MAX_DEPTH) return '[nested too deeply]';
    if (Array.isArray(value)) return value.map((item) => this.value(item, depth + 1));
    const fields = Object.entries(value).map(([key, item]) => [this.text(key), this.value(item, depth + 1)]);
    return Object.fromEntries(fields) as unknown;
  }

  headers(headers: Headers): Headers {
    const safe = new Headers();
    for (const [name, value] of headers) if (this.text(name) === name) safe.append(name, this.text(value));
    return safe;
  }

  /**
   * A copy of an error with only its name, message, stack, system fields and causes: a `fetch` may attach objects to
   * its errors (a request with its headers, a configuration) that must stay out of logs.
   */
  error(cause: unknown, depth = 0): Error {
    try {
      if (!(cause instanceof Error)) return new Error(printableLines(this.text(String(cause))));
      const copy = new Error(printableLines(this.text(cause.message)));
      const set = (name: string, value: unknown) => {
        const enumerable = name === 'code';
        Object.defineProperty(copy, name, { value, writable: true, configurable: true, enumerable });
      };
      for (const field of SAFE_FIELDS) {
        const value = (cause as Error & Record<string, unknown>)[field];
        if (typeof value === 'string' || typeof value === 'number') set(field, this.value(value));
      }
      if (depth === 4) return copy;
      if (cause.cause !== undefined) set('cause', this.error(cause.cause, depth + 1));
      if (cause instanceof AggregateError) {
        const errors: unknown[] = cause.errors.slice(0, 10).map((each) => this.error(each, depth + 1));
        set('errors', errors);
      }
      return copy;
    } catch {
      // It cannot be converted to a string, or has a getter that throws.
      return new Error('An error that cannot be converted to text.');
    }
  }

  #cut(text: string): string {
    const secrets = (this.#secretPattern ??= patternOf(this.#secrets));
    const rest = text.replace(this.#tokens.pattern, REDACTED).replace(secrets, REDACTED);
    if (rest.length < PIECE) return rest;
    const pieces = (this.#pieces ??= piecesOf(this.#contents()));
    let shown = '';
    let end = 0;
    for (let at = 0; pieces.size > 0 && at + PIECE <= rest.length; at += 1) {
      if (!pieces.has(rest.slice(at, at + PIECE))) continue;
      if (end === 0 || at > end) shown += rest.slice(end, at) + REDACTED;
      end = at + PIECE;
    }
    return shown + rest.slice(end);
  }
}

/** The pieces of all texts in these values. An error's body is limited, so it may echo only a part of a longer text. */
function piecesOf(values: unknown[]): ReadonlySet<string> {
  const pieces = new Set<string>();
  // A loop instead of recursion: the contents may be nested deeply.
  for (const value of values) {
    if (typeof value === 'string' && value.length >= PIECE) {
      const last = Math.min(value.length, MAX_OTHER_BYTES) - PIECE;
      for (let at = 0; at <= last; at += PIECE) pieces.add(value.slice(at, at + PIECE));
      pieces.add(value.slice(-PIECE));
    } else if (typeof value === 'object' && value !== null) {
      for (const item of Object.values(value)) values.push(item);
    }
  }
  return pieces;
}

/** Shorter segments of a path are words, such as `raw`. */
const MIN_SEGMENT_LENGTH = 8;

/**
 * The secrets in a signed address, which alone gives access to the file: the address, its path, its longer segments and
 * the values in its query, as written and with their escapes resolved.
 */
export function secretsOfAddress(address: string): string[] {
  // The address may be only a path; the host is a placeholder.
  const url = urlOf(address, 'https://host.invalid');
  if (!url) return [address];
  const { pathname, search, searchParams } = url;
  const segments = pathname.split('/').filter(({ length }) => length >= MIN_SEGMENT_LENGTH);
  const values = search
    .slice(1)
    .split('&')
    .map((pair) => pair.slice(pair.indexOf('=') + 1));
  const written = [address, url.href, pathname + search, pathname, ...segments, ...values];
  const resolved = [pathname, ...segments].map((text) =>
    tried(
      () => decodeURIComponent(text),
      () => text,
    ),
  );
  return [...new Set([...written, ...resolved, ...searchParams.values()])].filter((text) =>
    /[^/]/.test(text),
  );
}
