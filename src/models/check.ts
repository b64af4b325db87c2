import * as z from 'zod/mini';
import type { Issue } from '../core/errors.ts';
import { pathText, type StandardSchema } from '../core/standard-schema.ts';

/** Builds a schema at its first use: importing the package builds none. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

const ID_RULE = 'must be a positive whole number';

/** Object ids: positive, and small enough to be exact in JavaScript. */
export const idNumber = () => z.int().check(z.positive({ error: ID_RULE }));

/** Text of at most so many Unicode code points, which is how the service counts. */
export const textUpTo = (max: number) =>
  z.string().check(
    // A string has at most as many code points as code units, so the short ones are not counted at all.
    z.refine((text) => text.length <= max || (text.length <= 2 * max && Array.from(text).length <= max), {
      error: `must be at most ${max} characters`,
    }),
  );

/** Whether a text is a calendar day; those sort as texts. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

/** A calendar day. */
export const day = () => z.string().check(z.refine(isDay, { error: 'must be a day as YYYY-MM-DD' }));

const TYPE_NAMES: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

/** The rule an issue broke, in words of ours; zod's own texts are locale files that would have to be bundled. */
function ruleOf(issue: z.core.$ZodIssue): string {
  // A rule that was given its own words.
  if (issue.message !== 'Invalid input') return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is required'
        : `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'too_small':
      return issue.origin === 'array' || issue.origin === 'string'
        ? `must have at least ${Number(issue.minimum)} ${issue.origin === 'array' ? 'items' : 'characters'}`
        : `must be ${issue.inclusive ? 'at least' : 'more than'} ${Number(issue.minimum)}`;
    case 'too_big':
      return issue.origin === 'array' || issue.origin === 'string'
        ? `must have at most ${Number(issue.maximum)} ${issue.origin === 'array' ? 'items' : 'characters'}`
        : `must be at most ${Number(issue.maximum)}`;
    case 'invalid_format':
      return `must be a valid ${issue.format.toUpperCase()}`;
    default:
      return issue.message;
  }
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

/** What is wrong with an id that is a UUID. */
export const uuidIssues = (path: string, value: unknown): Issue[] =>
  typeof value === 'string' && UUID.test(value) ? [] : [{ path, message: 'must be a UUID' }];

/** What is wrong with an object's id. */
export const idIssues = (id: unknown): Issue[] =>
  typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? [] : [{ path: 'id', message: ID_RULE }];
