import type { DeclaredEndpoint } from '../resources/endpoints.ts';

/** The addresses of a list's pages. */
const PAGES = /^(first|prev|current|next)_url$/;

/** A field that is named as an address is, and an address with a query, which may be a signature. */
const NAMED_ADDRESS = /(url|uri|href|link|path)s?$/i;
const WITH_QUERY = /^\s*([a-z][a-z\d+.-]*:|\/)[^?]*\?/i;

/** How a response appears to a page. */
export interface AddressView {
  /**
   * What was called: it says which fields of its result are secrets, which are signed addresses, and which are addresses
   * that users wrote.
   */
  readonly endpoint: DeclaredEndpoint;
  /** Where the page sent its request. */
  readonly here: URL;
  /** Whether signed addresses stay as they are. */
  readonly keepsSigned: boolean;
  /** Whether secrets stay as they are. */
  readonly keepsSecrets: boolean;
  /** The service's base addresses. */
  readonly hosts: readonly string[];
}

/**
 * Rewrites parsed JSON for a page, in place: secrets are cut out, signed addresses become null, the addresses of a list's pages those
 * at the proxy, and the service's hosts are cut out of everything else, by {@link hostCutter}. A field of an unknown name counts as signed if
 * it looks so.
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
  /** `owner` is the field that counts: of texts in an object that is named as an address is, that object's. */
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
    // The texts in a list or an object belong to its field.
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
 * Cuts the service's hosts out of a text. The host that the page itself is at stays: a gateway may serve both. So does a
 * longer name, which is another host.
 */
export function hostCutter({ hosts, here }: Pick<AddressView, 'hosts' | 'here'>): (text: string) => string {
  const names = hosts.flatMap((address) => {
    const { host, hostname } = new URL(address);
    return LOOPBACK.test(hostname) ? [host] : [host, hostname];
  });
  if (names.length === 0) return (text) => text;
  // The longest first: one may be the beginning of another.
  const pattern = [...new Set(names)]
    .sort((one, other) => other.length - one.length)
    .map((name) => name.replace(/\W/g, '\\$&'))
    .join('|');
  // Before it may stand what is percent-encoded, such as a slash.
  const found = new RegExp(`(?<=^|[^\\w.-]|%[\\da-f]{2})(?:${pattern})(?![\\w-]|\\.\\w)`, 'gi');
  // Most texts have none of the names. To look for these alone costs a fraction of looking at what stands around them.
  const named = new RegExp(pattern, 'i');
  const withoutNames = (text: string) =>
    text.replace(found, (name) => (name.toLowerCase() === here.host ? name : '[redacted]'));
  return (text) => (named.test(text) ? withoutNames(text) : text);
}
