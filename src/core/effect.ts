/** Decides for every kind of failure whether the service may have acted. */
import type { Effect } from './error-base.ts';
import type { ConnectionPhase } from './errors.ts';
import type { HttpMethod } from './request.ts';
import { tried } from './tried.ts';

/** A 4xx or 501 is a refusal. After any other 5xx, a 408, a redirect or no status at all, the service may have acted. */
export const effectOfStatus = (status: number): Effect =>
  (status >= 400 && status < 500 && status !== 408) || status === 501 ? 'none' : 'unknown';

/** After a 2xx whose body is not the service's response, the request has probably been carried out. */
export const effectOfUnreadable = (method: HttpMethod): Effect => (method === 'GET' ? 'none' : 'unknown');

/**
 * The words by which runtimes tell how far a request got, matched with an error's `syscall`, `code` and `message`, in
 * this order. The effect is `'none'` where there was no connection yet to send a request over.
 */
const SIGNS: readonly (readonly [sign: RegExp, phase: ConnectionPhase, effect: Effect, by?: 'proxy'])[] = [
  // Node, and Bun as far as it says the same
  [/^getaddrinfo /, 'dns', 'none'],
  [/^(connect|\S* UND_ERR_CONNECT_TIMEOUT) /, 'connect', 'none'],
  [/^\S* (CERT_|ERR_TLS_CERT|DEPTH_ZERO_SELF|SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY)_)/, 'tls', 'none'],
  // A proxy was asked for a connection to the service, and refused. The error's code alone means only `aborted`.
  [/^ \S* Proxy response \(\d+\) !== 200 when HTTP Tunneling$/, 'connect', 'none', 'proxy'],
  [/^ UND_ERR_PRX_CONN /, 'connect', 'none', 'proxy'],
  // Most likely the host never spoke TLS; but a record that was garbled later has the same error.
  [/^\S* (ERR_SSL_WRONG_VERSION_NUMBER|EPROTO) /, 'tls', 'unknown'],
  // Bun
  [/^ \w+ (\w+: )?(Unable to connect\. Is the computer|Was there a typo in the url)/, 'connect', 'none'],
  // Deno
  [/^ \S* error sending request for url \S+: client error \(Connect\): dns error/, 'dns', 'none'],
  [/^ \S* error sending request for url \S+: client error \(Connect\): (invalid|received) /, 'tls', 'none'],
  [/^ \S* error sending request for url \S+: client error \(Connect\)/, 'connect', 'none'],
  [/: client error \(SendRequest\)/, 'exchange', 'unknown'],
];

interface Diagnosis {
  readonly phase: ConnectionPhase;
  readonly effect: Effect;
  /** Set where a proxy refused the connection, rather than the service's host. */
  readonly by?: 'proxy';
}

const UNKNOWN: Diagnosis = { phase: 'unknown', effect: 'unknown' };

/**
 * How far a failed request got. The effect is `'none'` only if the error proves that the request never left: a browser
 * says nothing about that, and a connection may break after the service has acted.
 */
export const diagnose = (error: unknown): Diagnosis =>
  // It may be null or undefined, or have a getter that throws.
  tried(
    () => diagnosis(error, 0),
    () => UNKNOWN,
  );

function diagnosis(error: unknown, depth: number): Diagnosis {
  if (depth > 4) return UNKNOWN;
  if (error instanceof AggregateError) {
    // One error for each address tried: the request may have left if any of them got beyond connecting.
    let found = UNKNOWN;
    for (const each of error.errors as unknown[]) {
      found = diagnosis(each, depth + 1);
      if (found.effect === 'unknown') break;
    }
    return found;
  }
  const { syscall = '', code = '', message = '', cause } = error as Readonly<Record<string, unknown>>;
  const text = [syscall, code, message].map(String).join(' ');
  for (const [sign, phase, effect, by] of SIGNS)
    if (sign.test(text)) return { phase, effect, ...(by && { by }) };
  if (cause !== undefined) return diagnosis(cause, depth + 1);
  return typeof code === 'string' && code !== '' ? { phase: 'exchange', effect: 'unknown' } : UNKNOWN;
}
