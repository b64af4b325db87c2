import type { DeclaredEndpoint } from '../../resources/endpoints.ts';

/** Names of the fields with the address of a list's page. */
const PAGES = /^(first|prev|current|next)_url$/;

/** The name of a field with an address; and an address with a query, which may be a signature. */
const NAMED_ADDRESS = /(url|uri|href|link|path)s?$/i;
const WITH_QUERY = /^\s*([a-z][a-z\d+.-]*:|\/)[^?]*\?/i;

/** The data that rewrites the addresses and secrets of a response for a page. */
export interface AddressView {
  /**
   * The endpoint of the call. Its decoder lists the result's secrets, signed addresses, and addresses that users
   * wrote.
   */
  readonly endpoint: DeclaredEndpoint;
  /** The address of the page's request. */
  readonly here: URL;
  /** Whether signed addresses stay as they are. */
  readonly keepsSigned: boolean;
  /** Whether secrets stay as they are. */
  readonly keepsSecrets: boolean;
  /** The service's base addresses. */
  readonly hosts: readonly string[];
}

/**
 * Rewrites parsed JSON for a page, in place. Replaces secrets, sets signed addresses to null, points the addresses of
 * a list's pages to the proxy, and removes the service's hosts from all other text with {@link hostCutter}. A field
 * with an unknown name counts as signed if it looks like a signed address.
 */
export function forPage(
  value: unknown,
  { endpoint, here, keepsSigned, keepsSecrets }: AddressView,
  withoutHosts: (text: string) => string,
): unknown {
  const signed = new Set(endpoint.decoder.signed);
  const secrets = new Set(keepsSecrets ? [] : endpoint.decoder.secrets);
  const written = new Set(endpoint.decoder.written);

  const isAddress = (field: string) => NAMED_ADDRESS.test(field) && !written.has(field);
  /** `owner` is the field that decides: for text in an object under an address field, that field. */
  const textFor = (text: string, field: string, owner: string) => {
    if (PAGES.test(field) && !signed.has(owner) && URL.canParse(text, here.href))
      return here.origin + here.pathname + withoutHosts(new URL(text, here).search);
    const looksSigned =
      (isAddress(field) || (isAddress(owner) && !written.has(field))) && WITH_QUERY.test(text);
    if (signed.has(owner) || signed.has(field) || looksSigned) return keepsSigned ? text : null;
    return withoutHosts(text);
  };
  const rewritten = (part: unknown, field: string, owner = field): unknown => {
    if (secrets.has(field) && part !== null) return '[redacted]';
    if (typeof part === 'string') return textFor(part, field, owner);
    if (typeof part !== 'object' || part === null) return part;
    // The text in a list or an object belongs to its field.
    if (Array.isArray(part)) {
      for (const [index, item] of part.entries()) part[index] = rewritten(item, field, owner);
      return part;
    }
    const fields = part as Record<string, unknown>;
    for (const [name, item] of Object.entries(fields)) {
      const looksSigned = isAddress(owner) && WITH_QUERY.test(name) && !keepsSigned;
      const passed = looksSigned ? '[redacted]' : withoutHosts(name);
      if (passed !== name) Reflect.deleteProperty(fields, name);
      fields[passed] = rewritten(item, name, signed.has(owner) || isAddress(owner) ? owner : name);
    }
    return fields;
  };
  return rewritten(value, '');
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Removes the service's hosts from a text. Keeps the page's own host, because a gateway may serve both. Keeps a
 * longer name, which is another host.
 */
export function hostCutter({ hosts, here }: Pick<AddressView, 'hosts' | 'here'>): (text: string) => string {
  const names = hosts.flatMap((address) => {
    const { host, hostname } = new URL(address);
    return LOOPBACK.test(hostname) ? [host] : [host, hostname];
  });
  if (names.length === 0) return (text) => text;
  // The longest name first, because one may be the beginning of another.
  const pattern = [...new Set(names)]
    .sort((one, other) => other.length - one.length)
    .map((name) => name.replace(/\W/g, '\\$&'))
    .join('|');
  // A percent-encoded character, such as a slash, may stand before a name.
  const bounded = new RegExp(`(?<=^|[^\\w.-]|%[\\da-f]{2})(?:${pattern})(?![\\w-]|\\.\\w)`, 'gi');
  // Most texts have none of the names. This search costs a fraction of the search with its surroundings.
  const named = new RegExp(pattern, 'i');
  const withoutNames = (text: string) =>
    text.replace(bounded, (name) => (name.toLowerCase() === here.host ? name : '[redacted]'));
  return (text) => (named.test(text) ? withoutNames(text) : text);
}
