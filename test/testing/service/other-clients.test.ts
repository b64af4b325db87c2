import type { Emulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { areas } from '../../../src/testing/service/areas/all.ts';
import type { Arrival } from '../../../src/testing/service/state/emails/outbox.ts';
import { Arrivals } from '../../../src/testing/common/waiters.ts';
import { EndpointHandlers } from '../../../src/testing/service/engine/endpoint-handlers.ts';
import { FaultQueue } from '../../../src/testing/service/engine/faults.ts';
import { Recorder } from '../../../src/testing/report/records/recorder.ts';
import { RequestLog } from '../../../src/testing/service/engine/request-log.ts';
import { buildService } from '../../../src/testing/service/build-service.ts';
import { idsOf, inbox, mail, post } from '../tools/mail.ts';
import { get, message } from '../tools/logs.ts';
import { still, wire } from '../tools/wire.ts';

/** Requests that clients of the service in other languages send, and ours does not. */

const surroundings = {
  faults: new FaultQueue(),
  handlers: new EndpointHandlers(),
  log: new RequestLog(new Recorder()),
  recorder: new Recorder(),
  deliver: () => Promise.resolve(new Response()),
  folders: {},
  arrivals: new Arrivals<Arrival>(),
  origin: () => 'https://emulator.test',
};
const routes = () => {
  const { world } = buildService({}, surroundings, 'empty');
  return areas.flatMap((area) => area.routes?.(world) ?? []).flat();
};
/** A path with ids that nothing has. */
const unknownAt = (path: string) => path.replace('{account_id}', '1001').replace(/\{\w+\}/g, () => '987654');

describe('PUT', () => {
  const patched = routes().filter(({ method }) => method === 'PATCH');
  const readable = new Set(routes().flatMap(({ method, path }) => (method === 'GET' ? [path] : [])));
  const [records, actions] = [true, false].map((isRecord) =>
    patched.flatMap(({ path }) => (readable.has(path) === isRecord ? [path] : [])),
  ) as [string[], string[]];

  test.each(records)('%s is answered as PATCH is', async (path) => {
    const body = { name: 'x' };
    const answers = await Promise.all(
      ['PATCH', 'PUT'].map(async (method) => wire(still())(method, unknownAt(path), { body })),
    );
    const [byPatch, byPut] = answers.map(({ status, text }) => [status, text]);
    expect(byPut).toEqual(byPatch);
    expect(byPut?.[0]).not.toBe(501);
  });

  test.each(actions)('%s is an action, which only PATCH calls', async (path) => {
    expect((await wire(still())('PUT', unknownAt(path))).status).toBe(501);
  });

  test('it updates the record, with the permissions of PATCH, and is listed as PUT among the requests', async () => {
    const emulator = still();
    const call = wire(emulator);
    const contact = { email: 'ann@example.org', fields: {} };
    const { id } = (
      (await call('POST', '/api/contacts', { body: { contact } })).value as { data: { id: string } }
    ).data;
    const body = { contact: { ...contact, unsubscribed: true } };
    const updated = await call('PUT', `/api/contacts/${id}`, { body });
    expect([updated.status, updated.value]).toMatchObject([
      200,
      { action: 'updated', data: { id, status: 'unsubscribed' } },
    ]);
    const token = emulator.createToken({ permissions: { contacts: 'viewer' } });
    expect((await call('PUT', `/api/contacts/${id}`, { body, token })).status).toBe(403);
    expect(emulator.requests.at(-2)).toMatchObject({
      method: 'PUT',
      path: `/api/contacts/${id}`,
      status: 200,
    });
  });

  test('no list of the emulator has it', () => {
    const put = routes().filter(({ method }) => method === 'PUT');
    expect(put.map(({ path }) => path)).toEqual([
      '/api/account_accesses/{id}/permissions/bulk',
      '/api/accounts/{account_id}/account_accesses/{id}/permissions/bulk',
    ]);
  });
});

test.each([
  ['true', true, 200],
  ['false', false, 200],
  [false, false, 200],
  ['yes', true, 422],
  [1, true, 422],
])('is_read of a test message may be text: %j', async (is_read, expected, status) => {
  const emulator = still();
  await post(emulator, {}, { host: 'sandbox' });
  const call = wire(emulator);
  const [{ id = 0 } = {}] = (await call('GET', `/api/sandboxes/${inbox}/messages`)).value as {
    id?: number;
  }[];
  const path = `/api/sandboxes/${inbox}/messages/${id}`;
  if (!expected || status === 422) await call('PATCH', path, { body: { message: { is_read: true } } });
  const answer = await call('PATCH', path, { body: { message: { is_read } } });
  expect(answer.status).toBe(status);
  expect((await call('GET', path)).value).toMatchObject({ is_read: expected });
});

describe('An empty array, which a language may have for an empty object', () => {
  test.each(['headers', 'custom_variables', 'template_variables'])('%s of an email', async (name) => {
    const emulator = still();
    const answer = await post(emulator, { [name]: [] });
    expect(answer.status).toBe(200);
    expect(emulator.messages()[0]?.headers).toEqual({});
    const [id = ''] = idsOf(answer);
    if (name !== 'headers') expect(await message(emulator, id)).toMatchObject({ [name]: {} });
    expect((await post(emulator, { [name]: ['a'] })).status).toBe(400);
  });

  test('fields of a contact, also of one that is imported', async () => {
    const emulator = still();
    const call = wire(emulator);
    const contact = { email: 'ann@example.org', fields: [] };
    const made = await call('POST', '/api/contacts', { body: { contact } });
    expect([made.status, made.value]).toMatchObject([201, { data: { fields: {} } }]);
    const imported = { email: 'ben@example.org', fields: [] };
    await call('POST', '/api/contacts/imports', { body: { contacts: [imported] } });
    emulator.clock.advance(60_000);
    expect((await call('GET', '/api/contacts/ben@example.org')).value).toMatchObject({
      data: { fields: {} },
    });
    const wrong = { email: 'cy@example.org', fields: ['a'] };
    expect((await call('POST', '/api/contacts', { body: { contact: wrong } })).status).toBe(422);
  });

  test('nowhere else', async () => {
    const call = wire(still());
    expect((await post(still(), { from: [] })).status).toBe(400);
    expect((await post(still(), { to: [[]] })).status).toBe(400);
    expect((await call('POST', '/api/contacts', { body: { contact: [] } })).status).toBe(400);
    const event = { name: 'bought', params: [] };
    await call('POST', '/api/contacts', { body: { contact: { email: 'ann@example.org' } } });
    expect((await call('POST', '/api/contacts/ann@example.org/events', { body: event })).status).toBe(422);
  });
});

describe('A null in a list of ids is dropped', () => {
  const known = async (call: ReturnType<typeof wire>) =>
    ((await call('POST', '/api/contacts/lists', { body: { name: 'News' } })).value as { id: number }).id;

  test('of a contact: list_ids, list_ids_included, list_ids_excluded', async () => {
    const emulator = still();
    const call = wire(emulator);
    const id = await known(call);
    const listsAfter = async (method: string, path: string, contact: object) => {
      const { status, value } = await call(method, path, { body: { contact } });
      return [status, (value as { data: { list_ids: number[] } }).data.list_ids];
    };
    const email = 'ann@example.org';
    expect(await listsAfter('POST', '/api/contacts', { email, list_ids: [null] })).toEqual([201, []]);
    const path = `/api/contacts/${email}`;
    const included = { list_ids_included: [null, id], list_ids_excluded: [null] };
    expect(await listsAfter('PATCH', path, included)).toEqual([200, [id]]);
    expect(await listsAfter('PATCH', path, { list_ids_excluded: [id, null] })).toEqual([200, []]);
    const wrong = { contact: { email: 'ben@example.org', list_ids: [null, 'x'] } };
    expect((await call('POST', '/api/contacts', { body: wrong })).status).toBe(422);
  });

  test('of a contact that is imported, and of the filter of an export', async () => {
    const emulator = still();
    const call = wire(emulator);
    const id = await known(call);
    const contacts = [{ email: 'ann@example.org', list_ids_included: [null, id] }];
    expect((await call('POST', '/api/contacts/imports', { body: { contacts } })).status).toBe(201);
    emulator.clock.advance(60_000);
    expect((await call('GET', '/api/contacts/ann@example.org')).value).toMatchObject({
      data: { list_ids: [id] },
    });
    const filters = [{ name: 'list_id', operator: 'equal', value: [null, id] }];
    expect((await call('POST', '/api/contacts/exports', { body: { filters } })).status).toBe(201);
  });

  test('of a campaign: contact_list_ids, contact_segment_ids', async () => {
    const emulator = still();
    const id = emulator.campaigns.add();
    const body = { contact_list_ids: [null, 5, 5], contact_segment_ids: [null] };
    const { status, value } = await wire(emulator)('PATCH', `/api/email_campaigns/${id}`, { body });
    expect([status, value]).toMatchObject([
      200,
      { data: { contact_list_ids: [5], contact_segment_ids: [] } },
    ]);
  });
});

describe('The link by which recipients of bulk email unsubscribe', () => {
  const given = {
    text: 'Leave: __unsubscribe_url__',
    html: '<a href="__unsubscribe_url__">Leave</a> <b>__unsubscribe_url__</b>',
  };
  const links = (emulator: Emulator) =>
    emulator.messages().map(({ headers }) => /^<(.*)>$/.exec(headers['List-Unsubscribe'] ?? '')?.[1] ?? '');

  test('takes the place of its placeholder, and is in two headers: each recipient has one of their own', async () => {
    const emulator = still();
    const to = [{ email: 'ann@example.org' }, { email: 'ben@example.org' }];
    const ids = idsOf(await post(emulator, { ...given, to, headers: { 'X-A': '1' } }, { host: 'bulk' }));
    const own = links(emulator);
    expect(emulator.messages()).toMatchObject(
      own.map((link, index) => ({
        id: ids[index],
        text: `Leave: ${link}`,
        html: `<a href="${link}">Leave</a> <b>${link}</b>`,
        givenHtml: given.html,
        headers: { 'X-A': '1', 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
      })),
    );
    expect(own[0]).toMatch(/^https:\/\/emulator\.test\/reader\/unsubscribe\/[\da-f-]{36}\/[\da-f]{32}$/);
    expect(new Set(own).size).toBe(2);
    const { raw_message_url: url } = await message(emulator, ids[0] ?? '');
    const raw = await (await emulator.fetch(url)).text();
    expect(raw).toContain(`List-Unsubscribe: <${own[0]}>`);
    // The source has it over two lines.
    expect(raw.replaceAll('=\r\n', '')).toContain(`Leave: ${own[0]}`);
    expect(raw).not.toContain('__unsubscribe_url__');
    expect((await get(emulator, ids[0] ?? '')).status).toBe(200);
  });

  test('is in the headers without a placeholder, too, and not where the email has such a header itself', async () => {
    const emulator = still();
    const headers = { 'list-unsubscribe': '<https://example.com/leave>' };
    await post(emulator, { html: '<p>' }, { host: 'bulk' });
    await post(emulator, { headers }, { host: 'bulk' });
    const [plain, own] = emulator.messages();
    expect(plain?.html).toBe('<p>');
    expect(Object.keys(plain?.headers ?? {})).toEqual(['List-Unsubscribe', 'List-Unsubscribe-Post']);
    expect(own?.headers).toEqual(headers);
  });

  test('takes the place of its placeholder on the transactional stream, too, but is not in the headers', async () => {
    const emulator = still();
    await post(emulator, given);
    const [message] = emulator.messages();
    expect(message?.text).toMatch(/^Leave: https:\/\/emulator\.test\/reader\/unsubscribe\//);
    expect(message).toMatchObject({ givenHtml: given.html, headers: {} });
    expect(message?.html).not.toContain('__');
  });

  test('is not in what a test inbox captures', async () => {
    const emulator = still();
    await post(emulator, given, { host: 'sandbox' });
    expect(emulator.messages()).toMatchObject([{ ...given, givenHtml: given.html, headers: {} }]);
  });

  test.each(['send', 'bulk'] as const)(
    'and that of the tracking opt-out work on the host %s',
    async (host) => {
      const emulator = still();
      await post(emulator, { html: '<a href="__tracking_opt_out_url__">Do not track me</a>' }, { host });
      const [link] = emulator.messages()[0]?.links ?? [];
      await emulator.fetch(link?.url ?? '', { method: 'POST' });
      await emulator.fetch(link?.url ?? '', { method: 'POST' });
      const { value } = await wire(emulator)('GET', '/api/tracking_opt_outs');
      expect(value).toMatchObject({ data: [{ email: mail.to[0]?.email }] });
    },
  );

  test('is in emails of a batch, and after a restored snapshot', async () => {
    const emulator = still();
    const requests = [{ ...mail, ...given }];
    await wire(emulator)('POST', '/api/batch', { host: 'bulk', body: { requests } });
    const before = emulator.messages();
    expect(before[0]?.html).toContain('https://emulator.test/reader/unsubscribe/');
    const other = still();
    other.restore(JSON.parse(JSON.stringify(emulator.snapshot())) as ReturnType<typeof emulator.snapshot>);
    expect(other.messages()).toEqual(before);
  });
});
