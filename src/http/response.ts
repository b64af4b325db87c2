import { effectOfUnreadable } from '../core/effect.ts';
import { ResponseFormatError, summaryOf, type Issue } from '../core/errors.ts';
import { pathText, type StandardIssue, type StandardSchema } from '../core/standard-schema.ts';
import { emit, type Hooks } from '../call/hooks.ts';
import { responseError } from './response-error.ts';
import type { Attempt } from '../call/attempt.ts';
import type { ResponseHead, Stage } from '../call/stage.ts';

/** Turns a response into the result, or into the error it stands for. */
export function responseStage(hooks: Hooks, wallNow: () => number): Stage {
  return async (attempt, next) => {
    const answer = await next(attempt);
    const { response, text } = answer;
    if (response.status < 200 || response.status > 299) {
      throw responseError(attempt, response, text, wallNow);
    }
    const { result, schema } = attempt.call.request;
    if (result.kind === 'bytes' || result.kind === 'stream') return { ...answer, data: answer.raw };
    if (result.kind === 'none') return { ...answer, data: result.value };
    const body = parseJson(text);
    if (result.kind === 'any') {
      if (body === undefined && text !== '') throw formatError(attempt, response, notJson(text));
      return {
        ...answer,
        data: result.checkedBy ? await checked(attempt, response, result.checkedBy, body) : body,
      };
    }
    if (result.kind === 'lenient' && result.isRefusal?.(body))
      throw responseError(attempt, response, text, wallNow);
    if (schema && hooks.onMismatch && body !== undefined) report(attempt, hooks.onMismatch, schema(), body);
    const data = result.unwrap(body);
    if (result.kind === 'json' && data === undefined) {
      throw formatError(
        attempt,
        response,
        body === undefined ? notJson(text) : 'lacks the documented envelope',
      );
    }
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

const notJson = (text = '') => `is not JSON (${text.length} characters)`;

function formatError(
  { call }: Attempt,
  { status, headers }: ResponseHead,
  what: string,
  issues: readonly Issue[] = [],
): ResponseFormatError {
  const { operation, method } = call.request;
  const type = headers.get('content-type') ?? 'no content type';
  return new ResponseFormatError(`${operation} returned ${status}, but the body ${what}; ${type}`, {
    effect: effectOfUnreadable(method),
    issues,
  });
}

const toIssues = (issues: readonly StandardIssue[]): Issue[] =>
  issues.map(({ path, message }) => ({ path: pathText(path), message }));

/** Checks a body against the caller's schema, and returns the schema's output. */
async function checked(
  attempt: Attempt,
  response: ResponseHead,
  schema: StandardSchema,
  body: unknown,
): Promise<unknown> {
  const result = await schema['~standard'].validate(body);
  if (result.issues === undefined) return result.value;
  const issues = toIssues(result.issues);
  throw formatError(attempt, response, `does not match the schema: ${summaryOf(issues)}`, issues);
}

/** Reports to the hook how a body differs from what is documented. The result does not wait for it or depend on it. */
function report(
  attempt: Attempt,
  onMismatch: NonNullable<Hooks['onMismatch']>,
  schema: StandardSchema,
  body: unknown,
): void {
  void (async () => {
    const { issues } = await schema['~standard'].validate(body);
    if (issues === undefined) return;
    emit(onMismatch, () => ({ ...attempt.event(), issues: toIssues(issues) }));
  })().catch(() => undefined);
}
