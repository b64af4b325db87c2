import { emit, type Hooks } from './hooks.ts';
import { Redaction } from '../http/redact.ts';
import { readRateLimit } from '../http/response-info.ts';
import type { Stage } from './stage.ts';

/** Reports each attempt and its response. */
export function hooksStage(hooks: Hooks, now: () => number): Stage {
  const { onRequest, onResponse } = hooks;
  return async (attempt, next) => {
    emit(onRequest, () => attempt.event());
    const startedAt = now();
    const answer = await next(attempt);
    const { status, headers } = answer.response;
    const requestId = headers.get('x-request-id');
    emit(onResponse, () => ({
      ...attempt.event(),
      status,
      durationMs: Math.round(now() - startedAt),
      requestId: requestId === null ? undefined : new Redaction(attempt.call.config.tokens).text(requestId),
      rateLimit: readRateLimit(headers),
    }));
    return answer;
  };
}
