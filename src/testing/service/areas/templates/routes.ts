import { FieldErrors, required, text } from '../../wire/fields.ts';
import type { TemplateFields, TemplateRecord, TemplateStore } from '../../state/account/templates.ts';
import { fits, plainObject } from '../../../declare/kind.ts';
import { iso } from '../../../encoding/iso.ts';
import type { EmulatorPool } from '../../state/account/limiter.ts';
import { isBeyondOffsets, pageOf } from '../../routing/pages.ts';
import { route, type Exchange } from '../../routing/route.ts';
import { created, noContent, ok, orNotFound, unprocessable, type Reply } from '../../wire/reply.ts';
import { wrapped } from '../../routing/wrapper.ts';
import type { World } from '../../state/world.ts';

const MAX_FIELD = 255;
const MAX_BODY = 10_000_000;

const EMPTY: TemplateFields = { name: '', subject: '', category: '', bodyHtml: null, bodyText: null };

/** Reads the fields of a new template, or of an existing one after an update. Adds the problems to `errors`. */
export function readTemplate(
  input: Readonly<Record<string, unknown>>,
  current: TemplateRecord | undefined,
  errors: FieldErrors,
): TemplateFields {
  const before = current?.fields ?? EMPTY;
  const body = (name: 'body_html' | 'body_text', old: string | null) => {
    const read = text(input[name], old, name, errors, MAX_BODY);
    // The service does not clear a body that is set.
    const written = (read ?? '') === '' && (old ?? '') !== '' ? old : read;
    if (written !== old && current?.editor === 'visual') {
      errors.add(name, `cannot update ${name} of template created within UI editor`);
    }
    return written;
  };
  return {
    name: required(input.name, before.name, 'name', errors, MAX_FIELD),
    subject: required(input.subject, before.subject, 'subject', errors, MAX_FIELD),
    category: required(input.category, before.category, 'category', errors, MAX_FIELD),
    bodyHtml: body('body_html', before.bodyHtml),
    bodyText: body('body_text', before.bodyText),
  };
}

const MAX_TEMPLATES = 200;
const TOO_MANY =
  "You've reached the maximum number of templates allowed. Please upgrade your plan to add more.";

const TEMPLATES = { area: 'templates' } as const;

/** The format of templates in the requests and responses of a family of paths. */
interface Family {
  readonly path: '/email_templates' | '/templates';
  readonly input: (body: Record<string, unknown>) => Record<string, unknown>;
  readonly shown: (template: TemplateRecord) => unknown;
  readonly list: (templates: TemplateStore, exchange: Exchange) => Reply;
  /** The account's rate-limit pools of listing and creating, in addition to the token's pool. */
  readonly pools: { readonly list?: EmulatorPool; readonly create?: EmulatorPool };
}

/** The family with a wrapper in requests, none in responses, and lists in one piece. */
const WRAPPED: Family = {
  path: '/email_templates',
  input: (body) => wrapped(body, 'email_template'),
  shown: view,
  list: (templates, { token }) => ok(templates.of(token.accountId).map(view)),
  pools: {},
};

/** The family with flat or wrapped requests, `data` in responses, and lists with numbered pages, newest first. */
const PAGINATED: Family = {
  path: '/templates',
  input: ({ email_template: inner, ...flat }) => (fits(plainObject, inner) ? inner : flat),
  shown: (template) => ({ data: view(template) }),
  pools: { list: 'templatesList', create: 'templatesCreate' },
  list: (templates, exchange) => {
    if (isBeyondOffsets(exchange)) throw unprocessable('token is out of range');
    const { items, pagination } = pageOf(templates.newestOf(exchange.token.accountId), exchange);
    return ok({ data: items.map(view), pagination });
  },
};

/** The endpoints of email templates: one store, and two families of paths. */
export const templateRoutes = (world: World) =>
  [WRAPPED, PAGINATED].flatMap((family) => routesOf(family, world));

function routesOf({ path, input, shown, list, pools }: Family, { templates, streams }: World) {
  const random = streams.of('templates');
  const found = ({ params, token }: Exchange): TemplateRecord =>
    orNotFound(templates.find(token.accountId, Number(params.id)));

  return [
    route(`GET ${path}`, { ...TEMPLATES, ...(pools.list && { pool: pools.list }) }, (exchange) =>
      list(templates, exchange),
    ),
    route(
      `POST ${path}`,
      { ...TEMPLATES, ...(pools.create && { pool: pools.create }) },
      ({ body, token, now }) => {
        const errors = new FieldErrors();
        const fields = readTemplate(input(body()), undefined, errors);
        if (templates.count(token.accountId) >= MAX_TEMPLATES) errors.add('base', TOO_MANY);
        errors.throwIfAny();
        return created(shown(templates.add(token.accountId, random.uuid(), fields, now)));
      },
    ),
    route(`GET ${path}/{id}`, TEMPLATES, (exchange) => ok(shown(found(exchange)))),
    route(`PATCH ${path}/{id}`, TEMPLATES, (exchange) => {
      const template = found(exchange);
      const errors = new FieldErrors();
      const fields = readTemplate(input(exchange.body()), template, errors);
      errors.throwIfAny();
      template.fields = fields;
      template.updatedAt = exchange.now;
      return ok(shown(template));
    }),
    route(`DELETE ${path}/{id}`, TEMPLATES, (exchange) => {
      templates.remove(found(exchange));
      return noContent();
    }),
  ];
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
