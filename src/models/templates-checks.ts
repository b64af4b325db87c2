import type { Rules } from '../core/rules.ts';
import { bodyRule } from './campaigns-checks.ts';
import { paramsOf, textUpTo, updateOf } from './check.ts';
import type { TemplateCreateParams, TemplateUpdateParams } from './templates.ts';

const templateRules: Rules<TemplateUpdateParams> = {
  name: textUpTo(255),
  subject: textUpTo(255),
  category: textUpTo(255),
  body_html: bodyRule,
  body_text: bodyRule,
};

/** The parameters of `templates.create`. */
export const templateCreateRule = paramsOf<TemplateCreateParams>(templateRules, [
  'name',
  'subject',
  'category',
]);
/** The parameters of `templates.update`. */
export const templateUpdateRule = updateOf(templateRules);
