import { FieldErrors, required, text } from '../../checks/fields.ts';
import { iso } from '../../iso.ts';
import { pageOf } from '../../pages.ts';
import { created, noContent, ok, orNotFound, route, type Exchange, type Reply } from '../../route.ts';
import { wrapped } from '../../wrapper.ts';
import type { World } from '../world.ts';
import type { TemplateFields, TemplateRecord, TemplateStore } from './store.ts';

const MAX_TEMPLATES = 200;
const MAX_FIELD = 255;
const MAX_BODY = 10_000_000;

const TEMPLATES = { area: 'templates' } as const;

/** How a family of paths writes a template: what is in a request, and what a response is made of. */
interface Family {
  readonly path: '/email_templates' | '/templates';
  readonly given: (body: Record<string, unknown>) => Record<string, unknown>;
  readonly shown: (template: TemplateRecord) => unknown;
  readonly list: (templates: TemplateStore, exchange: Exchange) => Reply;
}

/** With a wrapper in requests and none in responses; a list is whole. */
const WRAPPED: Family = {
  path: '/email_templates',
  given: (body) => wrapped(body, 'email_template'),
  shown: view,
  list: (templates, { token }) => ok(templates.of(token.accountId).map(view)),
};

/** Flat in requests, and in `data` in responses; a list has numbered pages, newest first. */
const PAGINATED: Family = {
  path: '/templates',
  given: (body) => body,
  shown: (template) => ({ data: view(template) }),
  list: (templates, exchange) => {
    const { items, pagination } = pageOf(templates.newestOf(exchange.token.accountId), exchange);
    return ok({ data: items.map(view), pagination });
  },
};

/** The endpoints of email templates: one store, and two families of paths. */
export const templateRoutes = (world: World) =>
  [WRAPPED, PAGINATED].flatMap((family) => routesOf(family, world));

function routesOf({ path, given, shown, list }: Family, { templates, streams }: World) {
  const random = streams.of('templates');
  const found = ({ params, token }: Exchange): TemplateRecord =>
    orNotFound(templates.find(token.accountId, Number(params.id)));

  return [
    route(`GET ${path}`, { ...TEMPLATES, handler: (exchange) => list(templates, exchange) }),
    route(`POST ${path}`, {
      ...TEMPLATES,
      handler: ({ body, token, now }) => {
        const errors = new FieldErrors();
        const fields = write(given(body()), undefined, errors);
        if (templates.count(token.accountId) >= MAX_TEMPLATES) {
          errors.add('base', `The limit of ${MAX_TEMPLATES} templates per account is reached`);
        }
        errors.throwIfAny();
        return created(shown(templates.add(token.accountId, random.uuid(), fields, now)));
      },
    }),
    route(`GET ${path}/{id}`, { ...TEMPLATES, handler: (exchange) => ok(shown(found(exchange))) }),
    route(`PATCH ${path}/{id}`, {
      ...TEMPLATES,
      handler: (exchange) => {
        const template = found(exchange);
        const errors = new FieldErrors();
        const fields = write(given(exchange.body()), template.fields, errors);
        errors.throwIfAny();
        template.fields = fields;
        template.updatedAt = exchange.now;
        return ok(shown(template));
      },
    }),
    route(`DELETE ${path}/{id}`, {
      ...TEMPLATES,
      handler: (exchange) => {
        templates.remove(found(exchange));
        return noContent();
      },
    }),
  ];
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
    created_at: iso(createdAt),
    updated_at: iso(updatedAt),
  };
}
