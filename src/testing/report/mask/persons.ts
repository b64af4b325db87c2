import type { ReportData, ReportRequest } from '../data/data.ts';

/** The longest local part and the longest domain of an address in a text. */
const [MOST_LOCAL, MOST_DOMAIN] = [64, 253];
const LOCAL = /[\p{L}\p{N}\p{M}.!#$&'*+/=?^_`{|}~%-]{1,64}$/u;
const QUOTED_LOCAL = /"[^"@\r\n]{1,64}"$/;
const DOMAIN = /^[\p{L}\p{N}\p{M}-]{1,63}(?:\.[\p{L}\p{N}\p{M}-]{1,63}){1,20}/u;

/** A text that is an address, perhaps a wrong one: `ann@gmail`, `ann@example,org`, `ann@[192.0.2.1]`. */
const WHOLE = /^[^\s@<>()[\]:;\\,"]{1,64}@[^\s@<>()"\\;/?#]{1,253}$/;
const NAMED = /<([^<>]{1,320})>\s*$/;

/** Fields with the sender of a mail instead of a recipient. */
const SENDERS = /^(?:from|sender|reply_to|from_email|from_local_part|from_domain)$/;
/** Fields with recipients, whatever is in them. */
const RECIPIENTS = /^(?:to|cc|bcc|emails?|recipients?)$/i;
const RECIPIENT_HEADERS = /^(?:(?:resent-)?(?:to|cc|bcc)|delivered-to|envelope-to|x-original-to)$/i;
/** A recipient in a body that is no JSON, because it is cut. */
const RECIPIENT_FIELD = /"(?:to|cc|bcc|email)"\s{0,9}:\s{0,9}"([^"]{1,320})"/g;

/** The addresses of persons in the data: recipients, contacts, and other addresses in requests and posts. */
export function personsIn({ mails, requests, posts }: ReportData): ReadonlySet<string> {
  const persons = new Persons();
  for (const { to, recipients, headers } of mails) {
    for (const one of to.split(', ')) persons.recipient(one);
    for (const { email } of [...recipients.to, ...recipients.cc]) persons.recipient(email);
    for (const [name, value] of headers) if (RECIPIENT_HEADERS.test(name)) persons.inText(value);
  }
  for (const request of requests) addFromRequest(request, persons);
  for (const { body } of posts) addFromBody(body, persons);
  return persons.all;
}

class Persons {
  readonly all = new Set<string>();

  /** A recipient as a program named it, perhaps wrongly. */
  recipient(text: string): void {
    const address = (NAMED.exec(text.slice(-330))?.[1] ?? text).trim();
    const at = address.lastIndexOf('@');
    if (at > 0 && at < address.length - 1 && address.length <= 320) this.#add(address);
  }

  /** A text that may be an address as a whole. */
  whole(text: string): void {
    if (text.length > 1_000 || !text.includes('@')) return;
    const address = (NAMED.exec(text)?.[1] ?? text).trim();
    if (WHOLE.test(address)) this.#add(address);
    else if (QUOTED_LOCAL.test(address.slice(0, address.lastIndexOf('@')))) this.inText(address);
  }

  /** The addresses in a text. Looks at the characters beside each `@` only. */
  inText(text: string): void {
    for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
      const domain = DOMAIN.exec(text.slice(at + 1, at + 1 + MOST_DOMAIN))?.[0];
      if (domain === undefined) continue;
      const before = text.slice(Math.max(0, at - MOST_LOCAL - 2), at);
      const local = (LOCAL.exec(before) ?? QUOTED_LOCAL.exec(before))?.[0];
      if (local !== undefined) this.#add(`${local}@${domain}`);
    }
  }

  #add(address: string): void {
    this.all.add(address.toLowerCase());
  }
}

function addFromRequest({ path, query, details }: ReportRequest, persons: Persons): void {
  for (const part of `${path}${query}`.split(/[/?&=;]/)) {
    if (!part.includes('@') && !part.includes('%')) continue;
    const text = decoded(part);
    persons.whole(text);
    persons.inText(text);
  }
  if (details === null) return;
  addFromBody(details.body, persons);
  addFromBody(details.responseBody, persons);
}

/** Reads a body as JSON or as lines of JSON, whose fields hold whole addresses. Searches any other text, such as CSV, for addresses. */
function addFromBody(body: string | null, persons: Persons): void {
  if (body?.includes('@') !== true && body?.includes('\\u0040') !== true) return;
  for (const json of [[body], body.split('\n').filter((line) => line.trim() !== '')]) {
    try {
      const values = json.map((text) => JSON.parse(text) as unknown);
      for (const value of values) addFromJson(value, persons);
      return;
    } catch {
      // The next form.
    }
  }
  persons.inText(body);
  for (const [, recipient = ''] of body.matchAll(RECIPIENT_FIELD)) persons.recipient(recipient);
}

function addFromJson(root: unknown, persons: Persons): void {
  const open: { readonly name: string; readonly value: unknown }[] = [{ name: '', value: root }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { name, value } = next;
    if (SENDERS.test(name)) continue;
    if (typeof value === 'string') {
      if (RECIPIENTS.test(name)) persons.recipient(value);
      else persons.whole(value);
    } else if (Array.isArray(value)) {
      for (const one of value) open.push({ name, value: one });
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, one] of Object.entries(value)) {
        persons.whole(key);
        open.push({ name: key, value: one });
      }
    }
  }
}

/** A part of a path or of a query, as far as it can be decoded. */
function decoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}
