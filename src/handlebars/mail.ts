import { isOptional } from './missing.ts';
import type { Template } from './nodes.ts';
import { parseTemplate } from './parse.ts';
import { renderTemplate } from './render.ts';
import { readInto, Shape } from './shape.ts';
import { unusedIn } from './unused.ts';

/** The parts of an email that a template has, as text. */
export interface MailParts {
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
}

/** The names of the parts. */
export const PARTS = ['subject', 'html', 'text'] as const satisfies readonly (keyof MailParts)[];

/** The template of an email, read: its parts, and what they read of the variables, all together. */
export interface MailTemplate {
  readonly subject: Template;
  readonly html: Template | null;
  readonly text: Template | null;
  readonly variables: Shape;
}

/** An email, rendered from its template. */
export interface RenderedMail {
  /** Its subject. */
  readonly subject: string;
  /** Its HTML; null if the template has none. */
  readonly html: string | null;
  /** Its plain text; null if the template has none. */
  readonly text: string | null;
  /** Variables that were not given, and left a gap: `items[0].price`. At most 100. */
  readonly missing: string[];
  /** Variables that were given, and no part reads: `nmae`. At most 100. */
  readonly unused: string[];
}

/**
 * Reads the template of an email.
 *
 * @throws `TemplateSyntaxError` if a part is not Handlebars, `TemplateTooComplex` if one is nested too deep
 */
export function readMailTemplate(parts: MailParts): MailTemplate {
  const variables = new Shape();
  const read = (part: keyof MailParts, text: string) => {
    const template = parseTemplate(text);
    readInto(variables, part, template);
    return template;
  };
  return {
    subject: read('subject', parts.subject),
    html: parts.html === null ? null : read('html', parts.html),
    text: parts.text === null ? null : read('text', parts.text),
    variables,
  };
}

/** So many missing variables are named. */
const MOST = 100;

/**
 * Renders an email. Its subject is escaped as HTML is, although no mail program reads entities there: the service does so.
 * Plain text is not escaped.
 *
 * @param optional - variables that may be left out, besides those that a template only reads if they are there.
 * @throws `TemplateTooComplex` if it would take too long, or be too large
 */
export function renderMail(
  template: MailTemplate,
  variables: Readonly<Record<string, unknown>>,
  optional: readonly string[] = [],
): RenderedMail {
  const missing = new Set<string>();
  const onMissing = (path: string) => {
    if (missing.size < MOST && !isOptional(path, optional)) missing.add(path);
  };
  const rendered = (part: Template, isEscaped: boolean) =>
    renderTemplate(part, variables, { isEscaped, onMissing });
  const subject = rendered(template.subject, true);
  const html = template.html && rendered(template.html, true);
  const text = template.text && rendered(template.text, false);
  return { subject, html, text, missing: [...missing], unused: unusedIn(template.variables, variables) };
}
