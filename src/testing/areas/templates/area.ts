import { created, noContent, notFound, ok, type Area, type Exchange } from '../../route.ts';
import { FieldErrors, required, text } from '../field-errors.ts';
import { inBothForms } from '../forms.ts';
import type { Kit } from '../kit.ts';
import { wrapped } from '../wrapper.ts';
import type { TemplateFields, TemplateRecord, TemplateStore } from './store.ts';

const MAX_TEMPLATES = 200;
const MAX_FIELD = 255;
const MAX_BODY = 10_000_000;

/** Email templates. */
export function createTemplates(kit: Kit, store: TemplateStore): Area {
  const path = '/email_templates';
  const found = ({ params, token }: Exchange): TemplateRecord => {
    const template = store.find(token.accountId, Number(params.id));
    if (template === undefined) throw notFound();
    return template;
  };

  return {
    routes: [
      ...inBothForms(path, () => ({
        method: 'GET',
        permission: ['templates', 'viewer'],
        handler: ({ token }) => ok(store.list(token.accountId).map(view)),
      })),
      ...inBothForms(path, () => ({
        method: 'POST',
        permission: ['templates', 'admin'],
        handler: ({ body, token, now }) => {
          const errors = new FieldErrors();
          const fields = write(wrapped(body(), 'email_template'), undefined, errors);
          if (store.list(token.accountId).length >= MAX_TEMPLATES) {
            errors.add('base', `The limit of ${MAX_TEMPLATES} templates per account is reached`);
          }
          errors.throwIfAny();
          return created(view(store.add(token.accountId, kit.random.uuid(), fields, now)));
        },
      })),
      ...inBothForms(`${path}/:id`, () => ({
        method: 'GET',
        permission: ['templates', 'viewer'],
        handler: (exchange) => ok(view(found(exchange))),
      })),
      ...inBothForms(`${path}/:id`, () => ({
        method: 'PATCH',
        permission: ['templates', 'admin'],
        handler: (exchange) => {
          const template = found(exchange);
          const errors = new FieldErrors();
          const fields = write(wrapped(exchange.body(), 'email_template'), template.fields, errors);
          errors.throwIfAny();
          template.fields = fields;
          template.updatedAt = exchange.now;
          return ok(view(template));
        },
      })),
      ...inBothForms(`${path}/:id`, () => ({
        method: 'DELETE',
        permission: ['templates', 'admin'],
        handler: (exchange) => {
          store.remove(found(exchange).id);
          return noContent();
        },
      })),
    ],
  };
}

function write(
  given: Readonly<Record<string, unknown>>,
  current: TemplateFields | undefined,
  errors: FieldErrors,
): TemplateFields {
  const before = current ?? { name: '', subject: '', category: '', bodyHtml: null, bodyText: null };
  return {
    name: required(given.name, before.name, 'name', errors, MAX_FIELD),
    subject: required(given.subject, before.subject, 'subject', errors, MAX_FIELD),
    category: required(given.category, before.category, 'category', errors, MAX_FIELD),
    bodyHtml: text(given.body_html, before.bodyHtml, 'body_html', errors, MAX_BODY),
    bodyText: text(given.body_text, before.bodyText, 'body_text', errors, MAX_BODY),
  };
}

function view({ id, uuid, fields, createdAt, updatedAt }: TemplateRecord): Record<string, unknown> {
  return {
    id,
    uuid,
    name: fields.name,
    category: fields.category,
    subject: fields.subject,
    body_html: fields.bodyHtml,
    body_text: fields.bodyText,
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
  };
}
