/**
 * Access to the control API. Programs send the control token. A browser opens an address with a code, as often as it
 * likes, and then has the session: a secret path, and a cookie for this path only. Cookies ignore ports, so the browser
 * would send a cookie for a path that others know to servers on other ports, too. The browser must also send the headers
 * which say that the request comes from a page of this server.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Refused } from './incoming.ts';
import type { Reply } from '../../service/wire/reply.ts';
import { CONTROL_PATH } from '../control-api/path.ts';
import { hmac } from '../../encoding/hashes.ts';
import { randomSecret, shortSecret } from '../../encoding/random-secret.ts';

/** The segment before the name of a session. */
export const SESSIONS = 's';

const COOKIE = 'email-platform';

/** The secrets of a control API. All last as long as the server. */
export class Access {
  /** The key of the HMACs that are compared instead of the secrets. */
  readonly #key = randomSecret('');
  readonly #sealedToken: string;
  /** The code in the address for browsers. */
  readonly code = shortSecret();
  /** The name in the path of the session. */
  readonly #name = randomSecret('');
  /** The value of the session's cookie. */
  readonly #id = randomSecret('');
  /** One secret for each state of the emulator, for signatures: after a reset, new emails have the ids of old ones. */
  readonly #salts = new WeakMap<object, string>();

  constructor(token: string) {
    this.#sealedToken = this.#sealed(token);
  }

  /** Leads a browser with the code to its session: the prefix of every path that it may request. */
  admit(code: string): Reply {
    if (!this.#isSame(code, this.code))
      return {
        status: 403,
        json: {
          error:
            'This address is not of this server, which was started again or is another one. Open the address that it printed when it started.',
        },
      };
    const location = `${CONTROL_PATH}/${SESSIONS}/${this.#name}/`;
    const cookie = `${COOKIE}=${this.#id}; Path=${location}; HttpOnly; SameSite=Strict`;
    return { status: 303, headers: { location, 'set-cookie': cookie } };
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
    const isKnown =
      this.#isSame(name, this.#name) && cookiesIn(headers).some((given) => this.#isSame(given, this.#id));
    if (!isKnown)
      return {
        status: 401,
        message:
          'This browser is not signed in to this emulator. Open the address that the emulator printed when it started.',
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
    return this.#isSame(given, this.signatureOf(id, state));
  }

  /** Compares HMACs, so that the timing reveals nothing about the secret. */
  #isSame(given: string, secret: string): boolean {
    return this.#sealed(given) === this.#sealed(secret);
  }

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
