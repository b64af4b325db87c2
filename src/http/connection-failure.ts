import { ConnectionError, type ConnectionPhase } from '../core/errors.ts';
import type { Effect } from '../core/error-base.ts';
import { redactedCopy } from './redact.ts';

interface SystemFields {
  readonly code?: unknown;
  readonly syscall?: unknown;
}

/** Codes of OpenSSL and Node for a refused certificate: the handshake ended before a request was sent. */
const CERTIFICATE_CODE =
  /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE))/;

/** undici's code for a connection that was not made in time. */
const CONNECT_TIMEOUT_CODE = 'UND_ERR_CONNECT_TIMEOUT';

interface Diagnosis {
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
    // Some other program's error, with a getter that throws.
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
  const { code, syscall } = error as SystemFields;
  if (syscall === 'getaddrinfo') return { phase: 'dns', effect: 'none' };
  if (syscall === 'connect' || code === CONNECT_TIMEOUT_CODE) return { phase: 'connect', effect: 'none' };
  if (typeof code === 'string' && CERTIFICATE_CODE.test(code)) return { phase: 'tls', effect: 'none' };
  const { cause } = error as { cause?: unknown };
  if (cause !== undefined) return diagnosis(cause, depth + 1);
  return typeof code === 'string' ? { phase: 'exchange', effect: 'unknown' } : UNKNOWN;
}

const PHASE_TEXT: Readonly<Record<ConnectionPhase, string>> = {
  dns: 'the host name was not found',
  connect: 'no connection could be made',
  tls: "the host's certificate was refused",
  exchange: 'the connection broke while the request was under way',
  unknown: 'the request failed',
};

/** The error the caller gets for whatever `fetch`, or reading the body, threw. */
export function connectionError(
  operation: string,
  error: unknown,
  secret: string | undefined,
): ConnectionError {
  const { phase, effect } = diagnose(error);
  const cause = redactedCopy(error, secret);
  const detail = innermostMessage(cause);
  return new ConnectionError(`${operation}: ${PHASE_TEXT[phase]}${detail === '' ? '' : ` (${detail})`}`, {
    phase,
    effect,
    cause,
  });
}

function innermostMessage(error: Error): string {
  let inner = error;
  while (inner.cause instanceof Error) inner = inner.cause;
  if (inner.message !== '') return inner.message;
  const { code } = inner as SystemFields;
  return typeof code === 'string' ? code : '';
}
