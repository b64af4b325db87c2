import { emit, type Hooks } from './hooks.ts';
import { readRateLimit } from './response-info.ts';
import type { Stage } from './stage.ts';

/** Reports each attempt and its response. */
export function hooksStage(hooks: Hooks, now: () => number): Stage {
  const { onRequest, onResponse } = hooks;
  return async (attempt, next) => {
    emit(onRequest, () => attempt.event());
    const startedAt = now();
    const answer = await next(attempt);
    emit(onResponse, () => ({
      ...attempt.event(),
      status: answer.response.status,
      durationMs: Math.round(now() - startedAt),
      requestId: answer.response.headers.get('x-request-id') ?? undefined,
      rateLimit: readRateLimit(answer.response.headers),
    }));
    return answer;
  };
}
