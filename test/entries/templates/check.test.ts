import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkTemplates, pullTemplates, pushTemplates, readTemplates } from 'email-platform/templates';
import { expect, test } from 'vitest';
import { accountOf } from './account.ts';
import { RECEIPT, templatesIn } from './folders.ts';

async function pushed() {
  const { client, emulator } = accountOf();
  const folder = templatesIn({
    receipt: { ...RECEIPT, html: `${RECEIPT.html ?? ''}{{#if note}}{{note}}{{/if}}` },
  });
  await pushTemplates(client, folder);
  const check = async () => {
    const { findings } = await checkTemplates(client, folder);
    return findings.map(({ kind, variable, isFailure }) => [kind, variable, isFailure]);
  };
  const hosted = (html: string) => client.templates.update(41_001, { body_html: html });
  return { client, emulator, folder, check, hosted };
}

const LIST = '{{#each items}}{{sku}}: {{price}}{{/each}}';

test('nothing is found where both sides are the same, or differ in words', async () => {
  const { client, folder, check, hosted } = await pushed();
  expect(await check()).toEqual([]);
  await hosted(`Dear {{name}},${LIST}{{#if note}}{{note}}{{/if}}`);
  expect(await check()).toEqual([]);
  expect(await checkTemplates(client, folder)).toMatchObject({ accountId: 2001, checked: 1 });
});

test.each([
  ['a renamed variable', `{{full_name}}${LIST}{{#if note}}{{note}}{{/if}}`, [['new', 'full_name', true]]],
  [
    'a new variable in a list',
    '{{name}}{{#each items}}{{sku}}{{price}}{{color}}{{/each}}{{#if note}}{{note}}{{/if}}',
    [['new', 'items[].color', true]],
  ],
  ['one that became required', `{{name}}${LIST}{{note}}`, [['required', 'note', true]]],
  ['one that is gone', `{{name}}${LIST}`, [['gone', 'note', true]]],
  ['a helper that the service lacks', '{{formatDate x}}', [['broken', undefined, true]]],
])('%s in the service is a failure', async (_, html, found) => {
  const { check, hosted } = await pushed();
  await hosted(html);
  expect(await check()).toEqual(found);
});

test('the rename in every part has both names', async () => {
  const { client, folder } = await pushed();
  const subject = 'Your order, {{{full}}}';
  await client.templates.update(41_001, {
    subject,
    body_html: `{{full}}${LIST}{{#if note}}{{note}}{{/if}}`,
    body_text: '{{full}}',
  });
  const { findings } = await checkTemplates(client, folder);
  expect(findings.map(({ message }) => message)).toEqual([
    'full is new in the service: the code does not pass it',
    'name is gone in the service: the code passes it for nothing',
  ]);
});

test('a change of the files alone is reported and is not a failure; a change in the service is one', async () => {
  const { client, folder, check } = await pushed();
  writeFileSync(join(folder, 'receipt/body.txt'), 'Hello {{name}}, {{greeting}}');
  writeFileSync(join(folder, 'receipt/example.json'), '{"name":"Ann","greeting":"Hi","items":[]}');
  expect(await check()).toEqual([['gone', 'greeting', false]]);
  await client.templates.update(41_001, { subject: '{{other}}' });
  expect(await check()).toEqual([
    ['new', 'other', true],
    ['gone', 'greeting', false],
  ]);
});

test('a folder that was never pushed is a failure; so is a template that is gone in the service', async () => {
  const { client, folder, check } = await pushed();
  rmSync(join(folder, 'templates.lock.json'));
  expect(await check()).toEqual([['unpushed', undefined, true]]);
  await pullTemplates(client, folder);
  await client.templates.delete(41_001);
  expect(await check()).toEqual([['deleted', undefined, true]]);
});

test.each([
  ['without a lock', undefined],
  ['with the account in the lock', '{ "2001": {} }'],
])(
  'a folder that was never pushed is a failure at an emulator that was given it, too: %s',
  async (_, lock) => {
    const folder = templatesIn({ receipt: RECEIPT });
    const { client } = accountOf({ templates: await readTemplates(folder) });
    if (lock !== undefined) writeFileSync(join(folder, 'templates.lock.json'), lock);
    expect((await checkTemplates(client, folder)).findings).toEqual([
      {
        folder: 'receipt',
        kind: 'unpushed',
        variable: undefined,
        message: 'was never pushed to the account',
        isFailure: true,
      },
    ]);
  },
);

test('a template of the visual editor is checked as any other', async () => {
  const { client, emulator } = accountOf();
  emulator.templates.add({ name: 'Visual', body_html: '{{a}}', editor: 'visual' });
  const folder = templatesIn({});
  await pullTemplates(client, folder);
  expect(await checkTemplates(client, folder)).toMatchObject({ checked: 1, findings: [] });
});

test('files that the service could not render are a failure with file and line; the others are checked', async () => {
  const { client, folder, hosted } = await pushed();
  mkdirSync(join(folder, 'bad'));
  const fields = { name: 'Bad', subject: 'x', category: 'y' };
  writeFileSync(join(folder, 'bad/template.json'), JSON.stringify(fields));
  writeFileSync(join(folder, 'bad/body.txt'), '{{formatDate x}}');
  await hosted('{{other}}');
  expect((await checkTemplates(client, folder)).findings).toMatchObject([
    {
      folder: 'bad',
      kind: 'broken',
      message: `${folder}/bad/body.txt:1:1: the service has no helper formatDate`,
      isFailure: true,
    },
    { folder: 'receipt', kind: 'new' },
    { folder: 'receipt', kind: 'gone' },
    { folder: 'receipt', kind: 'gone' },
  ]);
});
