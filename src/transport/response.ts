import { ResponseFormatError } from '../core/errors.ts';
import { pathText, type StandardSchema } from '../core/standard-schema.ts';
import { emit, type Hooks } from './hooks.ts';
import { responseError } from './response-error.ts';
import type { Attempt } from './attempt.ts';
import type { ResponseHead, Stage } from './stage.ts';

/** Turns a response into the result, or into the error it stands for. */
export function responseStage(hooks: Hooks, wallNow: () => number): Stage {
  return async (attempt, next) => {
    const answer = await next(attempt);
    const { response, text } = answer;
    if (response.status < 200 || response.status > 299) {
      const error = responseError(attempt, response, text ?? '', wallNow);
      if (error.effect === 'unknown') attempt.call.maybeActed = true;
      throw error;
    }
    const { result, schema } = attempt.call.request;
    if (result.kind === 'none') return { ...answer, data: result.value };
    const body = parseJson(text);
    if (schema && hooks.onMismatch && body !== undefined) report(attempt, hooks.onMismatch, schema(), body);
    const data = result.unwrap(body);
    if (result.kind === 'json' && data === undefined) throw formatError(attempt, response, text ?? '', body);
    return { ...answer, data };
  };
}

function parseJson(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function formatError(
  { call }: Attempt,
  response: ResponseHead,
  text: string,
  body: unknown,
): ResponseFormatError {
  const { operation, method } = call.request;
  const what =
    body === undefined ? `is not JSON (${text.length} characters)` : 'lacks the documented envelope';
  const type = response.headers.get('content-type') ?? 'no content type';
  // The service said 2xx: whatever was asked for has been done.
  if (method !== 'GET') call.maybeActed = true;
  return new ResponseFormatError(
    `${operation} was answered with ${response.status}, but the body ${what}; ${type}`,
    {
      effect: method === 'GET' ? 'none' : 'unknown',
    },
  );
}

/** Tells the hook how a body differs from what is documented. The result does not wait for it, or depend on it. */
function report(
  attempt: Attempt,
  onMismatch: NonNullable<Hooks['onMismatch']>,
  schema: StandardSchema,
  body: unknown,
): void {
  void (async () => {
    const { issues } = await schema['~standard'].validate(body);
    if (issues === undefined) return;
    emit(onMismatch, () => ({
      ...attempt.event(),
      issues: issues.map(({ path, message }) => ({ path: pathText(path), message })),
    }));
  })().catch(() => undefined);
}
