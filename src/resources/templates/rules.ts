import { late } from '../../kit/late.ts';
import { objectOf } from '../../core/rules.ts';
import type { Rules } from '../../core/rules.ts';
import { BODIES, bodyRule } from '../campaigns/rules.ts';
import { textUpTo, updateOf } from '../base/param-rules.ts';
import type { TemplateCreateParams, TemplateUpdateParams } from './types.ts';

const templateRules = late((): Rules<TemplateUpdateParams> => ({
  name: textUpTo(255),
  subject: textUpTo(255),
  category: textUpTo(255),
  body_html: bodyRule(),
  body_text: bodyRule(),
}));

/** The parameters of `templates.create`. */
export const templateCreateRule = late(() =>
  objectOf<TemplateCreateParams>(templateRules(), ['name', 'subject', 'category'], undefined, BODIES),
);
/** The parameters of `templates.update`. */
export const templateUpdateRule = late(() => updateOf(templateRules(), BODIES));
