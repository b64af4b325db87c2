import { route, type Exchange } from '../../routing/route.ts';
import { noContent, ok, orNotFound } from '../../wire/reply.ts';
import { nameIn } from '../../wire/fields.ts';
import type { World } from '../../state/world.ts';
import { CONTACTS } from '../../state/audience/contact-input.ts';
import type { ListRecord } from '../../state/audience/contacts.ts';

/** The endpoints of the lists of contacts. */
export function listRoutes({ contacts }: World) {
  const { lists } = contacts;
  const view = ({ id, name }: ListRecord) => ({ id, name });
  const found = ({ params, token }: Exchange) => orNotFound(lists.find(token.accountId, Number(params.id)));
  return [
    route('GET /contacts/lists', {
      ...CONTACTS,
      handler: ({ token, query }) => {
        const prefix = (query.get('search') ?? '').toLowerCase();
        const all = lists.of(token.accountId);
        return ok(all.filter(({ name }) => name.toLowerCase().startsWith(prefix)).map(view));
      },
    }),
    route('POST /contacts/lists', {
      ...CONTACTS,
      handler: ({ body, token }) =>
        ok(view(lists.insert({ accountId: token.accountId, name: nameIn(body(), '', 255) }))),
    }),
    route('GET /contacts/lists/{id}', { ...CONTACTS, handler: (exchange) => ok(view(found(exchange))) }),
    route('PATCH /contacts/lists/{id}', {
      ...CONTACTS,
      handler: (exchange) => {
        const list = found(exchange);
        list.name = nameIn(exchange.body(), list.name, 255);
        return ok(view(list));
      },
    }),
    route('DELETE /contacts/lists/{id}', {
      ...CONTACTS,
      handler: (exchange) => {
        contacts.removeList(found(exchange));
        return noContent();
      },
    }),
  ];
}
