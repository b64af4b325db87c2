import { tried } from './tried.ts';

/** A domain as `URL` writes it: in lower case, with its other letters encoded (`xn--`). Undefined for another text. */
export const hostName = (domain: string): string | undefined =>
  tried(() => new URL(`https://${domain}`).hostname);
