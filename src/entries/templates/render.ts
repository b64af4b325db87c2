import { TemplateTooComplex } from '../../handlebars/errors.ts';
import { readMailTemplate, renderMail, type RenderedMail } from '../../handlebars/mail.ts';
import { TemplateError, templateError } from './errors.ts';
import type { TemplateFolder } from './types.ts';
import { readVariables } from './variables.ts';

/**
 * Renders a template, as the service and the emulator do.
 *
 * @throws {@link TemplateError} with file and line for a template that the service could not render
 */
export function renderTemplate(
  template: TemplateFolder,
  variables: Readonly<Record<string, unknown>>,
): RenderedMail {
  // Refuses a template that the service cannot render, but ignores an example that does not fit.
  const { problems } = readVariables({ ...template, example: undefined, optional: [] });
  if (problems.length > 0) throw new TemplateError(problems);
  try {
    return renderMail(readMailTemplate(template, template.language?.others), variables, template.optional);
  } catch (error) {
    if (error instanceof TemplateTooComplex)
      throw templateError(template.path, undefined, 'is too complex', error);
    throw error;
  }
}
