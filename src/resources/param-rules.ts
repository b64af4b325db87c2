import { late } from '../core/late.ts';
import type { Issue } from '../core/errors.ts';
import type { Hints } from '../core/other-names.ts';
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
} from '../core/rules.ts';
import { isRecord } from '../core/record.ts';
import type { NumberedPageParams } from './numbered-page.ts';

/** What selects a page of a list of numbered pages. */
export const pageRules = late((): Rules<NumberedPageParams> => ({
  token: positiveRule,
  per_page: wholeFrom(1, 100),
}));

/** Parameters that are only a name. */
export const nameRule = late(() => objectOf<{ name: string }>({ name: stringRule }, ['name']));

/**
 * Everything that is wrong with a method's parameters, by field and rule; no message contains a value. `name` is what
 * the caller knows them by, where they are one argument among others, and `whole` is what is said of all of them.
 */
export function paramIssues(rule: Rule, params: unknown, name = '', whole = 'params'): Issue[] {
  return issuesIn(name, () => required(rule)(params)).map(({ path, message }) => ({
    path: path.replace(/^\./, '') || whole,
    message,
  }));
}

/** Text, true or false, or a number that JSON has. */
export const isScalar = (value: unknown): boolean =>
  /^(string|boolean)$/.test(typeof value) || Number.isFinite(value);

/** A list of one item or more: an empty one is not sent, and a filter that is not there matches everything. */
export const someOf = (rule: Rule): Rule =>
  allOf(arrayOf(rule), (list) =>
    (list as readonly unknown[]).length === 0 ? 'must not be an empty list' : undefined,
  );

/** Text of at most `max` characters, counted as Unicode code points, as the service does. */
export const textUpTo = (max: number): Rule => {
  const shortRule = mustBe(`at most ${max} characters`, (value) => {
    const text = value as string;
    // A string never has more code points than code units, so a short one need not be counted.
    return text.length <= max || (text.length <= 2 * max && Array.from(text).length <= max);
  });
  return (value) => stringRule(value) ?? shortRule(value);
};

/** A calendar day. `Date` alone would read February 30 as March 2. */
export const dayRule = mustBe(
  'a day as YYYY-MM-DD',
  (text) => new Date(text as string).toISOString().slice(0, 10) === text,
);

/** That one time is not before another, where both are times. */
export const inOrder =
  (first: string, last: string, timeOf: (value: string) => number): Rule =>
  (params) => {
    const { [first]: start = '', [last]: end = '' } = params as Record<string, string>;
    return timeOf(end) < timeOf(start)
      ? [{ path: `.${last}`, message: `must not be before ${first}` }]
      : undefined;
  };

/** An update: parameters all of which are optional. One that changes nothing gets an empty 400 from the service. */
export const updateOf = <Params>(rules: Rules<Params>, hints?: Hints): ObjectRule<Params> =>
  allOf(objectOf(rules, [], 'an object', hints), (params) =>
    isRecord(params) && Object.keys(rules).every((name) => params[name] === undefined)
      ? 'must change something'
      : undefined,
  );
