import { tried } from './tried.ts';

/** An address, from a base if it is relative; undefined for another text. */
export const urlOf = (address: string | URL, base?: string): URL | undefined =>
  tried(() => new URL(address, base));

/** A domain as `URL` writes it: in lower case, with its other letters encoded (`xn--`). Undefined for another text. */
export const hostName = (domain: string): string | undefined => urlOf(`https://${domain}`)?.hostname;
