/**
 * Who may come in. Programs show the control token. A browser is let in once, by an address with a code that is used up,
 * and then has a session: a path that others cannot name, and a cookie for that path alone. Cookies do not know of ports,
 * so the browser would send one for a path that is known to the program behind any other port that has such a path. And
 * the browser has to say that a request comes from a page of ours.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Refused } from './incoming.ts';
import { CONTROL_PATH } from '../control-api/path.ts';
import { hmac } from '../hmac.ts';
import { randomSecret } from '../random-secret.ts';

/** A browser that was let in. */
export interface Session {
  /** Below it is all that the browser may ask for. */
  readonly path: string;
  /** The cookie to set. */
  readonly cookie: string;
}

/** The segment before the name of a session. */
export const SESSIONS = 's';

const COOKIE = 'email-platform';

/** Those who have been let in. */
export class Access {
  /** With it, two texts are compared in a time that tells nothing about either. */
  readonly #key = randomSecret('');
  readonly #sealedToken: string;
  readonly #codes = new Set<string>();
  /** The ids in the cookies, by the names of the sessions. */
  readonly #sessions = new Map<string, string>();
  /** The emails of a state of the emulator are signed with a secret of that state: after a reset, their ids come again. */
  readonly #salts = new WeakMap<object, string>();

  constructor(token: string) {
    this.#sealedToken = this.#sealed(token);
  }

  /** A code that lets a browser in once. */
  newCode(): string {
    const code = randomSecret('');
    this.#codes.add(this.#sealed(code));
    return code;
  }

  /** Uses up a code, for a session; `undefined` if there is no such code. */
  admit(code: string): Session | undefined {
    if (!this.#codes.delete(this.#sealed(code))) return undefined;
    const [name, id] = [randomSecret(''), randomSecret('')];
    this.#sessions.set(this.#sealed(name), this.#sealed(id));
    const path = `${CONTROL_PATH}/${SESSIONS}/${name}/`;
    return { path, cookie: `${COOKIE}=${id}; Path=${path}; HttpOnly; SameSite=Strict` };
  }

  /** Why a request of a program may not come in. */
  refusalOf({ authorization = '' }: IncomingHttpHeaders): Refused | undefined {
    if (authorization === '')
      return { status: 401, message: 'The control token is missing: Authorization: Bearer <control token>' };
    const [, given = ''] = /^bearer\s+(.+)$/i.exec(authorization) ?? [];
    if (this.#sealed(given.trim()) === this.#sealedToken) return undefined;
    return {
      status: 401,
      message: 'This is not the control token. An API token gives no access to the control API.',
    };
  }

  /** Why a request of a browser, below the path of a session, may not come in. */
  refusalIn(name: string, method: string, headers: IncomingHttpHeaders): Refused | undefined {
    const id = this.#sessions.get(this.#sealed(name));
    if (id === undefined || !cookiesIn(headers).some((given) => this.#sealed(given) === id))
      return {
        status: 401,
        message: `This address is for one browser. POST ${CONTROL_PATH}/codes makes another.`,
      };
    return isOwnPage(method, headers)
      ? undefined
      : { status: 403, message: 'With a cookie, the request must come from a page of this emulator' };
  }

  /** Signs the address of a message's HTML. The signature is valid until the emulator's state is reset or restored. */
  signatureOf(id: string, state: object): string {
    const salt = this.#salts.get(state) ?? randomSecret('');
    this.#salts.set(state, salt);
    return this.#sealed(`html ${salt} ${id}`);
  }

  isSignature(given: string, id: string, state: object): boolean {
    return this.#sealed(given) === this.#sealed(this.signatureOf(id, state));
  }

  /** An attacker who measures how long a comparison takes learns how far two seals agree, but cannot choose them. */
  #sealed(text: string): string {
    return hmac(this.#key, text);
  }
}

/** The values of all cookies of the name: a page of another port may have set one, too. */
const cookiesIn = ({ cookie = '' }: IncomingHttpHeaders): string[] =>
  cookie
    .split(';')
    .map((pair) => pair.trim().split('='))
    .flatMap(([name, value = '']) => (name === COOKIE ? [value] : []));

/** Whether a browser says that a request comes from a page of this origin, or from its user. */
function isOwnPage(method: string, headers: IncomingHttpHeaders): boolean {
  const { host, origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  if (method === 'GET' || method === 'HEAD') {
    return site === 'same-origin' || (site === 'none' && mode === 'navigate');
  }
  return site === 'same-origin' && (origin === `http://${host}` || origin === `https://${host}`);
}
