import { effectOfUnreadable } from '../core/effect.ts';
import { ResponseFormatError, summaryOf, type Issue } from '../core/errors.ts';
import { isNestedTooDeeply, MAX_JSON_DEPTH, parseJson } from '../core/json.ts';
import { isRecord } from '../core/record.ts';
import { pathText, type StandardSchema } from '../core/standard-schema.ts';
import { emit } from './hooks.ts';
import { compressionOf } from './compression.ts';
import { MAX_RESULT_BYTES } from './read-text.ts';
import { contentType, responseError } from './response-error.ts';
import type { Attempt } from './attempt.ts';
import type { ResponseHead, Stage } from './stage.ts';

/** Turns a response into the result, or into the error it stands for. */
export const responseStage: Stage = async (attempt, next) => {
  const answer = await next(attempt);
  const { response, text } = answer;
  const { status } = response;
  const { request, config } = attempt.call;
  const { result } = request;
  const wrong = (what: string) => formatError(attempt, response, what);
  const body = result.kind === 'body' ? undefined : parseJson(text);
  // A secret that was just created is as secret as the token, and an error or a schema may quote the response.
  if (request.secrets) {
    attempt.secrets = secretsIn(body, request.secrets);
    // What was just created is kept: later errors may quote it. A list may have any number, which are known again when it is read.
    if (request.method !== 'GET') for (const secret of attempt.secrets) config.tokens.add(secret);
  }
  if (status < 200 || status > 299) throw await responseError(attempt, response, text);
  const isEmpty = status === 204 || (text === '' && !isPage(response));
  if (result.kind === 'none') {
    if (!isEmpty && !isConfirmation(body)) throw await wrong(UNCONFIRMED);
    return { response, data: result.value };
  }
  if (result.kind === 'json' && result.whenEmpty !== undefined && isEmpty)
    return { response, data: result.whenEmpty };
  const isFile = result.kind === 'body';
  const compression = isFile ? compressionOf(config, response) : undefined;
  if (compression) throw await wrong(`is compressed (${compression}) although that was declined: ${CUT}`);
  if (text === undefined && answer.data === undefined)
    throw await wrong(
      `is larger than ${MAX_RESULT_BYTES} bytes${isFile ? ": read it with `as: 'stream'`" : ''}`,
    );
  if (isFile) return { data: text, ...answer };
  if (result.kind === 'any') {
    if (body === undefined && text !== '') throw await wrong(notJson(text));
    const { checkedBy } = result;
    return { response, data: checkedBy ? await outputOf(attempt, response, checkedBy, body, true) : body };
  }
  const refusal = result.refusal?.(body);
  if (refusal) throw await responseError(attempt, response, text, refusal);
  const data = result.unwrap(body);
  if (data === undefined) throw await wrong(body === undefined ? notJson(text) : 'is not the documented one');
  const schema = request.schema && config.schemas?.[request.schema];
  if (schema && body !== undefined) {
    // It describes what is taken out of an envelope such as `data`, or otherwise the body.
    const described = isRecord(body) && Object.values(body).includes(data) ? data : body;
    const isAwaited = config.validateResponses === 'throw';
    const checked = outputOf(attempt, response, schema, described, isAwaited);
    checked.catch((error: unknown) => {
      const { issues = [] } = error as Partial<ResponseFormatError>;
      if (issues.length > 0) emit(config.hooks.onMismatch, () => ({ ...attempt.event(), issues }));
    });
    if (isAwaited) await checked;
  }
  return { response, data };
};

/** Whether a value may be the secret that its field is said to have. What is longer, or no such text, is none. */
const isSecret = (value: unknown): value is string =>
  typeof value === 'string' && /^[!-~]{8,999}$/.test(value);

/** The values of the fields with these names, wherever they are in a body. */
function secretsIn(body: unknown, names: readonly string[]): string[] {
  const secrets: string[] = [];
  const left = [body];
  // Not by recursion: a body may be nested deeply.
  for (const value of left) {
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, field] of Object.entries(value)) {
      if (names.includes(name) && isSecret(field)) secrets.push(field);
      else left.push(field);
    }
  }
  return secrets;
}

const notJson = (text = '') =>
  isNestedTooDeeply(text)
    ? `is nested more than ${MAX_JSON_DEPTH} levels deep`
    : `is not JSON (${text.length} characters)`;

/** What a proxy or a captive portal would send, which has nothing to do with the service. */
const isPage = ({ headers }: ResponseHead) => /^\s*text\/html/i.test(contentType(headers));

const saysNothing = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** Whether JSON says nothing to the contrary of the 2xx that it came with. */
const isConfirmation = (body: unknown): boolean => {
  if (!isRecord(body)) return body !== undefined;
  return saysNothing(body.error) && saysNothing(body.errors) && body.success !== false;
};

/** Where there is no result: what is wrong with anything else. */
const UNCONFIRMED = 'is no confirmation: that is a 204, an empty body, or JSON without an error';

/** Why a compressed file is refused. */
const CUT = 'nobody can tell whether it is whole';

async function formatError(
  attempt: Attempt,
  { status, headers }: ResponseHead,
  what: string,
  more: { readonly issues?: readonly Issue[]; readonly cause?: unknown } = {},
): Promise<ResponseFormatError> {
  const { operation, method } = attempt.call.request;
  const type = (await attempt.redaction()).text(contentType(headers));
  return new ResponseFormatError(`${operation} returned ${status}, but the body ${what}; ${type}`, {
    effect: effectOfUnreadable(method),
    ...more,
  });
}

/**
 * The schema's output. A value that does not fit is an error; so is a schema that throws, since it says nothing. The call
 * ends while it waits for it, unless the result does not depend on it.
 */
async function outputOf(
  attempt: Attempt,
  response: ResponseHead,
  schema: StandardSchema,
  value: unknown,
  isAwaited: boolean,
): Promise<unknown> {
  const { call } = attempt;
  const judge = async () => {
    const verdict = await schema['~standard'].validate(value);
    const { issues } = verdict;
    // An output that is a promise is waited for here, where the wait can end.
    return issues ? { issues } : { output: await verdict.value };
  };
  let error: Promise<ResponseFormatError>;
  try {
    // While a schema takes its time: what was asked for may have been done.
    if (isAwaited) call.isInFlight = effectOfUnreadable(call.request.method) === 'unknown';
    const verdict = await (isAwaited ? call.wait(judge(), 'checking the response', call.timeoutMs) : judge());
    if ('output' in verdict) return verdict.output;
    // What a schema says about a response may quote it.
    const said = verdict.issues.map(({ path, message }) => ({ path: pathText(path) || 'body', message }));
    const issues = (await attempt.redaction()).value(said) as Issue[];
    error = formatError(attempt, response, `does not match the schema: ${summaryOf(issues)}`, { issues });
  } catch (failure) {
    call.check();
    const cause = (await attempt.redaction()).error(failure);
    error = formatError(attempt, response, 'could not be checked, because its schema failed', { cause });
  }
  throw await error;
}
