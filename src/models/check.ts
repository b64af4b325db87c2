import type { Issue } from '../core/errors.ts';
import {
  allOf,
  inspect,
  issuesAt,
  mustBe,
  objectOf,
  required,
  stringRule,
  type Rule,
  type Rules,
} from '../core/rules.ts';
import { isRecord } from '../core/record.ts';

/** What is said of a field that a method does not have. */
export const UNKNOWN_FIELD = 'is not a known field';

/** A set of parameters, or an object in one: with these fields and no others, the `needed` ones among them. */
export const paramsOf = <Params>(
  rules: Rules<Params>,
  needed: readonly (keyof Params)[] = [],
  what = 'an object',
): Rule => {
  const whenMissing = Object.fromEntries(needed.map((name) => [name, required(rules[name])]));
  return objectOf<Params>({ ...rules, ...whenMissing }, needed, { what, unknown: UNKNOWN_FIELD });
};

/**
 * Everything that is wrong with a method's parameters, by field and rule; no message contains a value. `name` is what
 * the caller knows them by, where they are one argument among others.
 */
export function paramIssues(rule: Rule, params: unknown, name = ''): Issue[] {
  const found = inspect(required(rule), () => params);
  return issuesAt(name, found).map(({ path, message }) => ({
    path: path.replace(/^\./, '') || 'params',
    message,
  }));
}

/** Refuses an empty list: it would not be sent at all, and a filter that is not there matches everything. */
export const notEmptyList: Rule = (list) =>
  Array.isArray(list) && list.length === 0 ? 'must not be an empty list' : undefined;

/** Text of at most `max` characters, counted as Unicode code points, as the service does. */
export const textUpTo = (max: number): Rule => {
  const shortRule = mustBe(`at most ${max} characters`, (value) => {
    const text = value as string;
    // A string never has more code points than code units, so a short one need not be counted.
    return text.length <= max || (text.length <= 2 * max && Array.from(text).length <= max);
  });
  return (value) => stringRule(value) ?? shortRule(value);
};

/** Whether a value is a calendar day. `Date` alone would read February 30 as March 2. As strings, days sort by time. */
function isDay(text: unknown): text is string {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

export const dayRule = mustBe('a day as YYYY-MM-DD', isDay);

/** That `end_date` is not before `start_date`, where both are days. */
export const daysInOrder: Rule = (params) => {
  const { start_date, end_date } = Object(params) as { start_date?: unknown; end_date?: unknown };
  return isDay(start_date) && isDay(end_date) && end_date < start_date
    ? [{ path: '.end_date', message: 'must not be before start_date' }]
    : undefined;
};

/** An update: parameters all of which are optional. One that changes nothing gets an empty 400 from the service. */
export const updateOf = <Params>(rules: Rules<Params>): Rule =>
  allOf(paramsOf(rules), (params) =>
    isRecord(params) && Object.keys(rules).every((name) => params[name] === undefined)
      ? 'must change something'
      : undefined,
  );
