import * as z from 'zod/mini';
import type { Issue } from '../core/errors.ts';
import { issuesAt, wholeRule, type Rule } from '../core/rules.ts';
import { pathText, type StandardSchema } from '../core/standard-schema.ts';

/** Builds a schema when it is first used, so that importing the package builds none. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/**
 * A zod schema that checks a value by one of our rules ({@link Rule}), which takes the place of zod's formats and
 * ranges: `ruled(oneOf(['rapid', 'gradual']))`. A missing value is refused with `is required`; inside `z.optional` it
 * passes.
 */
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
 * A further check of a zod schema, such as one that compares two fields: `schema.check(rule(holds, message))`. It runs
 * only when the schema, and the checks before it, found nothing wrong. `path` leads to the field that the message is
 * about, where that is not the whole value.
 */
export const rule = <T>(holds: (value: T) => boolean, message: string, path: string[] = []) =>
  z.check<T>(({ value, issues }) => {
    if (!holds(value)) issues.push({ code: 'custom', message, input: value, path: [...path] });
  });

export const whole = () => ruled<number>(wholeRule);

const TYPE_NAMES: Readonly<Record<string, string>> = {
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

/** The message for an issue. zod's own messages are locale files, which would have to be bundled. */
function ruleOf(issue: z.core.$ZodIssue): string {
  // From one of our rules.
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
 * Everything that is wrong with a value according to a schema, by field and rule; no message contains the value itself.
 * `prefix` is the name of the value, where it is an argument by itself.
 */
export function issuesOf(schema: z.ZodMiniType, value: unknown, prefix = ''): Issue[] {
  const result = z.safeParse(schema, value, { reportInput: true });
  return result.success ? [] : result.error.issues.flatMap((issue) => toIssues(issue, prefix));
}

/** The documented shape of a response, for the `onMismatch` hook; its messages are those of the input checks. */
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
