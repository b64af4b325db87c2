import type { Random } from '../../random.ts';
import {
  created,
  noContent,
  notFound,
  ok,
  Refusal,
  type Area,
  type Exchange,
  type Route,
} from '../../route.ts';
import { FieldErrors, required } from '../field-errors.ts';
import { inBothForms } from '../forms.ts';
import { wrapped } from '../wrapper.ts';
import { writeContact } from './input.ts';
import type { ContactRecord, ContactStore, ListRecord } from './store.ts';

type Endpoint = Omit<Route, 'path' | 'pool' | 'permission'> & { readonly tail: string };

/** Contacts and their lists, as far as they are needed to test their rate limit. */
export function createContacts(store: ContactStore, random: Random): Area {
  const one = ({ params, token }: Exchange) => store.find(token.accountId, params.id ?? '');
  const found = (exchange: Exchange): ContactRecord => {
    const contact = one(exchange);
    if (contact === undefined) throw notFound();
    return contact;
  };
  const foundList = ({ params, token }: Exchange): ListRecord => {
    const list = store.findList(token.accountId, Number(params.id));
    if (list === undefined) throw notFound();
    return list;
  };
  const create = ({ token, now }: Exchange, given: Readonly<Record<string, unknown>>): ContactRecord => {
    const written = writeContact(given, undefined, store, token.accountId);
    const id = random.uuid();
    return store.add({ id, accountId: token.accountId, createdAt: now, updatedAt: now, ...written });
  };
  const listName = (exchange: Exchange, before: string) => {
    const errors = new FieldErrors();
    const name = required(exchange.body().name, before, 'name', errors, 255);
    errors.throwIfAny();
    return name;
  };

  const endpoints: readonly Endpoint[] = [
    {
      tail: '/lists',
      method: 'GET',
      handler: ({ token, query }) => {
        const prefix = (query.get('search') ?? '').toLowerCase();
        const lists = store.lists(token.accountId);
        return ok(lists.filter(({ name }) => name.toLowerCase().startsWith(prefix)).map(listView));
      },
    },
    {
      tail: '/lists',
      method: 'POST',
      handler: (exchange) => ok(listView(store.addList(exchange.token.accountId, listName(exchange, '')))),
    },
    { tail: '/lists/:id', method: 'GET', handler: (exchange) => ok(listView(foundList(exchange))) },
    {
      tail: '/lists/:id',
      method: 'PATCH',
      handler: (exchange) => {
        const list = foundList(exchange);
        list.name = listName(exchange, list.name);
        return ok(listView(list));
      },
    },
    {
      tail: '/lists/:id',
      method: 'DELETE',
      handler: (exchange) => {
        store.removeList(foundList(exchange).id);
        return noContent();
      },
    },
    {
      tail: '',
      method: 'POST',
      handler: (exchange) =>
        created({ data: contactView(create(exchange, wrapped(exchange.body(), 'contact'))) }),
    },
    { tail: '/:id', method: 'GET', handler: (exchange) => ok({ data: contactView(found(exchange)) }) },
    {
      tail: '/:id',
      method: 'PATCH',
      // An update creates a contact that does not exist.
      handler: (exchange) => {
        const given = wrapped(exchange.body(), 'contact');
        const contact = one(exchange);
        if (contact === undefined) {
          const id = exchange.params.id ?? '';
          const made = create(exchange, { ...(id.includes('@') ? { email: id } : {}), ...given });
          return ok({ data: contactView(made), action: 'created' });
        }
        Object.assign(contact, writeContact(given, contact, store, contact.accountId));
        contact.updatedAt = exchange.now;
        return ok({ data: contactView(contact), action: 'updated' });
      },
    },
    {
      tail: '/:id',
      method: 'DELETE',
      handler: (exchange) => {
        const contact = one(exchange);
        if (contact === undefined) {
          throw new Refusal({ status: 404, json: { errors: 'Contact(s) not found' } });
        }
        store.remove(contact.id);
        return noContent();
      },
    },
  ];
  return {
    routes: endpoints.flatMap(({ tail, ...endpoint }) =>
      inBothForms(`/contacts${tail}`, () => ({
        ...endpoint,
        pool: 'contacts',
        permission: ['contacts', endpoint.method === 'GET' ? 'viewer' : 'admin'],
      })),
    ),
  };
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

function listView({ id, name }: ListRecord) {
  return { id, name };
}
