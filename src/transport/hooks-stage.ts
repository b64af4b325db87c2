import { emit } from './hooks.ts';
import { responseInfo } from './response-info.ts';
import type { Stage } from './stage.ts';

/** Reports each attempt and its response. */
export const hooksStage: Stage = async (attempt, next) => {
  const { call } = attempt;
  const { hooks, runtime } = call.config;
  emit(hooks.onRequest, () => attempt.event());
  const startedAt = runtime.now();
  const answer = await next(attempt);
  emit(hooks.onResponse, () => {
    const redacted = call.redaction().headers(answer.response.headers);
    const { headers, ...info } = responseInfo({ status: answer.response.status, headers: redacted });
    return { ...attempt.event(), ...info, durationMs: Math.round(runtime.now() - startedAt) };
  });
  return answer;
};
