/**
 * Access to the control API. Programs send the control token. A browser opens an address with a code that is valid once,
 * and then has a session: a secret path, and a cookie for this path only. Cookies ignore ports, so the browser would send
 * a cookie for a path that others know to servers on other ports, too. The browser must also send the headers which say
 * that the request comes from a page of this server.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Refused } from './incoming.ts';
import { CONTROL_PATH } from '../control-api/path.ts';
import { hmac } from '../../encoding/hmac.ts';
import { randomSecret } from '../../encoding/random-secret.ts';

/** The session of a browser. */
export interface Session {
  /** The prefix of every path that the browser may request. */
  readonly path: string;
  /** The cookie to set. */
  readonly cookie: string;
}

/** The segment before the name of a session. */
export const SESSIONS = 's';

const COOKIE = 'email-platform';

/** The codes and the sessions of a control API. */
export class Access {
  /** The key of the HMACs that are compared instead of the secrets. */
  readonly #key = randomSecret('');
  readonly #sealedToken: string;
  readonly #codes = new Set<string>();
  /** The ids in the cookies, by the names of the sessions. */
  readonly #sessions = new Map<string, string>();
  /** One secret for each state of the emulator, for signatures: after a reset, new emails have the ids of old ones. */
  readonly #salts = new WeakMap<object, string>();

  constructor(token: string) {
    this.#sealedToken = this.#sealed(token);
  }

  /** Makes a code that opens one session. */
  newCode(): string {
    const code = randomSecret('');
    this.#codes.add(this.#sealed(code));
    return code;
  }

  /** Exchanges a code for a session; `undefined` if the code is unknown or used. */
  admit(code: string): Session | undefined {
    if (!this.#codes.delete(this.#sealed(code))) return undefined;
    const [name, id] = [randomSecret(''), randomSecret('')];
    this.#sessions.set(this.#sealed(name), this.#sealed(id));
    const path = `${CONTROL_PATH}/${SESSIONS}/${name}/`;
    return { path, cookie: `${COOKIE}=${id}; Path=${path}; HttpOnly; SameSite=Strict` };
  }

  /** The refusal of a program's request; `undefined` if it has the control token. */
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

  /** The refusal of a browser's request below the path of a session; `undefined` if it is allowed. */
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

  /** An HMAC for a comparison, so that its timing reveals nothing about the secret. */
  #sealed(text: string): string {
    return hmac(this.#key, text);
  }
}

/** The values of all cookies with the name: a server on another port may have set one, too. */
const cookiesIn = ({ cookie = '' }: IncomingHttpHeaders): string[] =>
  cookie
    .split(';')
    .map((pair) => pair.trim().split('='))
    .flatMap(([name, value = '']) => (name === COOKIE ? [value] : []));

/** Whether the browser's headers say that a page of this origin or the browser's user made the request. */
function isOwnPage(method: string, headers: IncomingHttpHeaders): boolean {
  const { host, origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  if (method === 'GET' || method === 'HEAD') {
    return site === 'same-origin' || (site === 'none' && mode === 'navigate');
  }
  return site === 'same-origin' && (origin === `http://${host}` || origin === `https://${host}`);
}
