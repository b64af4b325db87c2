import * as z from 'zod/mini';
import type { Issue } from '../core/errors.ts';
import { changesSomething, issuesOf, once, textUpTo } from './check.ts';
import type { TemplateCreateParams, TemplateUpdateParams } from './templates.ts';

const bodies = () => ({
  body_html: z.optional(z.nullable(textUpTo(10_000_000))),
  body_text: z.optional(z.nullable(textUpTo(10_000_000))),
});

const createParams = once((): z.ZodMiniType<TemplateCreateParams> =>
  z.strictObject({ name: textUpTo(255), subject: textUpTo(255), category: textUpTo(255), ...bodies() }),
);

const updateParams = once((): z.ZodMiniType<TemplateUpdateParams> => {
  const text = z.optional(textUpTo(255));
  return z.strictObject({ name: text, subject: text, category: text, ...bodies() }).check(changesSomething());
});

/** What is wrong with the parameters of `templates.create`. */
export const templateCreateIssues = (params: unknown): Issue[] => issuesOf(createParams(), params);
/** What is wrong with the parameters of `templates.update`. */
export const templateUpdateIssues = (params: unknown): Issue[] => issuesOf(updateParams(), params);
