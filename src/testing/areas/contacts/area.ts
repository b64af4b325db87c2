import type { Random } from '../../random.ts';
import {
  created,
  noContent,
  notFound,
  ok,
  Refusal,
  unprocessable,
  type Area,
  type Exchange,
} from '../../route.ts';
import type { SignedStorage } from '../../storage.ts';
import { FieldErrors, INVALID, required } from '../field-errors.ts';
import { inBothForms } from '../forms.ts';
import { wrapped } from '../wrapper.ts';
import type { ContactEndpoint } from './endpoint.ts';
import { fieldEndpoints } from './fields.ts';
import { isValues, readContact } from './input.ts';
import { jobEndpoints, type ContactJobs } from './jobs.ts';
import type { ContactRecord, ContactStore, ListRecord } from './store.ts';

/** What contacts are made of. */
export interface ContactParts {
  readonly store: ContactStore;
  readonly jobs: ContactJobs;
  readonly storage: SignedStorage;
  readonly random: Random;
  /** How many contacts an account can have. */
  readonly max: number;
  /** The names of the campaigns whose templates have this merge tag. */
  readonly usesOf: (accountId: number, mergeTag: string) => readonly string[];
}

/** Contacts, their lists, fields and events, and their imports and exports. */
export function createContacts(parts: ContactParts): Area {
  const { store, random } = parts;
  const one = ({ params, token }: Exchange) => store.find(token.accountId, params.id ?? '');
  const found = (exchange: Exchange): ContactRecord => {
    const contact = one(exchange);
    if (contact === undefined) throw notFound();
    return contact;
  };
  const write = (
    { token, now }: Exchange,
    given: Readonly<Record<string, unknown>>,
    current?: ContactRecord,
  ): ContactRecord => {
    const { accountId } = token;
    const errors = new FieldErrors();
    const written = readContact(given, current, store, accountId, errors);
    errors.throwIfAny();
    if (current === undefined) {
      if (store.count(accountId) >= parts.max) throw unprocessable({ base: ['Contact limit is exceeded'] });
      return store.add({ id: random.uuid(), accountId, createdAt: now, updatedAt: now, ...written });
    }
    store.write(current, written, now);
    return current;
  };

  const endpoints: readonly ContactEndpoint[] = [
    ...listEndpoints(store),
    ...fieldEndpoints(store, parts.usesOf),
    ...jobEndpoints(parts.jobs, parts.storage),
    {
      tail: '',
      method: 'POST',
      handler: (exchange) =>
        created({ data: contactView(write(exchange, wrapped(exchange.body(), 'contact'))) }),
    },
    { tail: '/:id', method: 'GET', handler: (exchange) => ok({ data: contactView(found(exchange)) }) },
    {
      tail: '/:id',
      method: 'PATCH',
      // An update creates a contact that does not exist.
      handler: (exchange) => {
        const given = wrapped(exchange.body(), 'contact');
        const contact = one(exchange);
        const id = exchange.params.id ?? '';
        const address = contact === undefined && id.includes('@') ? { email: id } : {};
        const data = contactView(write(exchange, { ...address, ...given }, contact));
        return ok({ data, action: contact === undefined ? 'created' : 'updated' });
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
        store.remove(contact);
        return noContent();
      },
    },
    {
      tail: '/:id/events',
      method: 'POST',
      handler: (exchange) => {
        const { id, email } = found(exchange);
        const { name: given, params = {} } = exchange.body();
        const errors = new FieldErrors();
        const name = required(given, '', 'name', errors, 255);
        if (!isValues(params)) errors.add('params', INVALID);
        errors.throwIfAny();
        return created({ contact_id: id, contact_email: email, name, params });
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

function listEndpoints(store: ContactStore): readonly ContactEndpoint[] {
  const found = ({ params, token }: Exchange): ListRecord => {
    const list = store.findList(token.accountId, Number(params.id));
    if (list === undefined) throw notFound();
    return list;
  };
  const nameOf = (exchange: Exchange, before: string) => {
    const errors = new FieldErrors();
    const name = required(exchange.body().name, before, 'name', errors, 255);
    errors.throwIfAny();
    return name;
  };
  return [
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
      handler: (exchange) => ok(listView(store.addList(exchange.token.accountId, nameOf(exchange, '')))),
    },
    { tail: '/lists/:id', method: 'GET', handler: (exchange) => ok(listView(found(exchange))) },
    {
      tail: '/lists/:id',
      method: 'PATCH',
      handler: (exchange) => {
        const list = found(exchange);
        list.name = nameOf(exchange, list.name);
        return ok(listView(list));
      },
    },
    {
      tail: '/lists/:id',
      method: 'DELETE',
      handler: (exchange) => {
        store.removeList(found(exchange));
        return noContent();
      },
    },
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

function listView({ id, name }: ListRecord) {
  return { id, name };
}
