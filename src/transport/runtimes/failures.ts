/** Reads the errors of runtimes and proxies: how far did a request get that has no response? */
import type { Effect } from '../../core/error-base.ts';
import type { ConnectionPhase } from '../../core/errors.ts';
import { tried } from '../../core/tried.ts';

/**
 * The texts of runtimes that show how far a request got. They are matched in this order with an error's `syscall`,
 * `code` and `message`. The effect is `'none'` if no connection existed that could carry the request.
 */
const SIGNS: readonly (readonly [sign: RegExp, phase: ConnectionPhase, effect: Effect, by?: 'proxy'])[] = [
  // Node, and Bun where its texts are the same
  [/^getaddrinfo /, 'dns', 'none'],
  [/^(connect|\S* UND_ERR_CONNECT_TIMEOUT) /, 'connect', 'none'],
  [/^\S* (CERT_|ERR_TLS_CERT|DEPTH_ZERO_SELF|SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY)_)/, 'tls', 'none'],
  // A proxy refused the connection to the service. The error's code alone means only `aborted`.
  [/^ \S* Proxy response \(\d+\) !== 200 when HTTP Tunneling$/, 'connect', 'none', 'proxy'],
  [/^ UND_ERR_PRX_CONN /, 'connect', 'none', 'proxy'],
  // Probably a host without TLS; but a record that was garbled later has the same error.
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
  /** Set if a proxy refused the connection, not the service's host. */
  readonly by?: 'proxy';
}

const UNKNOWN: Diagnosis = { phase: 'unknown', effect: 'unknown' };

/**
 * How far a failed request got. The effect is `'none'` only if the error proves that the request never left. A
 * browser's error proves nothing, and a connection may break after the service has acted.
 */
export const diagnose = (error: unknown): Diagnosis =>
  // The error may be null or undefined, or have a getter that throws.
  tried(
    () => diagnosis(error, 0),
    () => UNKNOWN,
  );

function diagnosis(error: unknown, depth: number): Diagnosis {
  if (depth > 4) return UNKNOWN;
  if (error instanceof AggregateError) {
    // One error per address: the request may have left if one of them connected.
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
