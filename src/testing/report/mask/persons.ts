import type { ReportMail, ReportPost, ReportRequest } from '../data/data.ts';
import { plainTextOf } from './readings.ts';

/** An address in a text. */
const ADDRESS =
  /(?:"[^"@\r\n]{1,64}"|[\p{L}\p{N}\p{M}.!#$&'*+/=?^_`{|}~%-]{1,64})@[\p{L}\p{N}\p{M}-]{1,63}(?:\.[\p{L}\p{N}\p{M}-]{1,63}){1,20}/gu;
/** A text that is an address, perhaps a wrong one: `ann@gmail`, `ann@example,org`, `ann@[192.0.2.1]`. */
const WHOLE = /^[^\s@<>()[\]:;\\,"]{1,64}@[^\s@<>()"\\;/?#]{1,253}$/;
const NAMED = /<([^<>]{1,320})>\s*$/;

/** Fields of a sender, fields of recipients with whatever is in them, and the headers of both. */
const SENDERS = /^(?:from|sender|reply[-_]to|from_email|return-path)$/i;
const RECIPIENTS = /^(?:to|cc|bcc|emails?|recipients?)$/i;
const RECIPIENT_HEADERS = /^(?:(?:resent-)?(?:to|cc|bcc)|delivered-to|envelope-to|x-original-to)$/i;
/** A recipient in a body that is no JSON, because it is cut. */
const RECIPIENT_FIELD = /"(?:to|cc|bcc|email)"\s{0,9}:\s{0,9}"([^"]{1,320})"/g;

/** The addresses in a part of a report, in lower case. */
export class Persons {
  /** Recipients, contacts, and other addresses in requests and posts. */
  readonly reached = new Set<string>();
  readonly senders = new Set<string>();

  static ofMail(
    { to, recipients, headers, from, replyTo }: ReportMail,
    bcc: readonly string[] = [],
  ): Persons {
    const persons = new Persons();
    const emails = [...recipients.to, ...recipients.cc].map(({ email }) => email);
    for (const one of [...to.split(', '), ...emails, ...bcc]) persons.#named(one);
    for (const one of [from, replyTo?.email ?? '']) persons.#named(one, persons.senders);
    for (const [name, value] of headers) {
      if (RECIPIENT_HEADERS.test(name)) persons.#inText(value);
      else if (SENDERS.test(name)) persons.#inText(value, persons.senders);
    }
    return persons;
  }

  static ofRequest({ path, query, details, email }: ReportRequest): Persons {
    const persons = new Persons();
    for (const part of `${path}${query}`.split(/[/?&=;]/)) {
      if (!/[@%]/.test(part)) continue;
      const text = plainTextOf(part);
      persons.#whole(text);
      persons.#inText(text);
    }
    for (const one of email?.to ?? []) persons.#named(one);
    persons.#inBody(details?.body);
    persons.#inBody(details?.responseBody);
    return persons;
  }

  static ofPost({ body }: ReportPost): Persons {
    const persons = new Persons();
    persons.#inBody(body);
    return persons;
  }

  /** A recipient as a program named it, perhaps wrongly. */
  #named(text: string, into = this.reached): void {
    const address = (NAMED.exec(text.slice(-330))?.[1] ?? text).trim();
    const at = address.lastIndexOf('@');
    if (at > 0 && at < address.length - 1 && address.length <= 320) into.add(address.toLowerCase());
  }

  /** A text that may be an address as a whole. */
  #whole(text: string, into = this.reached): void {
    if (text.length > 1_000 || !text.includes('@')) return;
    const address = (NAMED.exec(text)?.[1] ?? text).trim();
    if (WHOLE.test(address)) into.add(address.toLowerCase());
    else if (/"@[^@]*$/.test(address)) this.#inText(address, into);
  }

  /** The addresses in a text. */
  #inText(text: string, into = this.reached): void {
    for (const [address] of text.matchAll(ADDRESS)) into.add(address.toLowerCase());
  }

  /** Reads a body as JSON or as lines of JSON, whose fields hold whole addresses. Searches any other text, such as CSV. */
  #inBody(body: string | null | undefined): void {
    if (body?.includes('@') !== true && body?.includes('\\u0040') !== true) return;
    for (const json of [[body], body.split('\n').filter((line) => line.trim() !== '')]) {
      try {
        for (const value of json.map((text) => JSON.parse(text) as unknown)) this.#inJson(value);
        return;
      } catch {
        // The next form.
      }
    }
    this.#inText(body);
    for (const [, recipient = ''] of body.matchAll(RECIPIENT_FIELD)) this.#named(recipient);
  }

  #inJson(root: unknown): void {
    const open = [{ name: '', value: root, into: this.reached }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { name, value } = next;
      const into = SENDERS.test(name) ? this.senders : next.into;
      if (typeof value === 'string') {
        if (RECIPIENTS.test(name)) this.#named(value, into);
        else this.#whole(value, into);
      } else if (Array.isArray(value)) {
        for (const one of value) open.push({ name, value: one as unknown, into });
      } else if (typeof value === 'object' && value !== null) {
        for (const [key, one] of Object.entries(value)) {
          this.#whole(key);
          open.push({ name: key, value: one as unknown, into });
        }
      }
    }
  }
}
