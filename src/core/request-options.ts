import { late } from '../kit/late.ts';
import { refuseCall, unreadable, type Issue } from './errors.ts';
import { isolated } from './isolated.ts';
import { CALL_OPTIONS, type Hints } from './other-names.ts';
import { isRecord } from './record.ts';
import {
  anything,
  countRule,
  durationRule,
  issuesIn,
  mustBe,
  objectOf,
  oneOf,
  idRule,
  recordOf,
  type Rule,
  type Rules,
} from './rules.ts';
import type { RequestOptions, RetryOptions } from './request.ts';
import { tried } from './tried.ts';

/**
 * Headers of the client and of the connection: a caller's values would break the request, or send the token to another
 * host.
 */
const OWN_HEADER =
  /^(authorization|api-token|content-(type|length)|host|expect|transfer-encoding|connection|keep-alive|upgrade)$/i;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
/** Excludes the characters that would end a header or cannot be sent in one. */
const HEADER_VALUE = /^[\t -~\x80-\xff]*$/;

const requestHeadersRule = recordOf(
  (value, name) => {
    if (OWN_HEADER.test(name)) return 'is set by the client';
    const isValue = typeof value === 'string' && HEADER_VALUE.test(value);
    return isValue ? undefined : 'must be a string without control characters';
  },
  { pattern: HEADER_NAME, what: 'a header name' },
);

/** The given headers that a request may have besides the client's own, with their names in lower case. */
export function ownHeaders(headers: unknown): Readonly<Record<string, string>> {
  const own = tried(() => Object.entries(Object(headers) as Record<string, string>)) ?? [];
  const allowed = own.filter(
    ([name, value]) => issuesIn('', () => requestHeadersRule({ [name]: value })).length === 0,
  );
  return Object.fromEntries(allowed.map(([name, value]) => [name.toLowerCase(), value]));
}

const retryObject = late(() =>
  objectOf<RetryOptions>(
    { maxRetries: countRule, maxWaitMs: countRule },
    [],
    'false or { maxRetries, maxWaitMs }',
  ),
);

/** Also used for the client's `retry` option. */
export const retryRule: Rule = (retry) => (retry === false ? undefined : retryObject()(retry));

/** Recognized by shape: a signal may come from another realm, or a polyfill. */
const isSignal = (value: unknown) => {
  const { aborted, addEventListener, removeEventListener } = Object(value) as Partial<AbortSignal>;
  return [aborted, addEventListener, removeEventListener].every((member) => member !== undefined);
};

const RULES = late((): Rules<RequestOptions> => ({
  signal: mustBe('an AbortSignal', isSignal),
  timeoutMs: durationRule,
  deadlineMs: durationRule,
  retry: retryRule,
  headers: requestHeadersRule,
  priority: oneOf(['high', 'normal', 'low']),
  accountId: idRule,
  meta: anything,
}));

/** Hints for options of other methods. */
const OTHERS = late((): Hints =>
  Object.fromEntries(
    Object.entries(CALL_OPTIONS).map(([name, { owner }]) => [name, `it is an option of ${owner}`]),
  ),
);

/** A rule for the options of a method with its own options besides the common ones; `hints` are for unknown options. */
export const optionsWith = <Own>(own: Rules<Own>, hints?: Hints): Rule =>
  objectOf({ ...own, ...RULES() }, [], 'an object', { ...OTHERS(), ...hints });

const commonOptions = late(() => optionsWith({}));

/** The options of a call without options. Most calls have none, and skip the check. */
export const NO_OPTIONS: RequestOptions = Object.freeze(isolated({}));

/** The issues of the options of a call. */
export const optionIssues = (options: unknown, rule: Rule = commonOptions()): Issue[] =>
  options === NO_OPTIONS
    ? []
    : issuesIn('options', () =>
        // A signal passed in place of options has no own fields, and would count as empty options.
        isSignal(options) ? 'must be an object: { signal }' : rule(options),
      );

/** An argument of a method with several requests, copied once for all of them, after a check of its arguments. */
export const takenArgument = <Argument>(
  operation: string,
  argument: Argument,
  check: () => readonly Issue[] = () => [],
): Argument =>
  tried(() => {
    refuseCall(operation, check());
    return isRecord(argument) ? isolated<Argument & object>(argument) : argument;
  }, unreadable(operation));

/** The options of a method with several requests: checked with its other arguments, and copied once for all of them. */
export const takenOptions = <Options extends RequestOptions>(
  operation: string,
  options: Options,
  check: () => readonly Issue[],
  rule?: Rule,
): Options => takenArgument(operation, options, () => [...check(), ...optionIssues(options, rule)]);

/**
 * A copy of the options: later changes by the caller have no effect. Header names are in lower case, so that a header
 * replaces the client's own.
 */
export const copyOfOptions = ({ headers, ...others }: RequestOptions): RequestOptions =>
  isolated(headers ? { ...others, headers: Object.fromEntries(new Headers(headers)) } : others);
