import { effectOfUnreadable } from '../core/effect.ts';
import { EmailPlatformError } from '../core/error-base.ts';
import { ResponseFormatError, summaryOf, type Issue } from '../core/errors.ts';
import { isRecord } from '../core/record.ts';
import {
  pathText,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
} from '../core/standard-schema.ts';
import { emit, type Hooks } from '../call/hooks.ts';
import { MAX_RESULT_BYTES } from './read-text.ts';
import { responseError } from './response-error.ts';
import type { Attempt } from '../call/attempt.ts';
import type { ResponseHead, Stage } from '../call/stage.ts';

/** Turns a response into the result, or into the error it stands for. */
export function responseStage(hooks: Hooks, wallNow: () => number): Stage {
  return async (attempt, next) => {
    const answer = await next(attempt);
    const { response, text } = answer;
    if (answer.isTooLarge) throw formatError(attempt, response, `is larger than ${MAX_RESULT_BYTES} bytes`);
    if (response.status < 200 || response.status > 299) {
      throw responseError(attempt, response, text, wallNow);
    }
    const { request, config } = attempt.call;
    const { result } = request;
    if (result.kind === 'bytes' || result.kind === 'stream') return { ...answer, data: answer.raw };
    if (result.kind === 'none') return { ...answer, data: result.value };
    const body = parseJson(text);
    if (result.kind === 'any') {
      if (body === undefined && text !== '') throw formatError(attempt, response, notJson(text));
      const { checkedBy } = result;
      return { ...answer, data: checkedBy ? await schemaOutput(attempt, response, checkedBy, body) : body };
    }
    const schema = request.schema && config.schemas?.[request.schema];
    if (result.kind === 'lenient') {
      if (result.isRefusal?.(body)) throw responseError(attempt, response, text, wallNow);
      // Before it is unwrapped, which may complete it.
      if (schema && body !== undefined) await compare(attempt, response, hooks, schema, body);
      return { ...answer, data: result.unwrap(body) };
    }
    const data = result.unwrap(body);
    if (data === undefined) {
      const what = body === undefined ? notJson(text) : 'lacks the documented envelope';
      throw formatError(attempt, response, what);
    }
    // A schema describes what is taken out of the envelope `data`, or otherwise the body.
    const described = isRecord(body) && body.data === data ? data : body;
    if (schema) await compare(attempt, response, hooks, schema, described);
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
  more: { readonly issues?: readonly Issue[]; readonly cause?: unknown } = {},
): ResponseFormatError {
  const { operation, method } = call.request;
  const type = headers.get('content-type') ?? 'no content type';
  return new ResponseFormatError(`${operation} returned ${status}, but the body ${what}; ${type}`, {
    effect: effectOfUnreadable(method),
    ...more,
  });
}

const toIssues = (issues: readonly StandardIssue[]): Issue[] =>
  issues.map(({ path, message }) => ({ path: pathText(path) || 'body', message }));

/** What a schema says; an output that is a promise is waited for here, where the wait can end. */
const judge = async (schema: StandardSchema, value: unknown): Promise<StandardResult<unknown>> => {
  const verdict = await schema['~standard'].validate(value);
  return verdict.issues === undefined ? { value: await verdict.value } : verdict;
};

/** The schema's output. A value that does not fit is an error; so is a schema that throws, since it says nothing. */
async function schemaOutput(
  attempt: Attempt,
  response: ResponseHead,
  schema: StandardSchema,
  value: unknown,
  onIssues?: (issues: readonly Issue[]) => void,
): Promise<unknown> {
  const { call } = attempt;
  let issues: readonly Issue[];
  try {
    // While a schema takes its time: what was asked for may have been done.
    call.isInFlight = effectOfUnreadable(call.request.method) === 'unknown';
    const verdict = await call.wait(judge(schema, value), {
      doing: 'checking the response',
      timeoutMs: call.timeoutMs,
      onTimeout: () => new Error(`no verdict within ${call.timeoutMs} ms`),
    });
    if (verdict.issues === undefined) return verdict.value;
    issues = toIssues(verdict.issues);
  } catch (cause) {
    if (cause instanceof EmailPlatformError) throw cause;
    throw formatError(attempt, response, 'could not be checked, because its schema failed', { cause });
  } finally {
    call.isInFlight = false;
  }
  onIssues?.(issues);
  throw formatError(attempt, response, `does not match the schema: ${summaryOf(issues)}`, { issues });
}

/** Compares a response with what is documented. Where a mismatch is only reported, the result does not wait for it. */
async function compare(
  attempt: Attempt,
  response: ResponseHead,
  { onMismatch }: Hooks,
  schema: StandardSchema,
  value: unknown,
): Promise<void> {
  const report = (issues: readonly Issue[]) => emit(onMismatch, () => ({ ...attempt.event(), issues }));
  if (attempt.call.config.validateResponses === 'throw') {
    await schemaOutput(attempt, response, schema, value, report);
    return;
  }
  judge(schema, value)
    .then(({ issues }) => issues && report(toIssues(issues)))
    .catch(() => undefined);
}
