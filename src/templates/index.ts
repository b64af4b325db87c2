/**
 * Templates as files: their variables as types that the compiler checks, and the same emails in tests. Node only.
 *
 * @module email-platform/templates
 */

export { TemplateError, type TemplateProblem } from './errors.ts';
export { readTemplate, readTemplates } from './read.ts';
export type { RenderedMail } from '../handlebars/mail.ts';
export { renderTemplate } from './render.ts';
export type { TemplateFolder } from './types.ts';
export { templateTypes, type TemplateTypesOptions } from './types-file.ts';
