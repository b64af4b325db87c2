/** Whether a text is a domain name, in upper or lower case. */
export function isDomainName(name: string): boolean {
  return name.length <= 253 && /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]*[a-z\d]$/i.test(name);
}
