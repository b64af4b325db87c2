import * as z from 'zod/mini';
import type { Issue } from '../core/errors.ts';
import { issuesAt, mustBe, positiveRule, wholeRule, type Rule } from '../core/rules.ts';
import { pathText, type StandardSchema } from '../core/standard-schema.ts';

/** Builds a schema at its first use: importing the package builds none. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

// Of zod, only its structural schemas are used. Its formats, ranges, records and enums would add a third to what is
// bundled, and say what is wrong in words that had to be replaced; rules say it in ours.

/** A value under a rule. A schema that is optional does not ask it of what is not there. */
export const ruled = <T>(rule: Rule): z.ZodMiniType<T> =>
  (z.unknown() as z.ZodMiniType<T>).check(
    z.check(({ value, issues }) => {
      const found = value === undefined ? 'is required' : rule(value);
      for (const { path, message } of issuesAt('', found)) {
        issues.push({ code: 'custom', message, input: value, path: path === '' ? [] : [path.slice(1)] });
      }
    }),
  );

/**
 * What has to hold of a structure besides, and the words in which it is told when it does not; `path` leads to what is
 * wrong inside it. No further rule of that structure is looked at then.
 */
export const rule = <T>(holds: (value: T) => boolean, message: string, path: string[] = []) =>
  z.check<T>(({ value, issues }) => {
    if (!holds(value)) issues.push({ code: 'custom', message, input: value, path: [...path] });
  });

/** A whole number, small enough to be exact in JavaScript. */
export const whole = () => ruled<number>(wholeRule);

/** Object ids. */
export const idNumber = () => ruled<number>(positiveRule);

/** Text of at most so many Unicode code points, which is how the service counts. */
export const textUpTo = (max: number) =>
  z.string().check(
    // A string has at most as many code points as code units, so the short ones are not counted at all.
    rule(
      (text) => text.length <= max || (text.length <= 2 * max && Array.from(text).length <= max),
      `must be at most ${max} characters`,
    ),
  );

/** Whether a text is a calendar day. The 30th of February would be read as the 2nd of March. */
function isDay(text: unknown): boolean {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** A calendar day; those sort as texts. */
export const day = () => ruled<string>(mustBe('a day as YYYY-MM-DD', isDay));

/** An update that changes nothing: the service answers it with an empty 400. */
export const changesSomething = () =>
  rule<object>(
    (params) => Object.values(params).some((value) => value !== undefined),
    'must change something',
  );

const TYPE_NAMES: Readonly<Record<string, string>> = {
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

/** The rule an issue broke, in words of ours; zod's own texts are locale files that would have to be bundled. */
function ruleOf(issue: z.core.$ZodIssue): string {
  // A rule that was given its own words.
  if (issue.message !== 'Invalid input') return issue.message;
  if (issue.code !== 'invalid_type') return issue.message;
  return issue.input === undefined
    ? 'is required'
    : `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
}

function toIssues(issue: z.core.$ZodIssue, prefix: string): Issue[] {
  const path = pathText([...(prefix === '' ? [] : [prefix]), ...issue.path]);
  if (issue.code !== 'unrecognized_keys') return [{ path: path || 'params', message: ruleOf(issue) }];
  return issue.keys.map((key) => ({
    path: path === '' ? key : `${path}.${key}`,
    message: 'is not a known field',
  }));
}

/**
 * Everything a value breaks of a schema, named by field and rule and without repeating the value.
 * `prefix` is what the caller calls the value, when it is an argument of its own.
 */
export function issuesOf(schema: z.ZodMiniType, value: unknown, prefix = ''): Issue[] {
  const result = z.safeParse(schema, value, { reportInput: true });
  return result.success ? [] : result.error.issues.flatMap((issue) => toIssues(issue, prefix));
}

/** What an answer should look like, for those who listen for mismatches; speaks in our words, as input checks do. */
export const answerSchema = (make: () => z.ZodMiniType): (() => StandardSchema) => {
  const schema = once(make);
  return once(() => ({
    '~standard': {
      version: 1,
      vendor: 'email-platform',
      validate: (value) => {
        const issues = issuesOf(schema(), value);
        return issues.length === 0
          ? { value }
          : { issues: issues.map(({ path, message }) => ({ path: [path], message })) };
      },
    },
  }));
};

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const uuidRule = mustBe('a UUID', (value) => typeof value === 'string' && UUID.test(value));

/** A UUID. */
export const uuid = () => ruled<string>(uuidRule);

/** What is wrong with an id that is a UUID. */
export const uuidIssues = (path: string, value: unknown): Issue[] => issuesAt(path, uuidRule(value));

/** What is wrong with an object's id. */
export const idIssues = (id: unknown): Issue[] => issuesAt('id', positiveRule(id));
