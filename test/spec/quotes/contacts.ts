import { having, matching, NOT_FOUND, NUMBER, quote, TEXT, UUID, type Asked } from './quote.ts';

const email = 'ann@example.org';
const add = ({ call }: Asked) => call('POST /api/contacts', { contact: { email } });
const record = {
  id: TEXT,
  email,
  fields: {},
  list_ids: [],
  status: 'subscribed',
  created_at: NUMBER,
  updated_at: NUMBER,
};
const event = (body: object) => async (asked: Asked) => {
  await add(asked);
  return asked.call(`POST /api/contacts/${email}/events`, body);
};
const field =
  (data_type: string, merge_tag = 'age') =>
  ({ call }: Asked) =>
    call('POST /api/contacts/fields', { name: 'Age', data_type, merge_tag });
const exporting = { filters: [{ name: 'subscription_status', operator: 'equal', value: 'subscribed' }] };

export const ofContacts = [
  quote('a contact', add, 201, { data: record }),
  quote(
    'a contact that exists',
    async (asked) => {
      await add(asked);
      return add(asked);
    },
    422,
    { errors: { email: ['has already been taken'] } },
  ),
  quote(
    'an update',
    async (asked) => {
      await add(asked);
      return asked.call(`PATCH /api/contacts/${email}`, { contact: { unsubscribed: true } });
    },
    200,
    { data: having({ status: 'unsubscribed' }), action: 'updated' },
  ),
  quote(
    'an update of a contact that does not exist',
    ({ call }) => call(`PATCH /api/contacts/${email}`, { contact: { fields: {} } }),
    200,
    { data: record, action: 'created' },
  ),
  quote(
    'PUT of a contact',
    async (asked) => {
      await add(asked);
      return asked.call(`PUT /api/contacts/${email}`, { contact: { email } });
    },
    200,
    { data: record, action: 'updated' },
  ),
  quote(
    'a contact is deleted',
    async (asked) => {
      await add(asked);
      return asked.call(`DELETE /api/contacts/${email}`);
    },
    204,
    '',
  ),
  quote('the deletion of a contact that does not exist', `DELETE /api/contacts/${UUID}`, 404, {
    errors: 'Contact(s) not found',
  }),
  quote('a contact that does not exist', `GET /api/contacts/${email}`, 404, NOT_FOUND),
  quote('an event', event({ name: 'n', params: { user_id: 101, at: null } }), 201, {
    contact_id: TEXT,
    contact_email: email,
    name: 'n',
    params: { user_id: 101, at: null },
  }),
  quote('an event without a name', event({ params: { user_id: 101 } }), 422, {
    errors: { name: ["can't be blank", 'must be a string'] },
  }),
  quote(
    'an event of no contact',
    ({ call }) => call(`POST /api/contacts/${email}/events`, { name: 'n' }),
    404,
    NOT_FOUND,
  ),
  quote('a list', ({ call }) => call('POST /api/contacts/lists', { name: 'News' }), 200, {
    id: NUMBER,
    name: 'News',
  }),
  quote(
    'lists are found by their beginning',
    async ({ call }) => {
      await call('POST /api/contacts/lists', { name: 'News' });
      return call('GET /api/contacts/lists?search=nE');
    },
    200,
    [{ id: NUMBER, name: 'News' }],
  ),
  quote(
    'a list is deleted',
    async ({ call }) =>
      call(`DELETE /api/contacts/lists/${(await call('POST /api/contacts/lists', { name: 'News' })).id}`),
    204,
    '',
  ),
  quote('a field', field('integer'), 201, {
    id: NUMBER,
    name: 'Age',
    data_type: 'integer',
    merge_tag: 'age',
  }),
  quote('a field of type number', field('number'), 422, having({ errors: having({ data_type: [TEXT] }) })),
  quote(
    'a field is deleted',
    async (asked) =>
      asked.call(`DELETE /api/contacts/fields/${((await field('text')(asked)).value as { id: number }).id}`),
    204,
    '',
  ),
  quote('an import', ({ call }) => call('POST /api/contacts/imports', { contacts: [{ email }] }), 201, {
    id: NUMBER,
    status: 'created',
  }),
  quote(
    'an import that has finished',
    async ({ call, emulator }) => {
      const { id } = await call('POST /api/contacts/imports', { contacts: [{ email }] });
      emulator.clock.advance(600_000);
      return call(`GET /api/contacts/imports/${id}`);
    },
    200,
    {
      id: NUMBER,
      status: 'finished',
      created_contacts_count: 1,
      updated_contacts_count: 0,
      contacts_over_limit_count: 0,
    },
  ),
  quote(
    'an import with an invalid address',
    ({ call }) => call('POST /api/contacts/imports', { contacts: [{ email: 'ann' }] }),
    422,
    { errors: [{ email: 'ann', errors: having({ email: [TEXT] }) }] },
  ),
  quote('an export', ({ call }) => call('POST /api/contacts/exports', exporting), 201, {
    id: NUMBER,
    status: 'created',
    created_at: TEXT,
    updated_at: TEXT,
    url: null,
  }),
  quote(
    'an export that has finished',
    async ({ call, emulator }) => {
      const { id } = await call('POST /api/contacts/exports', exporting);
      emulator.clock.advance(600_000);
      return call(`GET /api/contacts/exports/${id}`);
    },
    200,
    having({ status: 'finished', url: matching(/^https?:/) }),
  ),
  quote(
    'one export at a time',
    async ({ call }) => {
      await call('POST /api/contacts/exports', exporting);
      return call('POST /api/contacts/exports', exporting);
    },
    422,
    { errors: { base: [TEXT] } },
  ),
  quote(
    'an export with invalid filters',
    ({ call }) => call('POST /api/contacts/exports', { filters: [{ name: 'x' }] }),
    422,
    { errors: { filters: 'invalid' } },
  ),
];
