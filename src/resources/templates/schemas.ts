import * as z from 'zod';
import { numberedPage } from '../page-schemas.ts';
import type { SchemaFor } from '../schema-of.ts';

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
}) satisfies SchemaFor<'template'>;

/** The response of `templates.list`. */
export const templateList = z.array(template) satisfies SchemaFor<'templateList'>;

/** The response of `templates.paginated.list`: one page. */
export const templatePage = numberedPage(template) satisfies SchemaFor<'templatePage'>;
