import * as z from 'zod';
import type { Template } from './types.ts';
import type { SchemaOf } from '../schema-of.ts';

/** An email template: the result of `templates.create`, `get` and `update`. */
export const template = /* @__PURE__ */ (() =>
  z.looseObject({
    id: z.int(),
    uuid: z.string(),
    name: z.string(),
    category: z.string(),
    subject: z.string(),
    body_html: z.string().nullable(),
    body_text: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  }) satisfies SchemaOf<Template>)();

/** The response of `templates.list`. */
export const templateList = /* @__PURE__ */ (() => z.array(template) satisfies z.ZodType<Template[]>)();
