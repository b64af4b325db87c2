import { describe, expect, test } from 'vitest';
import { uuid } from './mail.ts';
import { start, still, wire } from './wire.ts';

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
      { errors: { base: ['The limit of 200 templates per account is reached'] } },
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
