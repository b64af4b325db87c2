/**
 * The attributes of spans and metrics, by the semantic conventions: HTTP is stable, messaging in development. They
 * contain no id, address or header, and no text of the caller or the service.
 */
import { defined } from '../../kit/defined.ts';
import type { AttemptTrace, CallTrace, Traced } from '../../transport/tracing.ts';

/** Attributes of OpenTelemetry: strings and numbers. */
export type Attributes = Record<string, string | number>;

/** The stream of a sending call, from its host. Undefined for other calls. */
const streamOf = ({ host }: Traced): string | undefined =>
  host === 'api' ? undefined : host === 'send' ? 'transactional' : host;

export const isSend = (call: Traced): boolean => streamOf(call) !== undefined;

/** The name of a call's span. */
export const callName = (call: Traced): string => [call.operation, streamOf(call) ?? []].flat().join(' ');

/** The name of a request's span. */
export const requestName = ({ method, template }: Traced): string =>
  [method, template ?? []].flat().join(' ');

const serverOf = ({ server }: Traced) => ({
  'server.address': server?.address,
  'server.port': server?.port,
});

const messagingOf = (call: Traced) =>
  isSend(call) && {
    'messaging.system': 'email_platform',
    'messaging.operation.name': call.operation,
    'messaging.operation.type': 'send',
    'messaging.destination.name': streamOf(call),
  };

/** The attributes of a call's span at its start. */
export const callAttributes = (call: CallTrace): Attributes =>
  defined({ 'email_platform.operation': call.operation, ...serverOf(call), ...messagingOf(call) });

/** The attributes of a call's span at its end. */
export const callResult = ({ status, attempts, queuedMs = 0, error }: CallTrace): Attributes =>
  defined({
    'http.response.status_code': status,
    'email_platform.attempts': attempts,
    'email_platform.queue.duration': queuedMs / 1000,
    'error.type': error?.code,
    'email_platform.effect': error?.effect,
  });

/** The attributes of a sending call's metric. */
export const sendMetric = (call: CallTrace): Attributes =>
  defined({ ...messagingOf(call), ...serverOf(call), 'error.type': call.error?.code });

/** The attributes of a request's span at its start. */
export const requestAttributes = (attempt: AttemptTrace): Attributes =>
  defined({
    'http.request.method': attempt.method,
    'url.template': attempt.template,
    ...serverOf(attempt),
    'http.request.resend_count': attempt.attempt > 1 ? attempt.attempt - 1 : undefined,
  });

/** The attributes of a request's span at its end. */
export const requestResult = ({ status, error }: AttemptTrace): Attributes =>
  defined({
    'http.response.status_code': status,
    'error.type': error && (error.status === undefined ? error.code : String(error.status)),
  });

/** The attributes of the metric of HTTP clients. */
export function requestMetric(attempt: AttemptTrace): Attributes {
  const { 'http.request.resend_count': _, ...attributes } = requestAttributes(attempt);
  return { ...attributes, ...requestResult(attempt) };
}

/** The attributes of the metrics without an outcome: waits and refusals. */
export const operationMetric = (traced: Traced): Attributes =>
  defined({ 'email_platform.operation': traced.operation, ...serverOf(traced) });

/** The attributes of the metric of calls. */
export const callMetric = (call: CallTrace): Attributes => ({
  ...operationMetric(call),
  ...defined({ 'error.type': call.error?.code, 'email_platform.effect': call.error?.effect }),
});
