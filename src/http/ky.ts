import type { KyInstance } from 'ky';
import type { EmailPlatformError } from '../core/error-base.ts';
import { TimeoutError } from '../core/errors.ts';
import type { TransportConfig } from '../call/config.ts';
import { connectionError } from './connection-failure.ts';
import { baseOf } from '../call/prepare.ts';
import { readCounts } from './rate-limit-headers.ts';
import type { Attempt } from '../call/attempt.ts';
import type { Answer, Stage } from '../call/stage.ts';

const JSON_BODY = { 'content-type': 'application/json' };

/** The headers of an attempt. A caller's headers cannot replace ours: options that try are refused. */
function headersOf({ call, auth }: Attempt): Record<string, string> {
  const { userAgent } = call.config;
  return {
    accept: 'application/json',
    ...(call.request.body !== undefined && JSON_BODY),
    ...(userAgent !== undefined && { 'user-agent': userAgent }),
    ...call.request.options.headers,
    ...auth?.header,
  };
}

/**
 * Sends one request and reads the response's body, within the attempt's timeout.
 *
 * ky is loaded at the first call, not at import, because it creates a Request as it loads. It gets a signal of the
 * attempt, never the caller's: its listener would stay there for as long as that signal lives.
 */
export function httpStage(config: TransportConfig): Stage {
  const { fetch, runtime } = config;
  let loading: Promise<{ readonly default: KyInstance }> | undefined;
  let ky: KyInstance | undefined;

  const exchange = async (
    attempt: Attempt,
    signal: AbortSignal,
    onAccepted: (answer: Answer) => void,
  ): Promise<Answer> => {
    const { call } = attempt;
    ky ??= (await (loading ??= import('ky'))).default;
    signal.throwIfAborted();
    call.attempts += 1;
    const { method, host, path, query, body, result, signedUrl } = call.request;
    const response = await ky(signedUrl ?? baseOf(config, host) + path + query, {
      method,
      headers: signedUrl === undefined ? headersOf(attempt) : {},
      redirect: 'manual',
      retry: 0,
      timeout: false,
      throwHttpErrors: false,
      ...(body !== undefined && { body }),
      // If ky were given the signal, it would combine it with one of its own, which is expensive.
      ...(fetch === undefined
        ? { fetch: (input, init) => globalThis.fetch(input, { ...init, signal }) }
        : { fetch, signal }),
    });
    // After a 429 the permit ends later: the body says which pool to block, and that has to be done first.
    if (response.status !== 429) attempt.endPermit((permit) => permit.answered(readCounts(response.headers)));
    if (response.ok && result.kind === 'stream') return { response, text: undefined, raw: response.body };
    if (response.ok && result.kind === 'bytes') {
      return { response, text: undefined, raw: new Uint8Array(await response.arrayBuffer()) };
    }
    const needsBody = response.ok && (result.kind === 'json' || result.kind === 'any');
    if (needsBody) return { response, text: await response.text() };
    onAccepted({ response, text: undefined });
    return { response, text: await response.text().catch(() => undefined) };
  };

  return (attempt) =>
    new Promise((resolve, reject) => {
      const { call } = attempt;
      const { timeoutMs } = call;
      const { operation } = call.request;
      if (call.ended) {
        reject(call.ended);
        return;
      }
      const controller = new AbortController();
      // Set once the status alone decides the outcome: a body that never ends, or an abort, does not change it then.
      let accepted: Answer | undefined;
      let isOver = false;
      // Only once: when a late response comes, the call may be in another attempt, which has its own listener.
      const finish = () => {
        if (isOver) return;
        isOver = true;
        stopTimer();
        call.onEnd(undefined);
      };
      const sentBefore = call.attempts;
      // Settles the promise itself, since a `fetch` that ignores its signal must not keep the caller waiting.
      const giveUp = (reason: EmailPlatformError, ending: 'timedOut' | 'abandoned') => {
        finish();
        if (accepted) resolve(accepted);
        else {
          const isSent = call.attempts > sentBefore;
          if (isSent) call.maybeActed = true;
          attempt.endPermit((permit) => permit[isSent ? ending : 'neverSent']());
          reject(reason);
        }
        controller.abort(reason);
      };
      const stopTimer = runtime.setTimer(timeoutMs, () => {
        const message = `${operation}: no complete response within ${timeoutMs} ms`;
        const effect = call.attempts > sentBefore ? 'unknown' : 'none';
        giveUp(new TimeoutError(message, { kind: 'attempt', effect }), 'timedOut');
      });
      call.onEnd({ callEnded: (reason) => giveUp(reason, 'abandoned') });
      exchange(attempt, controller.signal, (answer) => {
        accepted = answer;
      }).then(
        (answer) => {
          finish();
          resolve(answer);
        },
        (error: unknown) => {
          if (isOver) return;
          finish();
          const failure = connectionError(operation, error, attempt.auth?.secret);
          const neverSent = failure.effect === 'none';
          if (!neverSent) call.maybeActed = true;
          attempt.endPermit((permit) => (neverSent ? permit.neverSent() : permit.abandoned()));
          reject(failure);
        },
      );
    });
}
