import { route, type Exchange } from '../../routing/route.ts';
import { created, noContent, ok, orNotFound, Refusal, unprocessable } from '../../wire/reply.ts';
import { FieldErrors, nameIn, required } from '../../wire/fields.ts';
import { wrapped } from '../../routing/wrapper.ts';
import type { World } from '../../state/world.ts';
import { fieldRoutes } from './field-routes.ts';
import { readContact, values, CONTACTS } from '../../state/audience/contact-input.ts';
import { jobRoutes } from './job-routes.ts';
import type { ContactRecord, ListRecord } from '../../state/audience/contacts.ts';

/** The endpoints of contacts, their lists, fields and events, and their imports and exports. */
export function contactRoutes(world: World) {
  const { contacts, settings } = world;
  const random = world.streams.of('contacts');
  const one = ({ params, token }: Exchange) => contacts.withIdOrEmail(token.accountId, params.id ?? '');
  const found = (exchange: Exchange): ContactRecord => orNotFound(one(exchange));
  const write = (
    { token, now }: Exchange,
    input: Readonly<Record<string, unknown>>,
    current?: ContactRecord,
  ): ContactRecord => {
    const { accountId } = token;
    const errors = new FieldErrors();
    const written = readContact(input, current, contacts, accountId, errors);
    errors.throwIfAny();
    if (current === undefined) {
      if (contacts.count(accountId) >= settings.contacts.max) {
        throw unprocessable({ base: ['Contact limit is exceeded'] });
      }
      return contacts.put({ id: random.uuid(), accountId, createdAt: now, updatedAt: now, ...written });
    }
    contacts.write(current, written, now);
    return current;
  };

  return [
    ...listRoutes(world),
    ...fieldRoutes(world),
    ...jobRoutes(world),
    route('POST /contacts', CONTACTS, (exchange) =>
      created({ data: contactView(write(exchange, wrapped(exchange.body(), 'contact'))) }),
    ),
    route('GET /contacts/{id}', CONTACTS, (exchange) => ok({ data: contactView(found(exchange)) })),
    // An update creates a contact that does not exist.
    route('PATCH /contacts/{id}', CONTACTS, (exchange) => {
      const input = wrapped(exchange.body(), 'contact');
      const contact = one(exchange);
      const id = exchange.params.id ?? '';
      const address = contact === undefined && id.includes('@') ? { email: id } : {};
      const data = contactView(write(exchange, { ...address, ...input }, contact));
      return ok({ data, action: contact === undefined ? 'created' : 'updated' });
    }),
    route('DELETE /contacts/{id}', CONTACTS, (exchange) => {
      const contact = one(exchange);
      if (contact === undefined) {
        throw new Refusal({ status: 404, json: { errors: 'Contact(s) not found' } });
      }
      contacts.remove(contact);
      return noContent();
    }),
    route('POST /contacts/{id}/events', CONTACTS, (exchange) => {
      const { id, email } = found(exchange);
      const { name: input, params = {} } = exchange.body();
      const errors = new FieldErrors();
      const isText = typeof input === 'string';
      const name = required(isText ? input : null, '', 'name', errors, 255);
      // As recorded: a name that is missing is also no text.
      if (!isText) errors.add('name', 'must be a string');
      errors.check(values, params, 'params');
      errors.throwIfAny();
      return created({ contact_id: id, contact_email: email, name, params });
    }),
  ];
}

function contactView(contact: ContactRecord): Record<string, unknown> {
  return {
    id: contact.id,
    email: contact.email,
    fields: contact.fields,
    list_ids: contact.listIds,
    status: contact.status,
    created_at: contact.createdAt,
    updated_at: contact.updatedAt,
  };
}

/** The endpoints of the lists of contacts. */
function listRoutes({ contacts }: World) {
  const { lists } = contacts;
  const view = ({ id, name }: ListRecord) => ({ id, name });
  const found = ({ params, token }: Exchange) => orNotFound(lists.find(token.accountId, Number(params.id)));
  return [
    route('GET /contacts/lists', CONTACTS, ({ token, query }) => {
      const prefix = (query.get('search') ?? '').toLowerCase();
      const all = lists.of(token.accountId);
      return ok(all.filter(({ name }) => name.toLowerCase().startsWith(prefix)).map(view));
    }),
    route('POST /contacts/lists', CONTACTS, ({ body, token }) =>
      ok(view(lists.insert({ accountId: token.accountId, name: nameIn(body(), '', 255) }))),
    ),
    route('GET /contacts/lists/{id}', CONTACTS, (exchange) => ok(view(found(exchange)))),
    route('PATCH /contacts/lists/{id}', CONTACTS, (exchange) => {
      const list = found(exchange);
      list.name = nameIn(exchange.body(), list.name, 255);
      return ok(view(list));
    }),
    route('DELETE /contacts/lists/{id}', CONTACTS, (exchange) => {
      contacts.removeList(found(exchange));
      return noContent();
    }),
  ];
}
