import { describe, expect, test } from 'vitest';
import { uuid } from '../../../tools/mail.ts';
import { start, still, wire } from '../../../tools/wire.ts';

const forms = ['/api/email_templates', '/api/accounts/1001/email_templates'];
const [path = ''] = forms;
const fields = { name: 'Welcome', subject: 'Hi {{name}}', category: 'onboarding' };
const now = new Date(start).toISOString();

function setUp() {
  const emulator = still();
  const call = wire(emulator);
  const create = async (given: Record<string, unknown> = {}) => {
    const { value } = await call('POST', path, { body: { email_template: { ...fields, ...given } } });
    return value as { id: number; uuid: string };
  };
  return { emulator, call, create };
}

describe.each(forms)('Templates: %s', (base) => {
  test('create returns 201 with the bare record: integer id, UUID, the fields', async () => {
    const { call } = setUp();
    const body = { email_template: { ...fields, body_html: '<p>', body_text: 'Hi' } };
    const { status, value } = await call('POST', base, { body });
    expect([status, value]).toEqual([
      201,
      {
        id: expect.any(Number) as unknown,
        uuid: expect.stringMatching(uuid) as unknown,
        ...fields,
        body_html: '<p>',
        body_text: 'Hi',
        created_at: now,
        updated_at: now,
      },
    ]);
  });

  test('list is a bare array, get a bare record, update partial, delete 204', async () => {
    const { emulator, call, create } = setUp();
    const { id } = await create({ body_text: 'Hi' });
    await create({ name: 'Second' });
    expect((await call('GET', base)).value).toMatchObject([{ name: 'Welcome' }, { name: 'Second' }]);
    emulator.clock.advance(1000);
    const change = { email_template: { subject: 'Hello' } };
    const updated = await call('PATCH', `${base}/${id}`, { body: change });
    expect([updated.status, updated.value]).toMatchObject([
      200,
      {
        ...fields,
        subject: 'Hello',
        body_text: 'Hi',
        created_at: now,
        updated_at: '2026-01-31T12:00:01.000Z',
      },
    ]);
    expect((await call('GET', `${base}/${id}`)).value).toEqual(updated.value);
    const gone = await call('DELETE', `${base}/${id}`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    for (const method of ['GET', 'DELETE']) {
      const { status, text } = await call(method, `${base}/${id}`);
      expect([status, text]).toEqual([404, '{"error":"Not Found"}']);
    }
  });

  test('without the wrapper: 400 with an empty page', async () => {
    const { call } = setUp();
    for (const body of [fields, {}, { email_template: {} }, { email_template: 'x' }]) {
      const { status, text, headers } = await call('POST', base, { body });
      expect([status, text, headers.get('content-type')]).toEqual([400, '', 'text/html; charset=UTF-8']);
    }
  });
});

describe('Templates: rules', () => {
  test.each([
    [{ name: '' }, { name: ["can't be blank"] }],
    [{ subject: null }, { subject: ["can't be blank"] }],
    [{ category: 7 }, { category: ['is invalid'] }],
    [{ name: 'n'.repeat(256) }, { name: ['is too long (maximum is 255 characters)'] }],
    [{ body_html: 'b'.repeat(10_000_001) }, { body_html: ['is too long (maximum is 10000000 characters)'] }],
    [{ body_text: [] }, { body_text: ['is invalid'] }],
  ])('422 with a map from fields to messages (%#)', async (given, errors) => {
    const { call, create } = setUp();
    const { id } = await create();
    const body = { email_template: { ...fields, ...given } };
    for (const [method, at] of [
      ['POST', path],
      ['PATCH', `${path}/${id}`],
    ] as const) {
      const { status, value } = await call(method, at, { body });
      expect([status, value]).toEqual([422, { errors }]);
    }
  });

  test('name, subject and category are required on create; bodies are not', async () => {
    const { call } = setUp();
    const { value } = await call('POST', path, { body: { email_template: { body_text: 'Hi' } } });
    expect(Object.keys((value as { errors: object }).errors)).toEqual(['name', 'subject', 'category']);
  });

  test('Limits: 200 per account', async () => {
    const { emulator, call, create } = setUp();
    for (let index = 0; index < 200; index += 1) {
      if (index === 100) emulator.clock.advance(10_000);
      await create();
    }
    emulator.clock.advance(10_000);
    const body = { email_template: fields };
    const { status, value } = await call('POST', path, { body });
    expect([status, value]).toEqual([
      422,
      {
        errors: {
          base: [
            "You've reached the maximum number of templates allowed. Please upgrade your plan to add more.",
          ],
        },
      },
    ]);
    const token = emulator.createToken({ accountId: 77 });
    expect((await call('POST', path, { body, token })).status).toBe(201);
  });

  test('Authentication: managing templates needs admin access', async () => {
    const { emulator, call, create } = setUp();
    const { id } = await create();
    const token = emulator.createToken({ permissions: { templates: 'viewer' } });
    expect((await call('GET', path, { token })).status).toBe(200);
    expect((await call('POST', path, { token, body: { email_template: fields } })).status).toBe(403);
    expect((await call('PATCH', `${path}/${id}`, { token, body: { email_template: fields } })).status).toBe(
      403,
    );
    expect((await call('DELETE', `${path}/${id}`, { token })).status).toBe(403);
  });

  test("another account's templates are not found", async () => {
    const { emulator, call, create } = setUp();
    const { id } = await create();
    const token = emulator.createToken({ accountId: 77 });
    expect((await call('GET', path, { token })).value).toEqual([]);
    expect((await call('GET', `${path}/${id}`, { token })).status).toBe(404);
    expect((await call('GET', '/api/accounts/77/email_templates')).status).toBe(404);
  });
});

describe.each(['/api/templates', '/api/accounts/1001/templates'])('Templates by page: %s', (base) => {
  interface Data {
    data: { id: number; name: string; subject: string };
  }

  test('the wrapper of the older paths is accepted when a template is created and when it is changed', async () => {
    const { call } = setUp();
    const made = await call('POST', base, { body: { email_template: fields } });
    expect([made.status, made.value]).toMatchObject([201, { data: fields }]);
    const { id } = (made.value as Data).data;
    const body = { email_template: { subject: 'Hello' } };
    for (const method of ['PATCH', 'PUT']) {
      const changed = await call(method, `${base}/${id}`, { body });
      expect([changed.status, changed.value]).toMatchObject([200, { data: { ...fields, subject: 'Hello' } }]);
    }
    const flat = await call('PATCH', `${base}/${id}`, { body: { subject: 'Flat' } });
    expect(flat.value).toMatchObject({ data: { subject: 'Flat' } });
    const refused = await call('POST', base, { body: { email_template: { ...fields, name: '' } } });
    expect([refused.status, refused.value]).toEqual([422, { errors: { name: ["can't be blank"] } }]);
  });

  test('an update without an attribute changes nothing', async () => {
    const { call, create } = setUp();
    const { id } = await create();
    for (const body of [{}, { email_template: {} }]) {
      const { status, value } = await call('PATCH', `${base}/${id}`, { body });
      expect([status, value]).toMatchObject([200, { data: fields }]);
    }
  });

  test('a token past the end: no data, the token itself, and the last page that has data before it', async () => {
    const { call, create } = setUp();
    const pageAt = async (token: number) => (await call('GET', `${base}?token=${token}&per_page=2`)).value;
    expect(await pageAt(9)).toMatchObject({
      data: [],
      pagination: { token: 9, prev_token: null, next_token: null, prev_url: null },
    });
    for (let index = 0; index < 3; index += 1) await create();
    expect(await pageAt(2)).toMatchObject({ pagination: { token: 2, prev_token: 1, next_token: null } });
    for (const token of [3, 9, 5_000_000]) {
      expect(await pageAt(token)).toMatchObject({
        data: [],
        pagination: {
          token,
          prev_token: 2,
          next_token: null,
          prev_url: expect.stringMatching(/per_page=2&token=2$/) as unknown,
          current_url: expect.stringMatching(new RegExp(`token=${token}$`)) as unknown,
        },
      });
    }
  });

  test.each([
    // 2^63 − 1 is 9223372036854775807, and the offset is (token − 1) × per_page.
    ['9223372036854775808', 1, 200],
    ['9223372036854775809', 1, 422],
    ['92233720368547759', 100, 200],
    ['92233720368547760', 100, 422],
    ['9'.repeat(40), 50, 422],
  ])('token %s with per_page %i → %i', async (token, perPage, expected) => {
    const { call } = setUp();
    const { status, value } = await call('GET', `${base}?token=${token}&per_page=${perPage}`);
    expect(status).toBe(expected);
    if (expected === 422) expect(value).toEqual({ errors: 'token is out of range' });
  });

  test('listing and creating have 150 requests a minute each, and their refusals state no limit', async () => {
    const emulator = still({ limits: { token: false } });
    const call = wire(emulator);
    const create = (index: number, at = base) => call('POST', at, { body: { ...fields, name: `${index}` } });
    for (let index = 0; index < 150; index += 1) {
      expect((await create(index)).status).toBe(201);
      expect((await call('GET', base)).status).toBe(200);
    }
    for (const refused of [await create(150), await call('GET', base)]) {
      expect([refused.status, refused.text]).toEqual([429, '{"errors":"Rate limit exceeded"}']);
      expect([...refused.headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([]);
    }
    // Only the token's own limit counts these.
    expect((await call('GET', '/api/email_templates')).status).toBe(200);
    expect((await create(150, '/api/email_templates')).status).toBe(400);
    const [{ id = 0 } = {}] = (await call('GET', '/api/email_templates')).value as { id?: number }[];
    expect((await call('GET', `${base}/${id}`)).status).toBe(200);
    emulator.clock.advance(60_000);
    expect((await call('GET', base)).status).toBe(200);
    expect((await create(151)).status).toBe(201);
  });

  test("a refusal by a template's own limit has no header of the token's limit, which other answers have", async () => {
    const call = wire(still({ limits: { templatesList: { requests: 1, perMs: 60_000 } } }));
    expect((await call('GET', base)).headers.get('x-ratelimit-remaining')).toBe('149');
    const refused = await call('GET', base);
    expect([refused.status, refused.headers.get('x-ratelimit-remaining')]).toEqual([429, null]);
    const throttled = wire(still({ limits: { token: { requests: 1, perMs: 10_000 } } }));
    await throttled('GET', base);
    const byToken = await throttled('GET', base);
    expect([byToken.status, byToken.text]).toEqual([429, '{"error":"Throttled"}']);
    expect(byToken.headers.get('x-ratelimit-reset')).not.toBeNull();
  });
});

test.each([null, ''])('a body that is set stays when an update clears it with %j', async (nothing) => {
  const { call, create } = setUp();
  const { id } = await create({ body_text: 'Hi' });
  const body = { email_template: { body_text: nothing, body_html: nothing, subject: 'New' } };
  const { status, value } = await call('PATCH', `${path}/${id}`, { body });
  expect([status, value]).toMatchObject([200, { subject: 'New', body_text: 'Hi', body_html: nothing }]);
});

describe('Templates of the visual editor', () => {
  test.each(forms)('%s: their bodies cannot be changed, their other fields can', async (base) => {
    const { emulator, call } = setUp();
    const { id, uuid: own } = emulator.templates.add({ ...fields, body_html: '<p>Hi</p>', editor: 'visual' });
    expect(own).toMatch(uuid);
    const update = (given: object) => call('PATCH', `${base}/${id}`, { body: { email_template: given } });
    const said = (name: string) => [`cannot update ${name} of template created within UI editor`];
    const refused = await update({ subject: 'New', body_html: '<p>', body_text: 'x' });
    expect([refused.status, refused.value]).toEqual([
      422,
      { errors: { body_html: said('body_html'), body_text: said('body_text') } },
    ]);
    expect((await call('GET', `${base}/${id}`)).value).toMatchObject({ ...fields, body_html: '<p>Hi</p>' });
    // The same body again changes nothing.
    const changed = await update({ subject: 'New', body_html: '<p>Hi</p>' });
    expect([changed.status, changed.value]).toMatchObject([200, { subject: 'New', body_html: '<p>Hi</p>' }]);
  });

  test('a template that a test adds is otherwise like any other', async () => {
    const { emulator, call } = setUp();
    const { id } = emulator.templates.add();
    const other = emulator.templates.add({ name: 'Receipt', body_text: 'Thanks' });
    expect((await call('GET', path)).value).toMatchObject([{ id }, { ...other, name: 'Receipt' }]);
    const body = { email_template: { body_html: '<p>New</p>' } };
    expect((await call('PATCH', `${path}/${id}`, { body })).value).toMatchObject({ body_html: '<p>New</p>' });
    expect(() => emulator.templates.add({ name: '' })).toThrow("name can't be blank");
    expect(() => emulator.templates.add({ editor: 'word' as 'visual' })).toThrow(RangeError);
  });
});
