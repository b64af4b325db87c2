import { EmailPlatform } from 'email-platform';
import { readTemplates } from 'email-platform/templates';
import { type Emulator, connectEmulator, createEmulator } from 'email-platform/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { emails } from '../../../../entries/templates/generated/emails.ts';
import { RECEIPT, templatesIn } from '../../../../entries/templates/folders.ts';

const mail = { from: 'hello@mail.example.com', to: 'ann@example.org' };
const items = [{ sku: 'T-1', price: '4 €' }];
const OF_9 = '1e0ddc63-8f4a-4c2f-8ae5-1b6b8cb9c5d2';
const OF_10 = '0d9cbb52-7e39-4b1e-9fd4-0a5a7ba8b4c1';
const LOCK = { '9': { receipt: { uuid: OF_9 } }, '10': { receipt: { uuid: OF_10 } } };

async function emulatorWith(lock?: unknown, options: Emulator.Options = {}) {
  const folder = templatesIn({ receipt: RECEIPT, plain: { text: 'No variables.' } }, lock);
  const emulator = createEmulator({ templates: await readTemplates(folder), ...options });
  return { emulator, client: new EmailPlatform(emulator.clientOptions()) };
}

describe('the emulator has the templates of folders', () => {
  test('before the first push, under the UUID that the generated file has', async () => {
    const { emulator, client } = await emulatorWith();
    const { receipt, plain } = emails(client);
    await client.sending.send({ ...mail, ...receipt({ name: 'Ann & Ben', items }) });
    const [message] = emulator.messages();
    expect(message).toMatchObject({
      subject: 'Your order, Ann & Ben',
      html: '<p>Hello Ann &amp; Ben</p>\nT-1: 4 €',
      text: 'Hello Ann &amp; Ben\n',
      template: { name: 'Receipt', uuid: '0b7e4971-19ca-5555-b14a-8f596956fe12', missing: [], unused: [] },
    });
    await client.sending.send({ ...mail, ...plain() });
    expect(emulator.messages()[1]).toMatchObject({ text: 'No variables.', html: null });
    expect((await client.templates.list().toArray()).map(({ name }) => name)).toEqual(['plain', 'Receipt']);
  });

  test('in a batch: as its base, in its items, with batchAll, and beside defaults', async () => {
    const { emulator, client } = await emulatorWith();
    const { receipt, plain } = emails(client);
    const { to, from } = mail;
    const own = client.withOptions({ defaults: { from, category: 'orders' } });
    await own.sending.send({ to, ...receipt({ name: 'a', items }) });
    await own.sending.batch({
      base: receipt({ name: 'b', items }),
      requests: [{ to }, { to, ...receipt({ name: 'c', items }) }],
    });
    const { accepted } = await own.sending.batchAll([
      { to, ...plain() },
      { to, ...receipt({ name: 'd', items }) },
    ]);
    expect(accepted).toBe(2);
    expect(emulator.messages().map(({ text }) => text)).toEqual([
      'Hello a\n',
      'Hello b\n',
      'Hello c\n',
      'No variables.',
      'Hello d\n',
    ]);
  });

  test('under the UUID of every account of the lock', async () => {
    const { emulator, client } = await emulatorWith(LOCK);
    for (const accountId of [9, 10, 1001])
      await client.sending.send({ ...mail, ...emails({ accountId }).receipt({ name: accountId, items }) });
    expect(emulator.messages().map(({ template }) => template?.uuid)).toEqual([
      OF_9,
      OF_10,
      '0b7e4971-19ca-5555-b14a-8f596956fe12',
    ]);
    expect(emulator.messages().map(({ text }) => text)).toEqual(['Hello 9\n', 'Hello 10\n', 'Hello 1001\n']);
    // It is one template, which a test may change.
    const [template] = (await client.templates.list().toArray()).filter(({ name }) => name === 'Receipt');
    expect(await client.templates.list().toArray()).toHaveLength(2);
    await client.templates.update(template?.id ?? 0, { body_text: 'Changed {{name}}' });
    await client.sending.send({
      ...mail,
      template_uuid: OF_9.toUpperCase(),
      template_variables: { name: 'x', items },
    });
    expect(emulator.messages()[3]?.text).toBe('Changed x');
  });

  test('after a reset, in a snapshot, and beside demo data', async () => {
    const { emulator, client } = await emulatorWith(LOCK, { seed: 'demo' });
    expect(await client.templates.list().toArray()).toHaveLength(6);
    await client.sending.send({ ...mail, template_uuid: OF_10 });
    const snapshot = emulator.snapshot();
    emulator.reset();
    expect(emulator.messages()).toEqual([]);
    await client.sending.send({ ...mail, template_uuid: OF_10 });
    const other = createEmulator();
    other.restore(snapshot);
    expect(other.messages()).toHaveLength(1);
    expect(other.messages()[0]?.template).toMatchObject({ uuid: OF_10, missing: ['name', 'items'] });
    await new EmailPlatform(other.clientOptions()).sending.send({ ...mail, template_uuid: OF_9 });
    expect(other.messages()).toHaveLength(2);
  });

  test('a wrong option is refused by name', () => {
    expect(() => createEmulator({ templates: [{ name: 'x' }] as never })).toThrow(
      '`options.templates[0].subject` must be a string',
    );
    expect(() => createEmulator({ templates: {} as never })).toThrow(
      '`options.templates` must be an array of templates',
    );
  });
});

describe('an email from a template lists the missing and the unused variables of its call', () => {
  const sent = async (
    files: Parameters<typeof templatesIn>[0][string],
    variables: Record<string, unknown>,
  ) => {
    const [template] = await readTemplates(templatesIn({ a: files }));
    if (template === undefined) throw new Error('there is one');
    const emulator = createEmulator({ templates: [template] });
    const client = new EmailPlatform(emulator.clientOptions());
    await client.sending.send({ ...mail, template_uuid: template.uuid, template_variables: variables });
    return emulator.messages()[0]?.template;
  };

  test.each<[string, Record<string, unknown>, string[], string[]]>([
    ['{{name}}', {}, ['name'], []],
    ['{{name}}', { nmae: 'Ann' }, ['name'], ['nmae']],
    ['{{name}}', { name: null }, [], []],
    [
      '{{#each items}}{{price}}{{/each}}',
      { items: [{ prize: 1 }, { price: 1 }] },
      ['items[0].price'],
      ['items[0].prize'],
    ],
    ['{{#each items}}x{{/each}}', {}, ['items'], []],
    ['{{user.name}}{{user.email}}', {}, ['user'], []],
    ['{{user.name}}{{user.email}}', { user: {} }, ['user.name', 'user.email'], []],
    ['{{#if a}}{{b}}{{/if}}', {}, [], []],
    ['{{#if a}}{{b}}{{/if}}', { a: 1 }, ['b'], []],
    ['{{#if a}}{{b}}{{/if}}', { b: 1 }, [], []],
    ['{{#with user}}{{name}}{{../x}}{{/with}}', { user: { nmae: 1 } }, ['user.name', 'x'], ['user.nmae']],
    ['{{#each a as |b|}}{{b.c}}{{/each}}', { a: [{}] }, ['a[0].c'], []],
    ['{{#each a}}{{x}}{{/each}}', { a: { 'b c': {} } }, ['a["b c"].x'], []],
    ['{{#each a}}{{this}}{{@foo}}{{/each}}', { a: ['x'] }, [], []],
    ['{{@root.a}}{{a.[b c]}}', { a: {} }, ['a["b c"]'], []],
    ['{{#o}}{{x}}{{/o}}', { o: { x: 1, y: 2 } }, [], []],
    ['{{a}}', { a: { b: 1 } }, [], []],
    ['{{a}} {{a.b}}', { a: { b: 1, c: 2 } }, [], []],
    ['{{a.b}}', { a: { b: 1, c: 2 } }, [], ['a.c']],
  ])('%s with %j', async (html, variables, missing, unused) => {
    expect(await sent({ html }, variables)).toMatchObject({ missing, unused });
  });

  test('subject, HTML and text count together, and what is optional is not missing', async () => {
    const files = {
      json: { subject: '{{a}}', optional: ['b', 'items[].c'] },
      html: '{{b}}{{#each items}}{{c}}{{d}}{{/each}}',
      text: '{{e}}',
    };
    const found = await sent(files, { a: 1, e: 1, f: 1, items: [{}] });
    expect(found).toMatchObject({ missing: ['items[0].d'], unused: ['f'] });
  });

  test('without a template there is nothing to say', async () => {
    const emulator = createEmulator();
    await new EmailPlatform(emulator.clientOptions()).sending.send({
      ...mail,
      subject: '{{a}}',
      text: '{{b}}',
    });
    expect(emulator.messages()[0]).toMatchObject({ template: null, subject: '{{a}}', text: '{{b}}' });
  });

  test('over a port too', async () => {
    const { emulator } = await emulatorWith();
    const server = await emulator.listen({ control: true });
    onTestFinished(() => server.close());
    const client = new EmailPlatform(server.clientOptions());
    await client.sending.send({
      ...mail,
      template_uuid: '0b7e4971-19ca-5555-b14a-8f596956fe12',
      template_variables: { nmae: 1 },
    });
    const { url = '', token = '' } = server.control ?? {};
    const connected = connectEmulator(url, { controlToken: token });
    const [message] = await connected.messages();
    const template = {
      name: 'Receipt',
      uuid: '0b7e4971-19ca-5555-b14a-8f596956fe12',
      missing: ['name', 'items'],
      unused: ['nmae'],
    };
    expect(message?.template).toEqual(template);
    const answer = await fetch(`${url}/messages`, { headers: { authorization: `Bearer ${token}` } });
    expect(await answer.json()).toMatchObject({ messages: [{ template }] });
  });

  test('at most 100 are named', async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`v${index}`, 1]));
    const found = await sent(
      {
        html: Object.keys(many)
          .map((name) => `{{w${name}}}`)
          .join(''),
      },
      many,
    );
    expect([found?.missing.length, found?.unused.length]).toEqual([100, 100]);
  });
});
