/**
 * Who may come in. Programs show the control token. A browser is let in once, by an address with a code that is used up,
 * and then has a cookie with the id of its session. Cookies do not know of ports: pages of other ports of this machine
 * make the browser send it as well, so with a cookie the browser has to say that the request comes from a page of ours.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Refused } from './incoming.ts';
import { hmac } from '../hmac.ts';

/** Letters and digits that nobody can guess: 192 random bits. */
export function randomSecret(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return prefix + Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Those who have been let in. */
export class Access {
  /** With it, two texts are compared in a time that tells nothing about either. */
  readonly #key = randomSecret('');
  readonly #sealedToken: string;
  readonly #codes = new Set<string>();
  readonly #sessions = new Set<string>();

  constructor(token: string) {
    this.#sealedToken = this.#sealed(token);
  }

  /** A code that lets a browser in once. */
  newCode(): string {
    const code = randomSecret('');
    this.#codes.add(this.#sealed(code));
    return code;
  }

  /** Uses up a code, for the id of a session; `undefined` if there is no such code. */
  admit(code: string): string | undefined {
    if (!this.#codes.delete(this.#sealed(code))) return undefined;
    const session = randomSecret('');
    this.#sessions.add(this.#sealed(session));
    return session;
  }

  /** Why a request may not come in. */
  refusalOf(method: string, port: number, headers: IncomingHttpHeaders): Refused | undefined {
    const { authorization } = headers;
    if (authorization !== undefined && authorization !== '') {
      const [, given = ''] = /^bearer\s+(.+)$/i.exec(authorization) ?? [];
      if (this.#sealed(given.trim()) === this.#sealedToken) return undefined;
      return { status: 401, message: 'This is not the control token. An API token does not open the door.' };
    }
    const session = sessionIn(headers.cookie ?? '', port);
    if (session === undefined || !this.#sessions.has(this.#sealed(session))) {
      return { status: 401, message: 'The control token is missing: Authorization: Bearer <control token>' };
    }
    return isOwnPage(method, headers)
      ? undefined
      : { status: 403, message: 'With a cookie, the request must come from a page of this emulator' };
  }

  /** What lets everybody see the HTML of a message. */
  signatureOf(id: string): string {
    return this.#sealed(`html ${id}`);
  }

  isSignature(given: string, id: string): boolean {
    return this.#sealed(given) === this.#sealed(this.signatureOf(id));
  }

  /** An attacker who measures how long a comparison takes learns how far two seals agree, but cannot choose them. */
  #sealed(text: string): string {
    return hmac(this.#key, text);
  }
}

/** The name of the cookie: that of another emulator, at another port, is another one. */
export const cookieName = (port: number) => `email-platform-${port}`;

function sessionIn(cookies: string, port: number): string | undefined {
  const pairs = cookies.split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([name]) => name === cookieName(port))?.[1];
}

/** Whether a browser says that a request comes from a page of this origin, or from its user. */
function isOwnPage(method: string, headers: IncomingHttpHeaders): boolean {
  const { host, origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  if (method === 'GET' || method === 'HEAD') {
    return site === 'same-origin' || (site === 'none' && mode === 'navigate');
  }
  return site === 'same-origin' && (origin === `http://${host}` || origin === `https://${host}`);
}
