/** Hosts that only one machine, or one network, has. */

/** Names that are reserved for documents and tests: nobody has them. */
const RESERVED = /^(?:undefined|null|nan|invalid|example|test)$/i;
const NETWORK_NAMES = /\.(?:internal|lan|home|corp|intranet|private|svc|home\.arpa)$/i;
const NETWORK_IPV4 =
  /^(?:10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|169\.254(?:\.\d+){2}|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])(?:\.\d+){2})$/;
const NETWORK_IPV6 = /^\[(?:f[cd][\da-f]{2}|fe[89ab][\da-f]):/i;

/**
 * Who has a host of a URL: this `machine` only, its `network` only, such as a name of Compose or an address of an office, or
 * everybody (`undefined`).
 */
export function hostOf(hostname: string): 'machine' | 'network' | undefined {
  const host = hostname.replace(/\.$/, '');
  if (/^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$|\.(?:localhost|local)$/i.test(host))
    return 'machine';
  if (NETWORK_IPV4.test(host) || NETWORK_IPV6.test(host) || NETWORK_NAMES.test(host)) return 'network';
  const isName = !host.includes('.') && !host.startsWith('[');
  return isName && host !== '' && !RESERVED.test(host) ? 'network' : undefined;
}
