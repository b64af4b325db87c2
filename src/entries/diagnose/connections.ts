/** The reasons why a host does not respond, with their remedies: the failures of a first day. */
import { ApiError } from '../../core/api-errors.ts';
import { EmailPlatformError } from '../../core/error-base.ts';
import { answerText, isForeign } from './foreign.ts';

/** A short description of a failure, and its remedy. */
export interface Trouble {
  readonly text: string;
  readonly remedy: string;
  /** Whether the address may be wrong. */
  readonly isAddress?: boolean;
  /** Whether no connection was made. */
  readonly isCut?: boolean;
}

/** The codes and messages of an error and its causes, as one text. */
function signsOf(error: unknown, depth = 0): string {
  const { name, code, message, cause } = Object(error) as Readonly<Record<string, unknown>>;
  const own = [name, code, message].filter((part) => typeof part === 'string').join(' ');
  const errors = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  const inner = depth > 4 ? [] : [cause, ...errors].filter((one) => one !== undefined);
  return [own, ...inner.map((one) => signsOf(one, depth + 1))].join(' ');
}

const TROUBLES: readonly (readonly [sign: RegExp, text: string, remedy: string, isAddress?: true])[] = [
  [
    /ERR_TLS_CERT_ALTNAME_INVALID/,
    'the certificate is for another name',
    'the host name is wrong: compare it with the service’s documentation',
    true,
  ],
  [
    /CERT_(HAS_EXPIRED|NOT_YET_VALID)/,
    'the certificate is out of date',
    'set the clock of this machine, or ask who runs the host',
  ],
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY)|DEPTH_ZERO/,
    'the certificate comes from an unknown authority',
    'a proxy may read the connection: NODE_EXTRA_CA_CERTS=/path/to/its-authority.pem',
  ],
  [
    /ERR_SSL_WRONG_VERSION_NUMBER|EPROTO/,
    'the host does not speak TLS',
    'the address may need http:, or another port',
  ],
  [
    /Proxy response|UND_ERR_PRX_CONN/,
    'a proxy refused the connection',
    'let the proxy (HTTPS_PROXY) pass the host, or name it in NO_PROXY',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|dns error/,
    'the name is unknown',
    'the host name is wrong, such as with your own domain instead of the service’s, or this machine has no DNS',
    true,
  ],
  [
    /ECONNREFUSED|Unable to connect/,
    'the connection was refused',
    'nothing listens there: check the port, and start the emulator',
    true,
  ],
  [
    /TimeoutError|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|ENETUNREACH|EHOSTUNREACH/,
    'no answer in time',
    'a firewall may block it; behind a proxy: NODE_USE_ENV_PROXY=1 and HTTPS_PROXY',
  ],
];

/** The cause of a failed connection, and its remedy. */
export function troubleOf(error: unknown): Trouble {
  const signs = signsOf(error);
  const trouble = TROUBLES.find(([sign]) => sign.test(signs));
  if (trouble) return { text: trouble[1], remedy: trouble[2], isAddress: trouble[3] === true };
  // The message of a client's error contains no secret.
  const { message } = error instanceof EmailPlatformError ? error : { message: 'it failed' };
  return { text: message, remedy: 'try again, and look at the service’s status page' };
}

/** The reason why a part of the account could not be read. */
export function unreadText(error: unknown): string {
  if (!(error instanceof ApiError)) return troubleOf(error).text;
  if (isForeign(error)) return `the host ${answerText(error)}, unlike the service`;
  return error.status === 403 ? 'the token may not read it' : `the service answered ${error.status}`;
}
