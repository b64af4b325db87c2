import * as z from 'zod/mini';
import type { Issue } from '../core/errors.ts';
import { changesSomething, answerSchema, issuesOf, once, textUpTo, whole } from './check.ts';

/**
 * An email template, written in Handlebars; used for sending by its `uuid`. Fields beyond `name`, `subject`, `category`
 * and `uuid` are those of the public reference.
 */
export interface Template {
  /** For reading, changing and deleting it. */
  id: number;
  /** For sending with it, as `template_uuid`. */
  uuid: string;
  /** The template's name. */
  name: string;
  /** Category of the mails sent with it. */
  category: string;
  /** Subject line. */
  subject: string;
  /** The HTML design; null until there is one. */
  body_html: string | null;
  /** The plain-text alternative; null when there is none. */
  body_text: string | null;
  /** ISO 8601 date-time. */
  created_at: string;
  /** ISO 8601 date-time. */
  updated_at: string;
}

/** What `templates.update` may change. Only the fields given change. */
export interface TemplateUpdateParams {
  /** At most 255 characters. */
  name?: string | undefined;
  /** At most 255 characters. */
  subject?: string | undefined;
  /** At most 255 characters. */
  category?: string | undefined;
  /** At most 10 000 000 characters of Handlebars. */
  body_html?: string | null | undefined;
  /** At most 10 000 000 characters of Handlebars. */
  body_text?: string | null | undefined;
}

/** What `templates.create` takes. */
export interface TemplateCreateParams extends TemplateUpdateParams {
  /** At most 255 characters. */
  name: string;
  /** At most 255 characters. */
  subject: string;
  /** At most 255 characters. */
  category: string;
}

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

const template = once((): z.ZodMiniType<Template> =>
  z.looseObject({
    id: whole(),
    uuid: z.string(),
    name: z.string(),
    category: z.string(),
    subject: z.string(),
    body_html: z.nullable(z.string()),
    body_text: z.nullable(z.string()),
    created_at: z.string(),
    updated_at: z.string(),
  }),
);

/** The answer of every method that gives one template. */
export const templateAnswer = answerSchema(template);
/** The answer of `templates.list`. */
export const templateListAnswer = answerSchema(() => z.array(template()));
