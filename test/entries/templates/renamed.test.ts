import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pullTemplates, pushTemplates, readTemplates, templateTypes } from 'email-platform/templates';
import { expect, test } from 'vitest';
import { accountOf, textIn } from './account.ts';
import { templatesIn, type Files } from './folders.ts';

/** Changes the HTML of a template in the service, and pulls. */
async function pulled(files: Files, html: string) {
  const { client } = accountOf();
  const folder = templatesIn({ note: { json: { subject: 'A note' }, ...files } });
  expect((await pushTemplates(client, folder)).problems).toEqual([]);
  await client.templates.update(41_001, { body_html: html });
  const { renamed, problems } = await pullTemplates(client, folder);
  expect(problems).toEqual([]);
  const types = async () => templateTypes(await readTemplates(folder), { from: './emails' });
  const json = (file: string) => JSON.parse(textIn(folder, `note/${file}`)) as unknown;
  return { folder, client, types, json, renamed: renamed.map(({ from, to }) => `${from} → ${to}`) };
}

test.each<[string, Files, string, string[], unknown]>([
  [
    'a variable',
    { html: '{{name}}', example: { name: 'Ann' } },
    '{{first_name}}',
    ['name → first_name'],
    { first_name: 'Ann' },
  ],
  [
    'one beside others, in its place',
    { html: '{{a}}{{b}}{{c}}', example: { a: 1, b: 2, c: 3 } },
    '{{a}}{{x}}{{c}}',
    ['b → x'],
    { a: 1, x: 2, c: 3 },
  ],
  [
    'one in the items of a list',
    { html: '{{#each items}}{{price}}{{/each}}', example: { items: [{ price: 1 }, { price: 2 }] } },
    '{{#each items}}{{cost}}{{/each}}',
    ['items[].price → items[].cost'],
    { items: [{ cost: 1 }, { cost: 2 }] },
  ],
  [
    'one in an object, and one in a list of it',
    {
      html: '{{a.b.c}}{{#each a.d}}{{#each e}}{{f}}{{/each}}{{/each}}',
      example: { a: { b: { c: 1 }, d: [{ e: [{ f: 2 }] }] } },
    },
    '{{a.b.x}}{{#each a.d}}{{#each e}}{{y}}{{/each}}{{/each}}',
    ['a.b.c → a.b.x', 'a.d[].e[].f → a.d[].e[].y'],
    { a: { b: { x: 1 }, d: [{ e: [{ y: 2 }] }] } },
  ],
  [
    'a list with its items',
    { html: '{{#each items}}{{price}}{{/each}}', example: { items: [{ price: 1 }] } },
    '{{#each lines}}{{price}}{{/each}}',
    ['items → lines'],
    { lines: [{ price: 1 }] },
  ],
])('%s is renamed in the example, and types are content', async (_, files, html, renames, example) => {
  const { renamed, json, types } = await pulled(files, html);
  expect(renamed).toEqual(renames);
  expect(json('example.json')).toEqual(example);
  expect(JSON.stringify(json('example.json'))).toBe(JSON.stringify(example));
  await types();
});

test('"optional" has the new name, too; without an example', async () => {
  const json = { subject: 'A note', optional: ['items[].note', 'name'], as: 'other' };
  const {
    renamed,
    json: read,
    types,
  } = await pulled(
    { json, html: '{{name}}{{#each items}}{{note}}{{/each}}' },
    '{{name}}{{#each items}}{{remark}}{{/each}}',
  );
  expect(renamed).toEqual(['items[].note → items[].remark']);
  expect(read('template.json')).toMatchObject({ optional: ['items[].remark', 'name'], as: 'other' });
  await types();
});

test.each<[string, string]>([
  ['two are gone and two are new', '{{x}}{{y}}'],
  ['one is gone', '{{a}}'],
  ['one is new', '{{a}}{{b}}{{c}}'],
  ['the value does not fit the new one', '{{a}}{{#each c}}{{d}}{{/each}}'],
])('where it is not clear, the example stays, and types say so: %s', async (_, html) => {
  const example = { a: 'x', b: 'y' };
  const { renamed, json, types } = await pulled({ html: '{{a}}{{b}}', example }, html);
  expect(renamed).toEqual([]);
  expect(json('example.json')).toEqual(example);
  await expect(types()).rejects.toThrow('example.json');
});

test('an example that has the new name already stays as it is', async () => {
  const { client } = accountOf();
  const folder = templatesIn({ note: { html: '{{name}}', example: { name: 'Ann' } } });
  await pushTemplates(client, folder);
  writeFileSync(join(folder, 'note/example.json'), '{"first_name":"Bob"}');
  await client.templates.update(41_001, { body_html: '{{first_name}}' });
  expect((await pullTemplates(client, folder)).renamed).toEqual([]);
  expect(textIn(folder, 'note/example.json')).toBe('{"first_name":"Bob"}');
});
