/** Decodes a response: the result of its call by the endpoint's decoder, or its error. */
import type { Decoder, Needed } from '../core/decoder.ts';
import { effectOfUnreadable } from '../core/effect.ts';
import type { Effect } from '../core/error-base.ts';
import { printable, tokenAdvice } from '../core/error-text.ts';
import { ResponseFormatError, summaryOf, type Issue } from '../core/errors.ts';
import { isNestedTooDeeply, MAX_JSON_DEPTH, parseJson } from '../core/json.ts';
import { fieldOf, isRecord } from '../core/record.ts';
import { pathText, type StandardSchema } from '../core/standard-schema.ts';
import type { Attempt } from './attempt.ts';
import { responseError } from './errors.ts';
import { emit } from './hooks.ts';
import { contentType, MAX_RESULT_BYTES, type Answer, type Outcome, type ResponseHead } from './response.ts';
import { secretsIn, valuesOf } from './response-secrets.ts';

/** Returns the result of a response; throws for a refusal, a failure, or an undocumented response. */
export async function decode(attempt: Attempt, { response, body }: Answer): Promise<Outcome> {
  const { status } = response;
  const { request, call } = attempt;
  call.answered(status);
  const { config } = call;
  const { decoder } = request;
  const wrong = (what: string) => formatError(attempt, response, what);
  const text = typeof body === 'string' ? body : undefined;
  const json = decoder.kind === 'body' ? undefined : parseJson(text);
  // An error or a schema may quote the response.
  attempt.hasSecrets(secretsOf(json, decoder));
  // Later errors may quote a new secret, so it is kept. A list may have any number of secrets; they are collected when
  // it is read.
  if (request.method !== 'GET')
    for (const secret of valuesOf(json, decoder.secrets)) if (isToken(secret)) call.learned(secret);
  if (status < 200 || status > 299) throw await errorOf(attempt, response, text);
  const isEmpty = status === 204 || (text === '' && !isPage(response));
  if (decoder.kind === 'nothing') {
    if (!isEmpty && !isConfirmation(json)) throw await wrong(UNCONFIRMED);
    return { response, result: undefined };
  }
  if (decoder.whenEmpty !== undefined && isEmpty) return { response, result: decoder.whenEmpty };
  const isFile = decoder.kind === 'body';
  const compression = isFile ? config.runtimeFetch.riskyEncoding(response) : undefined;
  if (compression) throw await wrong(`is compressed (${compression}) although that was declined: ${CUT}`);
  if (body === undefined)
    throw await wrong(
      `is larger than ${MAX_RESULT_BYTES} bytes${isFile ? ": read it with `as: 'stream'`" : ''}`,
    );
  if (isFile) return { response, result: body };
  if (decoder.kind === 'any') {
    if (json === undefined && text !== '') throw await wrong(notJson(text));
    const { checkedBy } = decoder;
    return { response, result: checkedBy ? await outputOf(attempt, response, checkedBy, json, true) : json };
  }
  const refusal = decoder.refusal?.(json);
  if (refusal) throw await errorOf(attempt, response, text, refusal);
  const result = resultOf(decoder, json);
  if (result === undefined)
    throw await wrong(json === undefined ? notJson(text) : 'is not the documented one');
  // Checks only: the result stays the service's. `onMismatch` gets each mismatch; 'throw' also fails the call.
  const schema = decoder.schema && config.schemas?.[decoder.schema];
  if (schema && json !== undefined) {
    // A schema describes the value in an envelope such as `data`; without an envelope, the body.
    const described = isRecord(json) && Object.values(json).includes(result) ? result : json;
    const isAwaited = config.validateResponses === 'throw';
    const checked = outputOf(attempt, response, schema, described, isAwaited);
    checked.catch((error: unknown) => {
      const { issues = [] } = error as Partial<ResponseFormatError>;
      if (issues.length > 0) emit(config.hooks.onMismatch, () => ({ ...attempt.event(), issues }));
    });
    if (isAwaited) await checked;
  }
  return { response, result };
}

/** The error of a response, without secrets. */
async function errorOf(
  attempt: Attempt,
  response: ResponseHead,
  text: string | undefined,
  ...effect: readonly [Effect?]
) {
  const { wallNow } = attempt.call.config.runtime;
  const redaction = await attempt.redaction();
  const reading = { redaction, wallNow, tokenAdvice: tokenAdvice(attempt.token) };
  return responseError(attempt.request, reading, response, text, ...effect);
}

/** Separate function, so that an async function that is kept does not retain the response with its closures. */
const secretsOf = (json: unknown, decoder: Decoder<unknown>) => () => secretsIn(json, decoder);

const isWhole = (value: Record<string, unknown>, needs: Needed = {}) =>
  Object.entries(needs).every(([name, type]) => {
    const field = fieldOf(value, name);
    return type === 'object' ? isRecord(field) : typeof field === type;
  });

/** Adds the package's names for fields of an object. */
function rename(value: unknown, names: Readonly<Record<string, string>>): void {
  if (!isRecord(value)) return;
  for (const [name, other] of Object.entries(names)) {
    const given = fieldOf(value, other);
    if (given !== undefined) value[name] = fieldOf(value, name) ?? given;
  }
}

/** The result in the JSON of a 2xx; undefined if the JSON is not the documented one. */
function resultOf(decoder: Decoder<unknown>, json: unknown): unknown {
  const { kind, field, needs, alsoNamed, read } = decoder;
  if (kind === 'mail') return read?.(json);
  const found = field === undefined ? json : fieldOf(json, field);
  if (kind === 'removed') return isRecord(found) ? found : undefined;
  if (kind === 'object') {
    if (!isRecord(found) || !isWhole(found, needs)) return undefined;
    if (alsoNamed) rename(found, alsoNamed);
    return found;
  }
  if (!Array.isArray(found)) return undefined;
  if (alsoNamed) for (const item of found) rename(item, alsoNamed);
  if (kind === 'array') return found;
  if (needs && !(isRecord(json) && isWhole(json, needs))) return undefined;
  return { ...(isRecord(json) && json), items: found as unknown[] };
}

/** Whether a text has the length and characters of a token. */
const isToken = (text: string): boolean => /^[!-~]{8,999}$/.test(text);

const notJson = (text = '') =>
  isNestedTooDeeply(text)
    ? `is nested more than ${MAX_JSON_DEPTH} levels deep`
    : `is not JSON (${text.length} characters)`;

/** An HTML page comes from a proxy or a captive portal; the service sends none. */
const isPage = ({ headers }: ResponseHead) => /^\s*text\/html/i.test(contentType(headers));

const saysNothing = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** Whether the JSON of a 2xx reports success. */
const isConfirmation = (body: unknown): boolean => {
  if (!isRecord(body)) return body !== undefined;
  return (
    ['error', 'errors'].every((name) => saysNothing(fieldOf(body, name))) &&
    fieldOf(body, 'success') !== false
  );
};

/** Why a body is refused where no result is expected. */
const UNCONFIRMED = 'does not confirm the request: a 204, an empty body, or JSON without an error would';

/** Why a compressed file is refused. */
const CUT = 'it may be incomplete';

async function formatError(
  attempt: Attempt,
  { status, headers }: ResponseHead,
  what: string,
  more: { readonly issues?: readonly Issue[]; readonly cause?: unknown } = {},
): Promise<ResponseFormatError> {
  const { operation, method } = attempt.request;
  const type = (await attempt.redaction()).text(contentType(headers));
  const message = printable(`${operation} returned ${status}, but the body ${what}; ${type}`);
  return new ResponseFormatError(message, {
    effect: effectOfUnreadable(method),
    ...more,
  });
}

/**
 * The schema's output. Throws if the value does not match or the schema itself fails. If the result depends on the
 * output, the call's timeout and signal end the wait.
 */
async function outputOf(
  attempt: Attempt,
  response: ResponseHead,
  schema: StandardSchema,
  value: unknown,
  isAwaited: boolean,
): Promise<unknown> {
  // Kept here: a check that is not awaited may end after the attempt has released its response.
  const { call, secrets } = attempt;
  const judge = async () => {
    const verdict = await schema['~standard'].validate(value);
    const { issues } = verdict;
    // The output may be a promise. Awaited here, where the call can end the wait.
    return issues ? { issues } : { output: await verdict.value };
  };
  let error: Promise<ResponseFormatError>;
  try {
    // If the call ends during the check, the service may have acted on the request.
    if (isAwaited && effectOfUnreadable(attempt.request.method) === 'unknown') call.reading();
    const verdict = await (isAwaited
      ? call.wait(judge(), 'checking the response', attempt.request.timeoutMs)
      : judge());
    if ('output' in verdict) return verdict.output;
    // A schema's messages may quote the response.
    const redaction = await attempt.redaction(secrets);
    const issues = verdict.issues.map(({ path, message }) => ({
      path: pathText(path, (name) => redaction.text(name)) || 'body',
      message: redaction.value(message) as string,
    }));
    error = formatError(attempt, response, `does not match the schema: ${summaryOf(issues)}`, { issues });
  } catch (failure) {
    call.check();
    const cause = (await attempt.redaction(secrets)).error(failure);
    error = formatError(attempt, response, 'could not be checked, because its schema failed', { cause });
  }
  throw await error;
}
