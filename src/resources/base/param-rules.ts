import { isLonger } from '../../kit/is-longer.ts';
import { late } from '../../kit/late.ts';
import type { Issue } from '../../core/errors.ts';
import type { Hints } from '../../core/other-names.ts';
import {
  allOf,
  arrayOf,
  issuesIn,
  mustBe,
  objectOf,
  positiveRule,
  required,
  stringRule,
  wholeFrom,
  type ObjectRule,
  type Rule,
  type Rules,
} from '../../core/rules.ts';
import { isRecord } from '../../core/record.ts';
import type { NumberedPageParams } from './numbered-page.ts';

/** The parameters that select a page of a list of numbered pages. */
export const pageRules = late((): Rules<NumberedPageParams> => ({
  token: positiveRule,
  per_page: wholeFrom(1, 100),
}));

/** The parameters of a list, all optional. */
export const listOf = <Params>(rules: Rules<Params>, hints?: Hints): ObjectRule<Params> =>
  objectOf(rules, [], 'an object', {
    limit: 'it is an option of `toArray`: `.toArray({ limit })`',
    ...hints,
  });

/** Parameters that are only a name. */
export const nameRule = late(() => objectOf<{ name: string }>({ name: stringRule }, ['name']));

/**
 * All issues of a method's parameters, by field and rule; no message contains a value. `name` is the name of the
 * argument, if the method has several; `whole` is the path of an issue of the whole argument.
 */
export function paramIssues(rule: Rule, params: unknown, name = '', whole = 'params'): Issue[] {
  return issuesIn(name, () => required(rule)(params)).map(({ path, message }) => ({
    path: path.replace(/^\./, '') || whole,
    message,
  }));
}

/** Whether a value is text, a boolean, or a number that JSON can represent. */
export const isScalar = (value: unknown): boolean =>
  /^(string|boolean)$/.test(typeof value) || Number.isFinite(value);

/** A list of at least one item: an empty list would not be sent, and an absent filter matches everything. */
export const someOf = (rule: Rule): Rule =>
  allOf(arrayOf(rule), (list) =>
    (list as readonly unknown[]).length === 0 ? 'must not be an empty list' : undefined,
  );

/** Text of at most `max` characters, counted as Unicode code points, as the service does. */
export const textUpTo = (max: number): Rule => {
  const shortRule = mustBe(`at most ${max} characters`, (value) => !isLonger(value as string, max));
  return (value) => stringRule(value) ?? shortRule(value);
};

/** A calendar day. `Date` alone would read February 30 as March 2. */
export const dayRule = mustBe(
  'a day as YYYY-MM-DD',
  (text) => new Date(text as string).toISOString().slice(0, 10) === text,
);

/** The rule that one time is not before another, if both are times. */
export const inOrder =
  (first: string, last: string, timeOf: (value: string) => number): Rule =>
  (params) => {
    const { [first]: start = '', [last]: end = '' } = params as Record<string, string>;
    return timeOf(end) < timeOf(start)
      ? [{ path: `.${last}`, message: `must not be before ${first}` }]
      : undefined;
  };

/** The parameters of an update, all optional. The service answers an empty update with a 400 without a body. */
export const updateOf = <Params>(rules: Rules<Params>, hints?: Hints): ObjectRule<Params> =>
  allOf(objectOf(rules, [], 'an object', hints), (params) =>
    isRecord(params) && Object.keys(rules).every((name) => params[name] === undefined)
      ? 'must change something'
      : undefined,
  );
