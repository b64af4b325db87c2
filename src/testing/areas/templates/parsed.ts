import { readMailTemplate, type MailTemplate } from '../../../handlebars/mail.ts';
import type { TemplateFields } from './store.ts';

/** Parses templates, each once until it is changed: the emails of a batch often have the same. */
export function templateParser(): (fields: TemplateFields) => MailTemplate {
  const known = new WeakMap<TemplateFields, MailTemplate>();
  return (fields) => {
    const before = known.get(fields);
    if (before !== undefined) return before;
    const { subject, bodyHtml: html, bodyText: text } = fields;
    const parsed = readMailTemplate({ subject, html, text });
    known.set(fields, parsed);
    return parsed;
  };
}
