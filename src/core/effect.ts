/** Decides for every kind of failure whether the service may have acted. */
import type { Effect } from './error-base.ts';
import type { ConnectionPhase } from './errors.ts';
import type { HttpMethod } from './request.ts';

/** A 4xx or 501 is a refusal. After any other 5xx, a 408, a redirect or no status at all, the service may have acted. */
export const effectOfStatus = (status: number): Effect =>
  (status >= 400 && status < 500 && status !== 408) || status === 501 ? 'none' : 'unknown';

/** After a 2xx whose body is not the service's response, the request has probably been carried out. */
export const effectOfUnreadable = (method: HttpMethod): Effect => (method === 'GET' ? 'none' : 'unknown');

/** Codes of OpenSSL and Node for a refused certificate: the handshake ended before a request was sent. */
const CERTIFICATE_CODE =
  /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE))/;

/** undici's code for a connection that was not made in time. */
const CONNECT_TIMEOUT_CODE = 'UND_ERR_CONNECT_TIMEOUT';

/** How far a failed request got. */
export interface Diagnosis {
  readonly phase: ConnectionPhase;
  readonly effect: Effect;
}

const UNKNOWN: Diagnosis = { phase: 'unknown', effect: 'unknown' };

/**
 * How far a failed request got. The effect is `'none'` only if the error proves that the request never left: a browser
 * says nothing about that, and a connection may break after the service has acted.
 */
export function diagnose(error: unknown): Diagnosis {
  try {
    return diagnosis(error, 0);
  } catch {
    // The error has a getter that throws.
    return UNKNOWN;
  }
}

function diagnosis(error: unknown, depth: number): Diagnosis {
  if (typeof error !== 'object' || error === null || depth > 4) return UNKNOWN;
  // One error for each address tried: the request may have left if any of them got beyond connecting.
  if (error instanceof AggregateError && error.errors.length > 0) {
    const all = error.errors.map((each) => diagnosis(each, depth + 1));
    return all.find(({ effect }) => effect === 'unknown') ?? all[0] ?? UNKNOWN;
  }
  const { code, syscall } = error as { readonly code?: unknown; readonly syscall?: unknown };
  if (syscall === 'getaddrinfo') return { phase: 'dns', effect: 'none' };
  if (syscall === 'connect' || code === CONNECT_TIMEOUT_CODE) return { phase: 'connect', effect: 'none' };
  if (typeof code === 'string' && CERTIFICATE_CODE.test(code)) return { phase: 'tls', effect: 'none' };
  const { cause } = error as { cause?: unknown };
  if (cause !== undefined) return diagnosis(cause, depth + 1);
  return typeof code === 'string' ? { phase: 'exchange', effect: 'unknown' } : UNKNOWN;
}
