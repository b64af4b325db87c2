import { TemplateSyntaxError, TemplateTooComplex } from './errors.ts';
import { isOptional } from './missing.ts';
import type { Template } from './nodes.ts';
import { parseTemplate } from './parse.ts';
import { renderTemplate } from './render.ts';
import { readInto, Shape } from './shape.ts';
import { unusedIn } from './unused.ts';

/** The parts of an email's template, as text. */
export interface MailParts {
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
}

/** The names of the parts. */
export const PARTS = ['subject', 'html', 'text'] as const satisfies readonly (keyof MailParts)[];

/** A parsed template of an email: its parts, and the shape of the variables that they read. */
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
  /** Missing variables that left a gap: `items[0].price`. At most 100. */
  readonly missing: string[];
  /** Variables that no part reads: `nmae`. At most 100. */
  readonly unused: string[];
}

/**
 * Reads the template of an email.
 *
 * @param others - the parts of the template's other languages: their variables count as read. A part that is not Handlebars
 * is none of this email's.
 * @throws `TemplateSyntaxError` if a part is not Handlebars, `TemplateTooComplex` if one is nested too deep
 */
export function readMailTemplate(parts: MailParts, others: readonly MailParts[] = []): MailTemplate {
  const variables = new Shape();
  const read = (part: keyof MailParts, text: string) => {
    const template = parseTemplate(text);
    readInto(variables, part, template);
    return template;
  };
  const own = {
    subject: read('subject', parts.subject),
    html: parts.html === null ? null : read('html', parts.html),
    text: parts.text === null ? null : read('text', parts.text),
  };
  for (const other of others) {
    for (const part of PARTS) {
      try {
        read(part, other[part] ?? '');
      } catch (error) {
        if (!(error instanceof TemplateSyntaxError || error instanceof TemplateTooComplex)) throw error;
      }
    }
  }
  return { ...own, variables };
}

/** The maximum number of reported missing variables. */
const MOST = 100;

/**
 * Renders an email. Escapes every part like HTML, as Handlebars does, also the subject and the plain text, although mail
 * programs do not decode entities there.
 *
 * @param optional - variables that may be left out, besides those that a template reads only inside a condition on
 * them.
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
  const rendered = (part: Template) => renderTemplate(part, variables, { onMissing });
  const subject = rendered(template.subject);
  const html = template.html && rendered(template.html);
  const text = template.text && rendered(template.text);
  return { subject, html, text, missing: [...missing], unused: unusedIn(template.variables, variables) };
}
