import type * as z from 'zod';

/** What is wrong with a part of a value: for a schema that checks the part itself, so that each issue names its field. */
export const issuesIn = (schema: z.ZodType, part: unknown, path: readonly PropertyKey[] = []) =>
  (schema.safeParse(part).error?.issues ?? []).map((issue) => ({
    code: 'custom' as const,
    message: issue.message,
    path: [...path, ...issue.path],
    input: part,
  }));
