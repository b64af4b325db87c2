import * as z from 'zod';
import { numberedPage } from '../base/page-schemas.ts';
import type { TemplateResponses } from './endpoints.ts';
import type { SchemaFor } from '../base/schema-of.ts';

/** An email template: the result of `templates.create`, `get` and `update`. */
export const template = z.looseObject({
  id: z.int(),
  uuid: z.string(),
  name: z.string(),
  category: z.string(),
  subject: z.string(),
  body_html: z.string().nullable(),
  body_text: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
}) satisfies SchemaFor<TemplateResponses['template']>;

/** The response of `templates.list`. */
export const templateList = z.array(template) satisfies SchemaFor<TemplateResponses['templateList']>;

/** The response of `templates.paginated.list`: one page. */
export const templatePage = numberedPage(template) satisfies SchemaFor<TemplateResponses['templatePage']>;
