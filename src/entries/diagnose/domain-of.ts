import { hostName } from '../../core/host-name.ts';

const DOMAIN = /(?:^|@)((?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}-]+)>?\s*$/u;

/** A domain in lower case and ASCII, so that two spellings of it are equal. */
export const asciiDomain = (name: string): string => hostName(name) ?? name.toLowerCase();

/** The domain of a sender: of an address, `Name <address>`, or a domain; undefined for another text. */
export function domainOf(from: string): string | undefined {
  const name = DOMAIN.exec(from)?.[1];
  return name === undefined ? undefined : asciiDomain(name);
}
