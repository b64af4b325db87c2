import * as z from 'zod';

/** The issues of a part of a value: for a schema that checks the part itself, so that each issue names its field. */
export const issuesIn = (schema: z.ZodType, part: unknown, path: readonly PropertyKey[] = []) =>
  (schema.safeParse(part).error?.issues ?? []).map((issue) => ({
    code: 'custom' as const,
    message: issue.message,
    path: [...path, ...issue.path],
    input: part,
  }));

/**
 * An object with the caller's keys and values of one schema: an issue has `*` in place of the key, so that it quotes
 * none.
 */
export const keyed = <Value>(schema: z.ZodType<Value>): z.ZodType<Record<string, Value>> =>
  (z.record(z.string(), z.unknown()) as z.ZodType<Record<string, Value>>).check(({ value, issues }) => {
    for (const item of Object.values(value)) issues.push(...issuesIn(schema, item, ['*']));
  });
