import { created, noContent, notFound, ok, type Area, type Exchange, type Reply } from '../../route.ts';
import { FieldErrors, required, text } from '../field-errors.ts';
import { inBothForms } from '../forms.ts';
import type { Kit } from '../kit.ts';
import { pageOf } from '../pages.ts';
import { wrapped } from '../wrapper.ts';
import type { TemplateFields, TemplateRecord, TemplateStore } from './store.ts';

const MAX_TEMPLATES = 200;
const MAX_FIELD = 255;
const MAX_BODY = 10_000_000;

/** How a family of paths writes a template: what is in a request, and what a response is made of. */
interface Family {
  readonly path: string;
  readonly given: (body: Record<string, unknown>) => Record<string, unknown>;
  readonly shown: (template: TemplateRecord) => unknown;
  readonly list: (templates: TemplateRecord[], exchange: Exchange) => Reply;
}

/** With a wrapper in requests and none in responses; a list is whole. */
const WRAPPED: Family = {
  path: '/email_templates',
  given: (body) => wrapped(body, 'email_template'),
  shown: view,
  list: (templates) => ok(templates.map(view)),
};

/** Flat in requests, and in `data` in responses; a list has numbered pages, newest first. */
const PAGINATED: Family = {
  path: '/templates',
  given: (body) => body,
  shown: (template) => ({ data: view(template) }),
  list: (templates, exchange) => {
    const { items, pagination } = pageOf(templates.reverse(), exchange);
    return ok({ data: items.map(view), pagination });
  },
};

/** Email templates: one store, and two families of paths. */
export function createTemplates(kit: Kit, store: TemplateStore): Area {
  const families = [WRAPPED, PAGINATED].map((family) => templatesAt(family, kit, store));
  return { routes: families.flatMap(({ routes }) => routes) };
}

function templatesAt({ path, given, shown, list }: Family, kit: Kit, store: TemplateStore): Area {
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
        handler: (exchange) => list(store.list(exchange.token.accountId), exchange),
      })),
      ...inBothForms(path, () => ({
        method: 'POST',
        permission: ['templates', 'admin'],
        handler: ({ body, token, now }) => {
          const errors = new FieldErrors();
          const fields = write(given(body()), undefined, errors);
          if (store.list(token.accountId).length >= MAX_TEMPLATES) {
            errors.add('base', `The limit of ${MAX_TEMPLATES} templates per account is reached`);
          }
          errors.throwIfAny();
          return created(shown(store.add(token.accountId, kit.random.uuid(), fields, now)));
        },
      })),
      ...inBothForms(`${path}/:id`, () => ({
        method: 'GET',
        permission: ['templates', 'viewer'],
        handler: (exchange) => ok(shown(found(exchange))),
      })),
      ...inBothForms(`${path}/:id`, () => ({
        method: 'PATCH',
        permission: ['templates', 'admin'],
        handler: (exchange) => {
          const template = found(exchange);
          const errors = new FieldErrors();
          const fields = write(given(exchange.body()), template.fields, errors);
          errors.throwIfAny();
          template.fields = fields;
          template.updatedAt = exchange.now;
          return ok(shown(template));
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
