import type { KyInstance } from 'ky';
import type { EmailPlatformError } from '../core/error-base.ts';
import { TimeoutError } from '../core/errors.ts';
import type { TransportConfig } from './config.ts';
import { connectionError } from './connection-failure.ts';
import { readRateLimitHeaders } from './rate-limit-headers.ts';
import { endPermit, type Answer, type Attempt, type Stage } from './stage.ts';

/**
 * Sends one request and reads its body, within the attempt's timeout.
 *
 * ky is evaluated at the first call, not at import: it builds a Request as it loads. It is given a signal of the
 * attempt's own, never the caller's, which it would hold on to for as long as that lives.
 */
export function httpStage({ fetch, runtime }: Pick<TransportConfig, 'fetch' | 'runtime'>): Stage {
  let loading: Promise<{ readonly default: KyInstance }> | undefined;
  let ky: KyInstance | undefined;

  const exchange = async (
    attempt: Attempt,
    signal: AbortSignal,
    onAccepted: (answer: Answer) => void,
  ): Promise<Answer> => {
    const { call } = attempt;
    ky ??= (await (loading ??= import('ky'))).default;
    call.attempts += 1;
    const response = await ky(call.url, {
      method: call.spec.method,
      headers: attempt.headers,
      signal,
      redirect: 'manual',
      retry: 0,
      timeout: false,
      throwHttpErrors: false,
      ...(call.body !== undefined && { body: call.body }),
      ...(fetch !== undefined && { fetch }),
    });
    const { limit, remaining } = readRateLimitHeaders(response.headers, runtime.wallNow);
    endPermit(attempt, (permit) => permit.answered({ limit, remaining }));
    const needsBody = !response.ok || call.spec.result.kind === 'json';
    if (needsBody) return { response, text: await response.text() };
    onAccepted({ response, text: undefined });
    return { response, text: await response.text().catch(() => undefined) };
  };

  return (attempt) =>
    new Promise((resolve, reject) => {
      const { call } = attempt;
      const { scope, timeoutMs } = call;
      if (scope.ended) {
        reject(scope.ended);
        return;
      }
      const controller = new AbortController();
      // Where the status alone is the answer, a body that never ends, or an abort in its midst, does not undo it.
      let accepted: Answer | undefined;
      const finish = () => {
        stopTimer();
        removeListener();
      };
      // A `fetch` that ignores its signal must not keep the caller waiting: the promise is settled here, not there.
      const giveUp = (reason: EmailPlatformError, ending: 'timedOut' | 'abandoned') => {
        finish();
        if (accepted) resolve(accepted);
        else {
          call.maybeActed = true;
          endPermit(attempt, (permit) => permit[ending]());
          reject(reason);
        }
        controller.abort(reason);
      };
      const stopTimer = runtime.setTimer(timeoutMs, () => {
        const message = `${call.spec.operation}: no complete answer within ${timeoutMs} ms`;
        giveUp(new TimeoutError(message, { kind: 'attempt', effect: 'unknown' }), 'timedOut');
      });
      const removeListener = scope.onEnd((reason) => {
        giveUp(reason, 'abandoned');
      });
      exchange(attempt, controller.signal, (answer) => {
        accepted = answer;
      })
        .then(resolve, (error: unknown) => {
          const failure = connectionError(call.spec.operation, error, attempt.secret);
          const neverSent = failure.effect === 'none';
          if (!neverSent) call.maybeActed = true;
          endPermit(attempt, (permit) => (neverSent ? permit.neverSent() : permit.abandoned()));
          reject(failure);
        })
        .finally(finish);
    });
}
