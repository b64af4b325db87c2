import { InvalidRequestError, NotFoundError, PermissionDeniedError, ValidationError } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../support/caught.ts';
import { faces } from '../../support/faces.ts';

const params = {
  name: 'Welcome',
  subject: 'Hello {{name}}',
  category: 'onboarding',
  body_html: '<p>{{name}}</p>',
};

describe.each(faces)('Templates, %s', (_, connect) => {
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
