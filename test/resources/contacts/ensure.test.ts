import fc from 'fast-check';
import {
  ConnectionError,
  EmailPlatform,
  InvalidRequestError,
  TimeoutError,
  ValidationError,
} from 'email-platform';
import { createEmulator, type Emulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { sized } from '../../support/extent.ts';
import { rejection } from '../../support/expect-error.ts';
import { emulated } from '../../support/contacts-service.ts';
import { empty, json, lost, scriptedFetch } from '../../support/scripted-fetch.ts';

const city = { name: 'City', data_type: 'text', merge_tag: 'city' };

/** The requests that the emulator received, without its address. */
const asked = ({ requests }: Emulator) =>
  requests.map(({ method, path }) => `${method} ${path.replace(/^.*contacts/, '')}`);

/** A client whose requests, and whose responses, arrive in an order that the numbers decide. */
function reordered(emulator: Emulator, turns: () => number) {
  const wait = async () => {
    for (let left = turns(); left > 0; left -= 1) await Promise.resolve();
  };
  return new EmailPlatform({
    ...emulator.clientOptions(),
    throttle: false,
    fetch: async (input, init) => {
      await wait();
      const response = await emulator.fetch(input, init);
      await wait();
      return response;
    },
  });
}

describe('contacts.lists.ensure', () => {
  test('returns the list of that very name: not one that begins with it, or is written otherwise', async () => {
    const { client, emulator } = emulated();
    const { lists } = client.contacts;
    for (const name of ['Readers of May', 'READERS']) await lists.create({ name });
    const made = await lists.ensure('Readers');
    expect(made).toEqual({ id: expect.any(Number) as number, name: 'Readers' });
    const before = asked(emulator).length;
    expect(await lists.ensure('Readers')).toEqual(made);
    expect(asked(emulator).slice(before)).toEqual(['GET /lists']);
    expect(await lists.list().toArray()).toHaveLength(3);
  });

  test('returns the oldest of several lists with the same name', async () => {
    const { lists } = emulated().client.contacts;
    const { id } = await lists.create({ name: 'Readers' });
    await lists.create({ name: 'Readers' });
    expect(await lists.ensure('Readers')).toMatchObject({ id });
  });

  test('by several at once leaves one list, which all of them return: in any order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.infiniteStream(fc.nat(40)),
        fc.integer({ min: 2, max: 4 }),
        async (turns, count) => {
          const emulator = createEmulator();
          const next = () => turns.next().value as number;
          const clients = Array.from({ length: count }, () => reordered(emulator, next));
          const found = await Promise.all(clients.map(({ contacts }) => contacts.lists.ensure('Readers')));
          const left = await clients[0]?.contacts.lists.list().toArray();
          expect(left).toHaveLength(1);
          expect(new Set(found.map(({ id }) => id))).toEqual(new Set(left?.map(({ id }) => id)));
        },
      ),
      { numRuns: sized(60, 15) },
    );
  });

  test('finds the list it created when the response was lost', async () => {
    const { client, emulator } = emulated();
    emulator.faults.next({ kind: 'reset-after', match: { method: 'POST' } });
    const list = await client.contacts.lists.ensure('Readers');
    expect(await client.contacts.lists.list().toArray()).toEqual([list]);
    expect(asked(emulator)).toEqual(['GET /lists', 'POST /lists', 'GET /lists', 'GET /lists']);
  });

  test('fails if creating it failed and it does not exist: it does not create another by itself', async () => {
    const { fetch, sent } = scriptedFetch(json(200, []), lost, json(200, []));
    const client = new EmailPlatform({
      token: 't',
      hosts: { api: 'https://api.test' },
      fetch,
      throttle: false,
    });
    const error = await rejection(client.contacts.lists.ensure('Readers'), ConnectionError);
    expect(error.effect).toBe('unknown');
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET']);
  });

  test('removes the list of its own where another was there first', async () => {
    const [first, second] = [
      { id: 7, name: 'Readers' },
      { id: 8, name: 'Readers' },
    ];
    const { fetch, sent } = scriptedFetch(
      json(200, []),
      json(200, second),
      json(200, [second, first]),
      empty(204),
    );
    const client = new EmailPlatform({
      token: 't',
      hosts: { api: 'https://api.test' },
      fetch,
      throttle: false,
    });
    expect(await client.contacts.lists.ensure('Readers')).toEqual(first);
    expect(sent.at(-1)).toMatchObject({ method: 'DELETE', url: 'https://api.test/api/contacts/lists/8' });
  });

  test('takes the options of its requests, of which deadlineMs is for all of them', async () => {
    const { emulator, client, time } = emulated(
      {},
      {
        fetch: async (input, init) => {
          await time.advance(400);
          return emulator.fetch(input, init);
        },
      },
    );
    const call = client.contacts.lists.ensure('Readers', { deadlineMs: 1_000, meta: 'trace' });
    const error = await rejection(call, TimeoutError);
    expect([error.kind, time.now()]).toEqual(['deadline', 1_000]);
  });

  test.each<[unknown, object | undefined, string]>([
    [undefined, undefined, 'name: is required'],
    [7, undefined, 'name: must be a string'],
    [{ name: 'Readers' }, undefined, 'name: must be a string: pass the name alone'],
    ['Readers', { timeout: 5 }, 'options.timeout: is not a known field; did you mean `timeoutMs`?'],
  ])('refuses %j with %j before anything is sent', async (name, options, issue) => {
    const { client, emulator } = emulated();
    const error = await rejection(client.contacts.lists.ensure(name as string, options), InvalidRequestError);
    expect(error.message).toBe(`contacts.lists.ensure was not sent: ${issue}`);
    expect(emulator.requests).toEqual([]);
  });
});

describe('contacts.fields.ensure', () => {
  test('returns the field with the merge tag, whatever its name is, or creates it', async () => {
    const { client, emulator } = emulated();
    const made = await client.contacts.fields.ensure(city);
    expect(made).toMatchObject(city);
    expect(await client.contacts.fields.ensure({ ...city, name: 'Town' })).toEqual(made);
    expect(asked(emulator)).toEqual(['GET /fields', 'POST /fields', 'GET /fields', 'GET /fields']);
  });

  test('refuses a field of another type: a type cannot change', async () => {
    const { client } = emulated();
    await client.contacts.fields.ensure(city);
    const error = await rejection(
      client.contacts.fields.ensure({ ...city, data_type: 'integer' }),
      InvalidRequestError,
    );
    expect(error.issues).toEqual([
      {
        path: 'data_type',
        message: 'must be the data_type of the existing field with this merge_tag, which cannot change',
      },
    ]);
  });

  test('by two at once returns the one field: the service refuses the second', async () => {
    const emulator = createEmulator();
    let turn = 0;
    const clients = [0, 1].map(() => reordered(emulator, () => (turn += 1)));
    const found = await Promise.all(clients.map(({ contacts }) => contacts.fields.ensure(city)));
    expect(found[0]).toEqual(found[1]);
    expect(asked(emulator).filter((line) => line.startsWith('POST'))).toHaveLength(2);
    expect(await clients[0]?.contacts.fields.list().toArray()).toHaveLength(1);
  });

  test('fails as contacts.fields.create does, where there is still no such field', async () => {
    const { client } = emulated();
    const error = await rejection(
      client.contacts.fields.ensure({ ...city, data_type: 'colour' }),
      ValidationError,
    );
    expect(error.fieldErrors).toHaveProperty('data_type');
  });

  test('checks its parameters before anything is sent', async () => {
    const { client, emulator } = emulated();
    const error = await rejection(
      client.contacts.fields.ensure({ name: 'City' } as never),
      InvalidRequestError,
    );
    expect(error.message).toBe(
      'contacts.fields.ensure was not sent: merge_tag: is required; data_type: is required',
    );
    expect(emulator.requests).toEqual([]);
  });
});
