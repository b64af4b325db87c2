import { effectOfUnreadable } from '../core/effect.ts';
import { EmailPlatformError } from '../core/error-base.ts';
import { ResponseFormatError, summaryOf, type Issue } from '../core/errors.ts';
import { parseJson } from '../core/json.ts';
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

/** A secret that was just created: it is as secret as the client's token, and an error or a schema may quote the response. */
function createdSecret(body: unknown): string | undefined {
  const { token, data } = Object(body) as Record<string, unknown>;
  const { signing_secret: secret = token } = Object(data) as Record<string, unknown>;
  return typeof secret === 'string' && /^[!-~]{8,999}$/.test(secret) ? secret : undefined;
}

/** Turns a response into the result, or into the error it stands for. */
export function responseStage(hooks: Hooks, wallNow: () => number): Stage {
  return async (attempt, next) => {
    const answer = await next(attempt);
    const { response, text } = answer;
    const { status } = response;
    if (answer.isTooLarge)
      throw await formatError(attempt, response, `is larger than ${MAX_RESULT_BYTES} bytes`);
    const { request, config } = attempt.call;
    const { result } = request;
    const body = result.kind === 'body' ? undefined : parseJson(text);
    const secret = createdSecret(body);
    if (secret !== undefined) config.tokens.add(secret);
    if (status < 200 || status > 299) throw await responseError(attempt, response, text, wallNow);
    if (result.kind === 'body') return { ...answer, data: answer.raw ?? text };
    if (result.kind === 'none') {
      if (status === 204) return { ...answer, data: result.value };
      throw await formatError(attempt, response, 'is not expected: the documented response is a 204');
    }
    if (result.kind === 'any') {
      if (body === undefined && text !== '') throw await formatError(attempt, response, notJson(text));
      const { checkedBy } = result;
      return { ...answer, data: checkedBy ? await schemaOutput(attempt, response, checkedBy, body) : body };
    }
    const effect = result.refusal?.(body);
    if (effect !== undefined) throw await responseError(attempt, response, text, wallNow, effect);
    const data = result.unwrap(body, status);
    if (data === undefined) {
      throw await formatError(
        attempt,
        response,
        body === undefined ? notJson(text) : 'is not the documented one',
      );
    }
    const schema = request.schema && config.schemas?.[request.schema];
    if (schema && body !== undefined) {
      // It describes what is taken out of an envelope such as `data`, or otherwise the body.
      const described = isRecord(body) && Object.values(body).includes(data) ? data : body;
      await compare(attempt, response, hooks, schema, described);
    }
    return { ...answer, data };
  };
}

const notJson = (text = '') => `is not JSON (${text.length} characters)`;

async function formatError(
  attempt: Attempt,
  { status, headers }: ResponseHead,
  what: string,
  more: { readonly issues?: readonly Issue[]; readonly cause?: unknown } = {},
): Promise<ResponseFormatError> {
  const { operation, method } = attempt.call.request;
  const type = (await attempt.redaction()).text(headers.get('content-type') ?? 'no content type');
  return new ResponseFormatError(`${operation} returned ${status}, but the body ${what}; ${type}`, {
    effect: effectOfUnreadable(method),
    ...more,
  });
}

/** What a schema says about a response may quote it. */
async function toIssues(attempt: Attempt, issues: readonly StandardIssue[]): Promise<Issue[]> {
  const redaction = await attempt.redaction();
  return issues.map(({ path, message }) => ({
    path: redaction.text(pathText(path) || 'body'),
    message: redaction.text(message),
  }));
}

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
    issues = await toIssues(attempt, verdict.issues);
  } catch (failure) {
    if (failure instanceof EmailPlatformError) throw failure;
    const cause = (await attempt.redaction()).error(failure);
    throw await formatError(attempt, response, 'could not be checked, because its schema failed', { cause });
  } finally {
    call.isInFlight = false;
  }
  onIssues?.(issues);
  throw await formatError(attempt, response, `does not match the schema: ${summaryOf(issues)}`, { issues });
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
    .then(async ({ issues }) => issues && report(await toIssues(attempt, issues)))
    .catch(() => undefined);
}
