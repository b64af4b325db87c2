import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  pullTemplates,
  pushTemplates,
  readTemplate,
  readTemplates,
  TemplateError,
} from 'email-platform/templates';
import { describe, expect, test } from 'vitest';
import { lockText } from '../../../src/entries/templates/lock.ts';
import { accountOf } from './account.ts';
import { folderOf, RECEIPT, templatesIn } from './folders.ts';

const UUID = '0d9cbb52-7e39-4b1e-9fd4-0a5a7ba8b4c1';

/** The problems of a folder, with the paths within it. */
async function problemsOf(folder: string) {
  const error = await readTemplates(folder).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TemplateError);
  const { problems, code, effect } = error as TemplateError;
  expect([code, effect]).toEqual(['template_invalid', 'none']);
  return problems.map(
    ({ file, line, message }) => `${file.slice(folder.length + 1)}:${line ?? ''} ${message}`,
  );
}

test('a folder is read, sorted, with what the lock says of each account', async () => {
  const lock = {
    '7': { receipt: { id: 1, uuid: UUID } },
    '9': { receipt: { intent: 'x' }, other: { uuid: UUID } },
  };
  const folder = templatesIn({ welcome: { json: { as: 'hi', optional: ['a'] } }, receipt: RECEIPT }, lock);
  writeFileSync(join(folder, 'README.md'), 'Not a template.');
  mkdirSync(join(folder, '.git'));
  const [receipt, welcome, ...others] = await readTemplates(folder);
  expect(others).toEqual([]);
  expect(receipt).toEqual({
    folder: 'receipt',
    path: `${folder}/receipt`,
    name: 'Receipt',
    subject: 'Your order, {{{name}}}',
    subjectLine: 3,
    category: 'orders',
    html: RECEIPT.html,
    text: RECEIPT.text,
    as: undefined,
    optional: [],
    example: RECEIPT.example,
    // Version 5 of the folder's name: it never changes.
    uuid: '0b7e4971-19ca-5555-b14a-8f596956fe12',
    uuids: { '7': UUID },
    unpushed: ['9'],
  });
  expect(welcome).toMatchObject({
    as: 'hi',
    optional: ['a'],
    html: null,
    text: null,
    example: undefined,
    uuids: {},
  });
  expect(await readTemplate(`${folder}/receipt/`)).toMatchObject({ folder: 'receipt', name: 'Receipt' });
});

test('line ends are those of Unix, and a byte order mark is not part of the text', async () => {
  const folder = templatesIn({ a: { html: '\ufeffa\r\nb\rc\n', text: 'x\r\n' } });
  expect((await readTemplates(folder))[0]).toMatchObject({ html: 'a\nb\nc\n', text: 'x\n' });
});

describe('an unreadable part is named with file and line', () => {
  test.each<[string, Record<string, string>, string[]]>([
    ['a missing template.json', { 'a/body.html': '' }, ['a: has no template.json']],
    ['no JSON', { 'a/template.json': '{\n  "name": \n}' }, ['a/template.json:3 is not JSON']],
    ['JSON that ends', { 'a/template.json': '{\n\n' }, ['a/template.json:3 is not JSON']],
    ['no object', { 'a/template.json': '[]' }, ['a/template.json:1 must be a JSON object']],
    [
      'fields',
      { 'a/template.json': '{\n"name": "",\n"subjcet": "x",\n"category": 1,\n"as": 2,\n"optional": "a"\n}' },
      [
        'a/template.json:3 "subjcet" is unknown; did you mean `subject`?',
        'a/template.json:2 "name" must be a text of 1 to 255 characters',
        'a/template.json:1 "subject" must be a text of 1 to 255 characters',
        'a/template.json:4 "category" must be a text of 1 to 255 characters',
        'a/template.json:5 "as" must be a text',
        'a/template.json:6 "optional" must be a list of names of variables',
      ],
    ],
    [
      'the id of an account in the lock',
      { 'templates.lock.json': '{\n"x": {}\n}' },
      ['templates.lock.json:2 "x" is not the id of an account'],
    ],
    [
      'a UUID in the lock',
      { 'templates.lock.json': '{"7": {\n"a": {"uuid": "../../x"}}}' },
      ['templates.lock.json:2 the entry of "a" needs the template\'s uuid'],
    ],
  ])('%s', async (_, files, expected) => {
    const problems = await problemsOf(folderOf(files));
    expect(problems.map((one) => one.replace(': ', ':').replace(':has', ': has'))).toEqual(expected);
  });

  test('bytes that are not UTF-8', async () => {
    const folder = templatesIn({ a: {} });
    writeFileSync(join(folder, 'a/body.html'), Uint8Array.of(0x61, 0xff));
    expect(await problemsOf(folder)).toEqual(['a/body.html: is not UTF-8']);
  });

  test.each([undefined, { folder: 'emails' }, ['emails']])('a path that is %o', async (path) => {
    const message = "folder must be the path of a folder, such as 'emails'";
    for (const read of [readTemplates, readTemplate])
      await expect(read(path as never)).rejects.toThrow(message);
    await expect(pushTemplates(accountOf().client, path as never)).rejects.toThrow(message);
    await expect(pullTemplates(accountOf().client, path as never)).rejects.toThrow(message);
  });

  test('a folder that is not there', async () => {
    await expect(readTemplates('no/such/folder')).rejects.toThrow('no/such/folder: there is no such folder');
  });

  test.skipIf(process.platform === 'win32')('links: a template, a part of one, and the lock', async () => {
    const folder = templatesIn({ a: {} });
    symlinkSync('/etc', join(folder, 'b'));
    expect(await problemsOf(folder)).toEqual(['b: is a link: templates are plain files']);
    const other = templatesIn({ a: {} });
    symlinkSync('/etc/hostname', join(other, 'a/body.html'));
    expect(await problemsOf(other)).toEqual(['a/body.html: is a link: templates are plain files']);
    const third = templatesIn({ a: {} });
    symlinkSync('/etc/hostname', join(third, 'templates.lock.json'));
    expect(await problemsOf(third)).toEqual(['templates.lock.json: is a link: templates are plain files']);
  });
});

test('a lock is written sorted, a line an entry, and read as it was', async () => {
  const lock = {
    '10': { b: { id: 2, uuid: UUID }, a: { id: 1, uuid: UUID } },
    '9': { c: { id: 3, uuid: UUID } },
  };
  const text = lockText(lock);
  const entry = (name: string, id: number) => `    "${name}": {"id":${id},"uuid":"${UUID}"}`;
  expect(text).toBe(
    `{\n  "9": {\n${entry('c', 3)}\n  },\n  "10": {\n${entry('a', 1)},\n${entry('b', 2)}\n  }\n}\n`,
  );
  expect(JSON.parse(text)).toEqual(lock);
  expect(lockText({})).toBe('{}\n');
  const folder = folderOf({
    'templates.lock.json': text,
    'a/template.json': '{"name":"A","subject":"s","category":"c"}',
  });
  expect((await readTemplates(folder))[0]?.uuids).toEqual({ '10': UUID });
});
