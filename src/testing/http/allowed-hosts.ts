/** A host name or an IP address, and a port. */
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/;

const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const LOOPBACK = new RegExp(`^(?:(?:[\\w-]+\\.)*localhost|127(?:\\.${OCTET}){3}|\\[::1\\])$`);

/** Whether a text is a host name or an IP address, with or without a port. */
export function isHost(text: string): boolean {
  // A name in the place of any other: an address such as 127.0.0.256 is a host that is refused, and no URL.
  return HOST.test(text.toLowerCase()) && URL.canParse(`http://${text.replace(/^[\w.-]+/, 'name')}`);
}

/**
 * Whether the server responds to requests for this host: a name or an address of this machine, or one of `allowed`. A
 * browser sends the name that is in the address bar. A page can point a name of its own at 127.0.0.1 and would then be
 * of the same origin as the emulator, but it cannot send another name.
 *
 * @param host - the `Host` header.
 * @param allowed - more names; one without a port stands for every port.
 */
export function isAllowedHost(host: string, allowed: readonly string[]): boolean {
  const given = host.toLowerCase();
  const name = HOST.exec(given)?.[1];
  if (name === undefined) return false;
  return LOOPBACK.test(name) || allowed.some((one) => [given, name].includes(one.toLowerCase()));
}
