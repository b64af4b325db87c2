import { diagnose } from '../core/effect.ts';
import { ConnectionError, type ConnectionPhase } from '../core/errors.ts';
import type { Redaction } from './redact.ts';

const PHASE_TEXT: Readonly<Record<ConnectionPhase, string>> = {
  dns: 'the host name was not found',
  connect: 'no connection could be made',
  tls: 'no secure connection could be made',
  exchange: 'the connection broke while the request was under way',
  unknown: 'the request failed',
};

/** The error the caller gets for whatever `fetch`, or reading the body, threw. */
export function connectionError(operation: string, error: unknown, redaction: Redaction): ConnectionError {
  const { phase, effect } = diagnose(error);
  const cause = redaction.error(error);
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
  const { code } = inner as { readonly code?: unknown };
  return typeof code === 'string' ? code : '';
}
