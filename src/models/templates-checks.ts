import { nullable, type Rules } from '../core/rules.ts';
import type { Issue } from '../core/errors.ts';
import { paramIssues, paramsOf, textUpTo, updateOf } from './check.ts';
import type { TemplateCreateParams, TemplateUpdateParams } from './templates.ts';

const templateRules: Rules<TemplateUpdateParams> = {
  name: textUpTo(255),
  subject: textUpTo(255),
  category: textUpTo(255),
  body_html: nullable(textUpTo(10_000_000)),
  body_text: nullable(textUpTo(10_000_000)),
};

const templateCreateRule = paramsOf<TemplateCreateParams>(templateRules, ['name', 'subject', 'category']);
const templateUpdateRule = updateOf(templateRules);

/** What is wrong with the parameters of `templates.create`. */
export const templateCreateIssues = (params: unknown): Issue[] => paramIssues(templateCreateRule, params);
/** What is wrong with the parameters of `templates.update`. */
export const templateUpdateIssues = (params: unknown): Issue[] => paramIssues(templateUpdateRule, params);
