import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import {
  planTemplates,
  pullTemplates,
  pushTemplates,
  readTemplates,
  TemplateError,
  templateTypes,
} from 'email-platform/templates';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { sized } from '../../support/extent.ts';
import { accountOf, clientThrough, lockIn, textIn } from './account.ts';
import { folderOf, RECEIPT, templatesIn } from './folders.ts';

const fields = { subject: 'Hi {{name}}', category: 'test' };

describe('a pull', () => {
  test('writes every template into a folder, which is made; names of any kind stay inside it', async () => {
    const { client } = accountOf();
    const names = [
      'Delete',
      '2FA code',
      'Пароль',
      '../../evil',
      'Receipt',
      'Receipt',
      'CON',
      '???',
      'a\u0000b',
    ];
    for (const name of names) await client.templates.create({ ...fields, name, body_text: 'x\r\n{{y}}' });
    const folder = join(folderOf({}), 'mail/emails');
    const created = [
      'delete',
      '2fa-code',
      'пароль',
      'evil',
      'receipt',
      'receipt-41006',
      'con-41007',
      'template-41008',
      'a-b',
    ];
    expect(await pullTemplates(client, folder)).toEqual({
      accountId: 2001,
      created,
      found: [],
      updated: [],
      deleted: [],
      renamed: [],
      isLocked: true,
      problems: [],
    });
    expect(readdirSync(folder).sort()).toEqual([...created, 'templates.lock.json'].sort());
    expect(readdirSync(dirname(folder))).toEqual(['emails']);
    expect(textIn(folder, 'evil/template.json')).toBe(
      '{\n  "name": "../../evil",\n  "subject": "Hi {{name}}",\n  "category": "test"\n}\n',
    );
    expect(textIn(folder, 'delete/body.txt')).toBe('x\n{{y}}');
    expect(existsSync(join(folder, 'delete/body.html'))).toBe(false);
    expect(await pullTemplates(client, folder)).toMatchObject({ created: [], updated: [], problems: [] });
    expect((await planTemplates(client, folder)).changes).toEqual([]);
    // Types need a name for the function of two of them, and say so.
    const types = () => readTemplates(folder).then((read) => templateTypes(read, { from: './emails' }));
    const { problems } = await rejection(types(), TemplateError);
    expect(problems.map(({ file }) => file.slice(folder.length))).toEqual([
      '/2fa-code/template.json',
      '/delete/template.json',
    ]);
  });

  test('takes what only the service changed, and keeps the other fields of template.json', async () => {
    const { client } = accountOf();
    const folder = templatesIn({
      receipt: { ...RECEIPT, example: undefined, json: { ...RECEIPT.json, as: 'invoice' } },
    });
    await pushTemplates(client, folder);
    await client.templates.update(41_001, { subject: 'Thanks', body_html: '<b>{{name}}</b>' });
    writeFileSync(join(folder, 'receipt/body.txt'), 'ours');
    expect(await pullTemplates(client, folder)).toMatchObject({ updated: ['receipt'], problems: [] });
    expect(JSON.parse(textIn(folder, 'receipt/template.json'))).toMatchObject({
      subject: 'Thanks',
      as: 'invoice',
    });
    expect(textIn(folder, 'receipt/body.html')).toBe('<b>{{name}}</b>');
    expect(textIn(folder, 'receipt/body.txt')).toBe('ours');
    expect((await planTemplates(client, folder)).changes).toMatchObject([
      { action: 'update', push: [{ part: 'text' }] },
    ]);
  });

  test('leaves a part alone that both changed, keeps its hash in the lock, and names it, unless it is named', async () => {
    const { client } = accountOf();
    const folder = templatesIn({ receipt: RECEIPT });
    await pushTemplates(client, folder);
    const hash = (part: string) => (lockIn(folder)['2001']?.receipt?.parts as Record<string, string>)[part];
    const before = hash('text');
    writeFileSync(join(folder, 'receipt/body.txt'), 'ours');
    await client.templates.update(41_001, { body_text: 'theirs', body_html: 'new' });
    expect(await pullTemplates(client, folder)).toMatchObject({
      updated: ['receipt'],
      problems: [
        {
          file: `${folder}/receipt`,
          message:
            'text changed on both sides: pull --overwrite receipt takes the service, push --overwrite receipt the files',
        },
      ],
    });
    expect([textIn(folder, 'receipt/body.txt'), textIn(folder, 'receipt/body.html'), hash('text')]).toEqual([
      'ours',
      'new',
      before,
    ]);
    expect(await pullTemplates(client, folder, { overwrite: ['receipt'] })).toMatchObject({ problems: [] });
    expect(textIn(folder, 'receipt/body.txt')).toBe('theirs');
  });

  test('takes over the folder of a template by its name, as equal parts; parts that differ are left alone', async () => {
    const { client } = accountOf();
    await client.templates.create({ ...fields, name: 'Receipt', body_text: 'theirs' });
    const folder = templatesIn({ bill: { json: { ...fields, name: 'Receipt' }, text: 'ours' } });
    expect((await planTemplates(client, folder)).changes).toMatchObject([
      {
        action: 'conflict',
        reason:
          'the account has a template of this name, 41001, with other content: to keep its content, pull --overwrite bill; to keep the files, push --overwrite bill, which creates another',
      },
    ]);
    const taken = templatesIn({ bill: { json: { ...fields, name: 'Receipt' }, text: 'ours' } });
    expect(await pullTemplates(client, taken, { overwrite: ['bill'] })).toMatchObject({ problems: [] });
    expect(textIn(taken, 'bill/body.txt')).toBe('theirs');
    const { created, problems } = await pullTemplates(client, folder);
    expect([created, problems.length]).toEqual([[], 1]);
    expect(textIn(folder, 'bill/body.txt')).toBe('ours');
    expect((await planTemplates(client, folder)).changes).toMatchObject([{ id: 41_001, action: 'conflict' }]);
    expect((await pushTemplates(client, folder, { overwrite: ['bill'] })).updated).toEqual(['bill']);
  });

  test('a folder does not take the template that another one of its name has the content of', async () => {
    const { client } = accountOf();
    const json = { ...fields, name: 'Receipt' };
    await client.templates.create({ ...json, body_text: 'equal' });
    const folder = templatesIn({ a: { json, text: 'other' }, b: { json, text: 'equal' } });
    expect(await pullTemplates(client, folder)).toMatchObject({ found: ['b'], updated: [], problems: [] });
    expect(lockIn(folder)['2001']).toMatchObject({ b: { id: 41_001 } });
    expect((await planTemplates(client, folder)).changes).toMatchObject([
      { folder: 'a', action: 'create', id: undefined },
    ]);
  });

  test('writes a folder again that is gone; deletes one only by its name', async () => {
    const { client } = accountOf();
    const folder = templatesIn({ receipt: RECEIPT });
    await pushTemplates(client, folder);
    rmSync(join(folder, 'receipt'), { recursive: true });
    expect((await pullTemplates(client, folder)).created).toEqual(['receipt']);
    await client.templates.delete(41_001);
    expect((await pullTemplates(client, folder)).problems).toMatchObject([
      { message: expect.stringContaining('was deleted in the service: pull --delete receipt') as string },
    ]);
    expect(await pullTemplates(client, folder, { delete: ['receipt'] })).toMatchObject({
      deleted: ['receipt'],
    });
    expect(readdirSync(folder)).toEqual(['templates.lock.json']);
    expect(lockIn(folder)).toEqual({ 2001: {} });
  });

  test('a template without a subject stays in the service, and is named: its files could not be read', async () => {
    const { emulator } = accountOf();
    for (const name of ['Blank', 'Full']) emulator.templates.add({ name });
    const client = clientThrough(emulator, async (_, send) =>
      Response.json(
        ((await (await send()).json()) as readonly { readonly name: string }[]).map((one) =>
          one.name === 'Blank' ? { ...one, subject: '' } : one,
        ),
      ),
    );
    const folder = folderOf({});
    expect(await pullTemplates(client, folder)).toMatchObject({
      created: ['full'],
      problems: [{ file: `${folder}/blank`, message: 'template 41001 has no subject in the service' }],
    });
    expect(readdirSync(folder)).toEqual(['full', 'templates.lock.json']);
  });

  test('a link or a folder at the name of a draft is removed, and not followed; by a push neither', async () => {
    const { client } = accountOf();
    const folder = templatesIn({ receipt: { ...RECEIPT, example: undefined } });
    const precious = join(folderOf({ 'precious.txt': 'precious' }), 'precious.txt');
    const outside = join(folderOf({}), 'outside');
    symlinkSync(precious, join(folder, '.templates.lock.json.draft'));
    await pushTemplates(client, folder);
    symlinkSync(outside, join(folder, 'receipt/.body.html.draft'));
    symlinkSync(dirname(outside), join(folder, '.offer.draft'));
    mkdirSync(join(folder, 'receipt/.body.txt.draft/inner'), { recursive: true });
    await client.templates.update(41_001, { body_html: 'new {{name}}', body_text: 'new' });
    await client.templates.create({ ...fields, name: 'Offer', body_text: 'x' });
    expect(await pullTemplates(client, folder)).toMatchObject({ created: ['offer'], updated: ['receipt'] });
    expect([textIn(folder, 'receipt/body.html'), textIn(folder, 'offer/body.txt')]).toEqual([
      'new {{name}}',
      'x',
    ]);
    expect([readFileSync(precious, 'utf8'), readdirSync(dirname(outside))]).toEqual(['precious', []]);
  });

  test('a lock with a merge conflict says what to do, which works: either side, and a pull', async () => {
    const { client } = accountOf();
    const folder = templatesIn({ receipt: RECEIPT, other: { json: { name: 'Other' }, text: 'x' } });
    await pushTemplates(client, folder);
    const lines = textIn(folder, 'templates.lock.json').split('\n');
    const [, , other = '', receipt = ''] = lines;
    const sides = [other.replace(/,$/, ''), receipt];
    const written = (text: string) => writeFileSync(join(folder, 'templates.lock.json'), text);
    const inConflict = `{\n  "2001": {\n<<<<<<< HEAD\n${sides.join('\n=======\n')}\n>>>>>>> branch\n  }\n}\n`;
    written(inConflict);
    const error = await rejection(planTemplates(client, folder), TemplateError);
    expect(error.message).toBe(
      `${folder}/templates.lock.json:3: has a merge conflict of git: keep the lines of either side, and run pull, which finds the templates of the other`,
    );
    for (const side of sides) {
      written(`{\n  "2001": {\n${side}\n  }\n}\n`);
      expect(await pullTemplates(client, folder)).toMatchObject({ created: [], problems: [] });
      expect(textIn(folder, 'templates.lock.json').split('\n')).toEqual(lines);
    }
  });

  test.each([
    ['../evil', { id: 1, uuid: '11111111-1111-4111-8111-111111111111' }, 'is not the name of a folder'],
    ['a', { id: 1 }, "needs the template's uuid"],
    ['a', { id: 'x', uuid: '11111111-1111-4111-8111-111111111111' }, 'has an id that is not a whole number'],
  ])('a lock with %s: %j is refused', async (name, entry, words) => {
    const { client, requests } = accountOf();
    const folder = templatesIn({}, { 2001: { [name]: entry } });
    const error = await rejection(pullTemplates(client, folder), TemplateError);
    expect(error.message).toBe(`${folder}/templates.lock.json:1: the entry of "${name}" ${words}`);
    expect(requests()).toEqual([]);
  });

  test('two folders of one template in the lock are refused', async () => {
    const entry = { id: 1, uuid: '11111111-1111-4111-8111-111111111111' };
    const folder = templatesIn({}, { 2001: { a: entry, b: entry } });
    const error = await rejection(pullTemplates(accountOf().client, folder), TemplateError);
    expect(error.message).toContain('"b" and "a" are the same template, 1');
  });
});

const MANY = sized(200, 50);

test(`${MANY} templates of 100 kB: one list, and no more requests than there are changes`, async () => {
  const { client, emulator, requests } = accountOf();
  const body = (name: string) => `{{${name}}}`.padEnd(100_000, '.');
  for (let id = 1; id <= MANY; id += 1)
    emulator.templates.add({ name: `Template ${id}`, body_html: body(`v${id}`) });
  const folder = folderOf({});
  const asked = async (work: Promise<unknown>) => {
    const before = requests().length;
    await work;
    return requests()
      .slice(before)
      .map((line) => line.replace(/\/\d+$/, '/{id}'));
  };
  const list = 'GET /email_templates';
  expect(await asked(pullTemplates(client, folder))).toEqual([list]);
  expect(readdirSync(folder)).toHaveLength(MANY + 1);
  expect(await asked(pullTemplates(client, folder))).toEqual([list]);
  expect(await asked(pushTemplates(client, folder))).toEqual([list]);
  for (const id of [7, 30, MANY]) writeFileSync(join(folder, `template-${id}/body.html`), body('other'));
  const [get, patch] = ['GET /email_templates/{id}', 'PATCH /email_templates/{id}'];
  expect(await asked(pushTemplates(client, folder))).toEqual([list, get, patch, get, patch, get, patch]);
});
