import {
  EmailPlatform,
  InvalidRequestError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ValidationError,
} from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { inMemoryAndOnAPort } from '../../support/in-memory-and-on-a-port.ts';
import { throughItsWaits, virtualClient, WALL_START } from '../../support/virtual-client.ts';

const params = {
  name: 'Welcome',
  subject: 'Hello {{name}}',
  category: 'onboarding',
  body_html: '<p>{{name}}</p>',
};

describe.each(inMemoryAndOnAPort)('Templates, %s', (_, connect) => {
  describe.each([
    ['under the account', 1],
    ['in the form of the token', 0],
  ])('%s', (_form, hasAccount) => {
    const prepared = async () => {
      const { emulator, connect: again } = await connect();
      const { accountId } = emulator.clientOptions();
      const client = again({ accountId: hasAccount ? accountId : undefined });
      const base = hasAccount ? `/api/accounts/${accountId}/email_templates` : '/api/email_templates';
      return { emulator, client, base };
    };

    test('create, get, list, update, delete', async () => {
      const { emulator, client, base } = await prepared();
      const made = await client.templates.create(params);
      expect(made).toMatchObject(params);
      expect(made.uuid).toMatch(/^[\da-f-]{36}$/);
      expect(await client.templates.get(made.id)).toEqual(made);
      expect((await client.templates.list()).items).toContainEqual(made);
      const changed = await client.templates.update(made.id, { subject: 'Hi' });
      expect(changed).toMatchObject({ ...params, subject: 'Hi', uuid: made.uuid });
      await client.templates.delete(made.id);
      await rejection(client.templates.get(made.id), NotFoundError);
      expect(
        emulator.requests.map(({ method, path, status }) => `${method} ${path} ${String(status)}`),
      ).toEqual([
        `POST ${base} 201`,
        `GET ${base}/${made.id} 200`,
        `GET ${base} 200`,
        `PATCH ${base}/${made.id} 200`,
        `DELETE ${base}/${made.id} 204`,
        `GET ${base}/${made.id} 404`,
      ]);
    });
  });

  test('Limits: 200 templates in an account', async () => {
    const { connect: again } = await connect({ limits: false });
    const client = again({ throttle: false });
    const count = (await client.templates.list().toArray()).length;
    const make = (n: number) => client.templates.create({ ...params, name: `Template ${n}` });
    await Promise.all(Array.from({ length: 200 - count }, (_none, n) => make(n)));
    const error = await rejection(make(200), ValidationError);
    expect(error.status).toBe(422);
    expect(await client.templates.list().toArray()).toHaveLength(200);
  });

  test('a refused field is named', async () => {
    const { client } = await connect();
    const error = await rejection(client.templates.create({ ...params, name: '' }), ValidationError);
    expect(error.fieldErrors).toHaveProperty('name');
  });

  test('invalid arguments are refused before anything is sent', async () => {
    const { emulator, client } = await connect();
    const wrong = { name: 'n'.repeat(256), subject: 1, category: 'c', extra: true };
    const error = await rejection(client.templates.create(wrong as never), InvalidRequestError);
    expect(error.issues).toEqual([
      { path: 'name', message: 'must be at most 255 characters' },
      { path: 'subject', message: 'must be a string' },
      { path: 'extra', message: 'is not a known field' },
    ]);
    await rejection(client.templates.update(-1, {}), InvalidRequestError);
    expect(emulator.requests).toEqual([]);
  });

  test('Authentication: creating needs a token with admin access', async () => {
    const { emulator, connect: again } = await connect();
    const client = again({ token: emulator.createToken({ permissions: { templates: 'viewer' } }) });
    await rejection(client.templates.create(params), PermissionDeniedError);
  });
});

describe.each(inMemoryAndOnAPort)('Templates page by page, %s', (_, connect) => {
  describe.each([
    ['under the account', true],
    ['in the form of the token', false],
  ])('%s', (_form, hasAccount) => {
    const prepared = async () => {
      const { emulator, connect: again } = await connect();
      const { accountId } = emulator.clientOptions();
      const client = again({ accountId: hasAccount ? accountId : undefined });
      const base = hasAccount ? (`/api/accounts/${accountId}/templates` as const) : '/api/templates';
      return { emulator, client, base };
    };

    test('create, get, list, update, delete: the same templates', async () => {
      const { emulator, client, base } = await prepared();
      const { paginated } = client.templates;
      const made = await paginated.create(params);
      expect(made).toMatchObject(params);
      expect(await paginated.get(made.id)).toEqual(made);
      expect(await client.templates.get(made.id)).toEqual(made);
      expect((await paginated.list()).items).toContainEqual(made);
      const changed = await paginated.update(made.id, { subject: 'Hi' });
      expect(changed).toEqual({ ...made, subject: 'Hi', updated_at: changed.updated_at });
      expect((await client.templates.list()).items).toContainEqual(changed);
      await paginated.delete(made.id);
      await rejection(client.templates.get(made.id), NotFoundError);
      const sent = emulator.requests.map(({ method, path, status }) => `${method} ${path} ${String(status)}`);
      expect(sent.filter((request) => !request.includes('email_templates'))).toEqual([
        `POST ${base} 201`,
        `GET ${base}/${made.id} 200`,
        `GET ${base} 200`,
        `PATCH ${base}/${made.id} 200`,
        `DELETE ${base}/${made.id} 204`,
      ]);
    });

    test('on the wire, bodies are flat, objects are in `data`, and a page says where it is', async () => {
      const { client, base } = await prepared();
      const { name, subject, category } = params;
      const body = { name, subject, category };
      const { data: made } = await client.request<{ data: EmailPlatform.Template }>({
        method: 'POST',
        path: base,
        body,
      });
      expect(made).toMatchObject({ ...body, body_html: null, body_text: null });
      const path = `${base}/${made.id}`;
      expect(await client.request({ method: 'GET', path })).toEqual({ data: made });
      for (const other of ['Second', 'Third']) await client.templates.create({ ...params, name: other });
      const query = { token: 2, per_page: 1 };
      const page = await client.request<{ data: EmailPlatform.Template[] }>({
        method: 'GET',
        path: base,
        query,
      });
      const url = (token: number): unknown => expect.stringMatching(`${base}\\?per_page=1&token=${token}$`);
      expect(page).toEqual({
        data: [expect.objectContaining({ name: 'Second' })],
        pagination: {
          token: 2,
          prev_token: 1,
          next_token: 3,
          first_url: url(1),
          prev_url: url(1),
          current_url: url(2),
          next_url: url(3),
        },
      });
    });
  });

  test('a list is read page by page, newest first, from any page', async () => {
    const { emulator, client } = await connect({ seed: 'demo' });
    const { paginated } = client.templates;
    const ids = (await client.templates.list().toArray()).map(({ id }) => id).reverse();
    expect(ids.length).toBeGreaterThan(3);
    const before = emulator.requests.length;
    expect((await paginated.list({ per_page: 2 }).toArray()).map(({ id }) => id)).toEqual(ids);
    expect(emulator.requests.length - before).toBe(Math.ceil(ids.length / 2));
    const second = await paginated.list({ token: 2, per_page: 2 });
    expect(second.data.map(({ id }) => id)).toEqual(ids.slice(2, 4));
    expect(second.pagination).toMatchObject({ token: 2, prev_token: 1 });
  });

  test('pages have 50 templates unless another number is given, at most 100', async () => {
    const { connect: again } = await connect({ limits: false });
    const { paginated } = again({ throttle: false }).templates;
    await Promise.all(
      Array.from({ length: 60 }, (_none, n) => paginated.create({ ...params, name: `${n}` })),
    );
    expect((await paginated.list()).items).toHaveLength(50);
    expect((await paginated.list({ per_page: 100 })).hasNextPage).toBe(false);
    for (const wrong of [{ per_page: 101 }, { per_page: 0 }, { token: 0 }, { search: 'x' }]) {
      const error = await rejection(paginated.list(wrong as object).toArray(), InvalidRequestError);
      expect(error.issues.map(({ path }) => path)).toEqual(Object.keys(wrong));
    }
  });

  test('a refusal of the service is the same at both paths', async () => {
    const { client, emulator, connect: again } = await connect();
    const { paginated } = client.templates;
    const error = await rejection(paginated.create({ ...params, name: '' }), ValidationError);
    expect(error.fieldErrors).toHaveProperty('name');
    await rejection(paginated.get(1), NotFoundError);
    const viewer = again({ token: emulator.createToken({ permissions: { templates: 'viewer' } }) });
    await rejection(viewer.templates.paginated.create(params), PermissionDeniedError);
  });
});

test.each([
  ['templatesList', (client: EmailPlatform) => client.templates.paginated.list()],
  ['templatesCreate', (client: EmailPlatform) => client.templates.paginated.create(params)],
] as const)(
  'a refusal by %s states no reset: the call waits one window, and no other pool closes',
  async (pool, call) => {
    let elapsed = () => 0;
    const emulator = createEmulator({
      now: () => WALL_START + elapsed(),
      limits: { [pool]: { requests: 1, perMs: 60_000 } },
    });
    const options = { ...emulator.clientOptions(), throttle: {} };
    // Another client has used the limit up.
    await call(new EmailPlatform(options));
    const error = await rejection(call(new EmailPlatform({ ...options, retry: false })), RateLimitError);
    expect([error.pool, error.messages]).toEqual([pool, ['Rate limit exceeded']]);
    expect([error.resetAt, error.retryAfterMs]).toEqual([undefined, undefined]);

    const retries: object[] = [];
    const { client, time } = virtualClient({
      ...options,
      hooks: {
        onRetry: ({ delayMs }) => {
          const { token, [pool]: closed } = client.limits.snapshot();
          retries.push({ delayMs, token: token?.blockedUntil, own: closed?.blockedUntil });
        },
      },
    });
    elapsed = () => time.now();
    const called = async () => {
      await call(client);
    };
    await throughItsWaits(time, called());
    // A tenth of the window is added at most; here, half of that.
    expect(retries).toEqual([{ delayMs: 63_000, token: undefined, own: new Date(WALL_START + 63_000) }]);
    expect(emulator.requests.map(({ status }) => status)).toHaveLength(4);
  },
);

test('a body of a template made in the visual editor is refused by name', async () => {
  const emulator = createEmulator();
  const { templates } = new EmailPlatform(emulator.clientOptions());
  const { id, uuid } = emulator.templates.add({ ...params, editor: 'visual' });
  expect(await templates.get(id)).toMatchObject({ ...params, uuid });
  const update = { subject: 'Hi', body_html: '<p>' };
  for (const family of [templates, templates.paginated]) {
    const error = await rejection(family.update(id, update), ValidationError);
    expect(error.fieldErrors).toEqual({
      body_html: ['cannot update body_html of template created within UI editor'],
    });
  }
});
