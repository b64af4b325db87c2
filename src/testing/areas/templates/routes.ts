import { FieldErrors, required, text } from '../../fields.ts';
import { iso } from '../../iso.ts';
import { created, noContent, ok, orNotFound, route, type Exchange } from '../../route.ts';
import { wrapped } from '../../wrapper.ts';
import type { World } from '../world.ts';
import type { TemplateFields, TemplateRecord } from './store.ts';

const MAX_TEMPLATES = 200;
const MAX_FIELD = 255;
const MAX_BODY = 10_000_000;

const TEMPLATES = { area: 'templates' } as const;

/** The endpoints of email templates. */
export function templateRoutes({ templates, streams }: World) {
  const random = streams.of('templates');
  const found = ({ params, token }: Exchange): TemplateRecord =>
    orNotFound(templates.find(token.accountId, Number(params.id)));

  return [
    route('GET /email_templates', {
      ...TEMPLATES,
      handler: ({ token }) => ok(templates.of(token.accountId).map(view)),
    }),
    route('POST /email_templates', {
      ...TEMPLATES,
      handler: ({ body, token, now }) => {
        const errors = new FieldErrors();
        const fields = write(wrapped(body(), 'email_template'), undefined, errors);
        if (templates.count(token.accountId) >= MAX_TEMPLATES) {
          errors.add('base', `The limit of ${MAX_TEMPLATES} templates per account is reached`);
        }
        errors.throwIfAny();
        return created(view(templates.add(token.accountId, random.uuid(), fields, now)));
      },
    }),
    route('GET /email_templates/{id}', {
      ...TEMPLATES,
      handler: (exchange) => ok(view(found(exchange))),
    }),
    route('PATCH /email_templates/{id}', {
      ...TEMPLATES,
      handler: (exchange) => {
        const template = found(exchange);
        const errors = new FieldErrors();
        const fields = write(wrapped(exchange.body(), 'email_template'), template.fields, errors);
        errors.throwIfAny();
        template.fields = fields;
        template.updatedAt = exchange.now;
        return ok(view(template));
      },
    }),
    route('DELETE /email_templates/{id}', {
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
