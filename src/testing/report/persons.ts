import type { ReportData, ReportRequest } from '../../report/data.ts';

const ADDRESS = /[\p{L}\p{N}.!#$&'*+/=?^_`{|}~-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const WHOLE = new RegExp(`^\\s*(?:[^<>]*<)?(${ADDRESS.source})>?\\s*$`, 'u');

/** Fields with the sender of a mail instead of a recipient. */
const SENDERS = /^(?:from|sender|reply_to|from_email|from_local_part|from_domain)$/;

/** The addresses of persons in the data: recipients, contacts, and other addresses in requests and posts. */
export function personsIn({ mails, requests, posts }: ReportData): ReadonlySet<string> {
  const persons = new Set<string>();
  const add = (text: string) => {
    for (const [address] of text.matchAll(ADDRESS)) persons.add(address.toLowerCase());
  };
  for (const { to, headers } of mails) {
    add(to);
    for (const [name, value] of headers) if (/^(?:to|cc|bcc)$/i.test(name)) add(value);
  }
  for (const request of requests) addFromRequest(request, add);
  for (const { body } of posts) addFromBody(body, add);
  return persons;
}

type Add = (text: string) => void;

function addFromRequest({ path, query, details }: ReportRequest, add: Add): void {
  add(decoded(path));
  add(decoded(query));
  if (details === null) return;
  addFromBody(details.body, add);
  addFromBody(details.responseBody, add);
}

/** Reads a body as JSON or as lines of JSON, whose fields hold whole addresses. Searches any other text, such as CSV, for addresses. */
function addFromBody(body: string | null, add: Add): void {
  if (body?.includes('@') !== true && body?.includes('\\u0040') !== true) return;
  for (const json of [[body], body.split('\n').filter((line) => line.trim() !== '')]) {
    try {
      const values = json.map((text) => JSON.parse(text) as unknown);
      for (const value of values) addFromJson(value, add);
      return;
    } catch {
      // The next form.
    }
  }
  add(body);
}

function addFromJson(root: unknown, add: Add): void {
  const open: { readonly name: string; readonly value: unknown }[] = [{ name: '', value: root }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { name, value } = next;
    if (SENDERS.test(name)) continue;
    if (typeof value === 'string') {
      const [, address] = WHOLE.exec(value) ?? [];
      if (address !== undefined) add(address);
    } else if (Array.isArray(value)) {
      for (const one of value) open.push({ name, value: one });
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, one] of Object.entries(value)) {
        const [, address] = WHOLE.exec(key) ?? [];
        if (address !== undefined) add(address);
        open.push({ name: key, value: one });
      }
    }
  }
}

/** A path or a query, as far as it can be decoded. */
function decoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}
