/** A host name or an IP address, and a port. */
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/;

const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const LOOPBACK = new RegExp(`^(?:(?:[\\w-]+\\.)*localhost|127(?:\\.${OCTET}){3}|\\[::1\\])$`);

/** Whether a text is a host name or an IP address, with or without a port. */
export function isHost(text: string): boolean {
  // URL.canParse checks the port. `name` stands for the host: 127.0.0.256 is a host here, but not in a URL.
  return HOST.test(text.toLowerCase()) && URL.canParse(`http://${text.replace(/^[\w.-]+/, 'name')}`);
}

/** Whether a text may be an address to listen on: an IP address without brackets, or a name. */
export const isListenAddress = (text: string): boolean => /^[\w.:-]{1,255}$/.test(text);

/** Whether only this machine reaches a server that listens on the address. */
export const isLoopbackAddress = (address: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(address);

/**
 * Whether the server responds to requests for this host: a name or an address of this machine, or one of `allowed`. This
 * stops DNS rebinding: a web page whose own name points to 127.0.0.1 has the same origin as the emulator, but the browser
 * sends the page's name as the host.
 *
 * @param host - the `Host` header.
 * @param allowed - more names; a name without a port allows every port.
 */
export function isAllowedHost(host: string, allowed: readonly string[]): boolean {
  const given = host.toLowerCase();
  const name = HOST.exec(given)?.[1];
  if (name === undefined) return false;
  return LOOPBACK.test(name) || allowed.some((one) => [given, name].includes(one.toLowerCase()));
}
