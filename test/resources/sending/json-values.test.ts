import { EmailPlatform, InvalidRequestError } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';

const emulator = createEmulator();
const client = new EmailPlatform(emulator.clientOptions());
const address = { from: 'a@mail.example.com', to: 'ann@example.org' };
const template_uuid = crypto.randomUUID();

class Money {
  readonly #cents = 400;
  get cents() {
    return this.#cents;
  }
}

test.each<[string, unknown, string]>([
  ['a promise', Promise.resolve('4 €'), '.total'],
  ['NaN', Number.NaN, '.total'],
  ['a Map in a list', [1, new Map([['EUR', 4]])], '.total[1]'],
  ['a Set in an object', { lines: new Set([4]) }, '.total.lines'],
  ['a function', () => 4, '.total'],
  ['a symbol', Symbol('4'), '.total'],
  ['a Date', new Date(0), '.total'],
  ['undefined', undefined, '.total'],
  ['a hole in a list', [1, undefined], '.total[1]'],
  ['bytes', new Uint8Array([4]), '.total'],
  ['an instance without fields', new Money(), '.total'],
  ['half of an emoji', { note: '\ud83c' }, '.total.note'],
])('a variable that JSON drops or changes is refused with its path: %s', async (_, total, path) => {
  const call = client.sending.send({ ...address, template_uuid, template_variables: { total } });
  const { issues } = await rejection(call, InvalidRequestError);
  expect(issues.map((issue) => issue.path)).toEqual([`template_variables${path}`]);
});

test('what JSON keeps is sent as it is', () => {
  const sent = (template_variables: object) =>
    client.sending.send({ ...address, template_uuid, template_variables } as never);
  return fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ stringUnit: 'grapheme' })),
      async (variables) => {
        const { issues } = await sent(variables).then(
          () => ({ issues: [] }),
          (error: unknown) => ({ issues: (error as Partial<InvalidRequestError>).issues ?? [] }),
        );
        expect(issues).toEqual([]);
      },
    ),
    { numRuns: 30 },
  );
});

test.each<[string, () => PromiseLike<unknown>, string]>([
  ['a subject', () => client.sending.send({ ...address, subject: 'Sale \ud83c', text: 'T' }), 'subject'],
  ['a text', () => client.sending.send({ ...address, subject: 'S', text: 'Sale \udf3c' }), 'text'],
  [
    'a name',
    () =>
      client.sending.send({
        ...address,
        to: { email: 'a@b.example', name: '\ud83c' },
        subject: 'S',
        text: 'T',
      }),
    'to[0].name',
  ],
  [
    'a name of a variable',
    () => client.sending.send({ ...address, subject: 'S', text: 'T', custom_variables: { '\ud83c': 'a' } }),
    'custom_variables.?',
  ],
  ['another endpoint', () => client.contacts.lists.create({ name: 'List \ud83c' }), 'name'],
])('half of a surrogate pair is refused, and never changed: %s', async (_, call, path) => {
  const { issues } = await rejection(Promise.resolve(call()), InvalidRequestError);
  expect(issues).toEqual([{ path, message: expect.stringContaining('half of a surrogate pair') as string }]);
});

test('in a batch, only its own email is not sent', async () => {
  const [one, other] = [
    { to: 'ann@example.org', subject: 'News' },
    { to: 'ben@example.org', subject: 'News \ud83c' },
  ];
  const base = { from: address.from, text: 'T' };
  const totals = await client.sending.batchAll([one, other], { base });
  expect([totals.accepted, totals.not_sent]).toEqual([1, 1]);
});
