/**
 * Templates as files: types of their variables for the compiler, the same emails in tests, and push and pull with the
 * service. Node only.
 *
 * @module email-platform/templates
 */

export {
  checkTemplates,
  type TemplateCheck,
  type TemplateCheckOptions,
  type TemplateFinding,
} from './check.ts';
export type { TemplatesCallOptions, TemplatesClient } from './client.ts';
export { TemplateError, type TemplateProblem } from './errors.ts';
export type { TemplatePart } from './parts.ts';
export {
  planTemplates,
  type TemplateChange,
  type TemplatePartChange,
  type TemplatePlan,
  type TemplatePlanOptions,
  type UnlockedTemplate,
} from './plan.ts';
export { pullTemplates, type TemplatePull, type TemplatePullOptions } from './pull.ts';
export {
  pushTemplates,
  type TemplatePush,
  type TemplatePushOptions,
  type TemplatePushProgress,
} from './push.ts';
export { readTemplate, readTemplates } from './read.ts';
export type { TemplateVariableRename } from './renamed.ts';
export type { RenderedMail } from '../../handlebars/mail.ts';
export { renderTemplate } from './render.ts';
export type { TemplateFolder } from './types.ts';
export {
  templateTypes,
  typesOfFolder,
  type FolderTypes,
  type FolderTypesOptions,
  type TemplateTypesOptions,
} from './types-file.ts';
export {
  watchTemplates,
  type TemplateWatch,
  type TemplateWatchChange,
  type TemplateWatchOptions,
  type WatchingEmulator,
} from './watch/watch.ts';
