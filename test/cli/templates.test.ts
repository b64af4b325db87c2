import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderOf, RECEIPT, templatesIn } from '../entries/templates/folders.ts';
import { cli } from './in-process.ts';

describe('templates types', () => {
  test('writes the file, in a folder that need not be there; again, it changes nothing', async () => {
    const folder = templatesIn({ receipt: RECEIPT });
    const file = join(folderOf({}), 'src/mail/emails.ts');
    expect(await cli(['templates', 'types', folder, '--out', file])).toEqual({
      code: 0,
      out: `${file}: 1 template\n`,
      err: '',
    });
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('`email-platform templates types` from ../../../templates-');
    expect(text).toContain('readonly receipt: (variables: ReceiptVariables)');
    // From anywhere, by any path: the file is the same.
    const [from, out] = [relative('.', folder), relative('.', file)];
    expect((await cli(['templates', 'types', `./${from}/`, '--out', out, '--check'])).code).toBe(0);
  });

  test('--check fails for a stale or missing file, and writes none; ends of lines of Windows are not stale', async () => {
    const folder = templatesIn({ receipt: RECEIPT });
    const file = join(folder, 'emails.mts');
    const types = (...args: string[]) => cli(['templates', 'types', folder, '--out', file, ...args]);
    const remedy = `npx email-platform templates types ${folder} --out ${file}\n`;
    expect(await types('--check')).toEqual({ code: 1, out: '', err: `${file} is missing: ${remedy}` });
    expect((await types()).code).toBe(0);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('\n', '\r\n'));
    expect((await types('--check')).code).toBe(0);
    writeFileSync(join(folder, 'receipt/body.txt'), '{{other}}');
    writeFileSync(join(folder, 'receipt/example.json'), '{"name":"Ann","items":[],"other":1}');
    const before = readFileSync(file, 'utf8');
    expect(await types('--check')).toEqual({ code: 1, out: '', err: `${file} is stale: ${remedy}` });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('prints every problem with file and line, and writes nothing', async () => {
    const folder = templatesIn({ a: { html: '{{x y}}\n{{> p}}' } });
    const { code, err } = await cli(['templates', 'types', folder, '--out', join(folder, 'x.ts')]);
    expect([code, err]).toEqual([
      1,
      `${folder}/a/body.html:1:1: the service has no helper x\n${folder}/a/body.html:2:1: the service has no partials, such as {{> p}}\n`,
    ]);
    expect(() => readFileSync(join(folder, 'x.ts'))).toThrow('ENOENT');
  });

  test('writes what it can, and exits with 1 for the rest; --check says the same of that file', async () => {
    const unreadable = { json: { name: '' } };
    const folder = templatesIn({
      receipt: RECEIPT,
      offer: { html: '{{formatDate x}}' },
      x: unreadable,
      bare: {},
    });
    const file = join(folder, 'emails.ts');
    const types = (...args: string[]) => cli(['templates', 'types', folder, '--out', file, ...args]);
    const problems = `${folder}/x/template.json:2: "name" must be a text of 1 to 255 characters
${folder}/bare: has no body.html and no body.txt
${folder}/offer/body.html:1:1: the service has no helper formatDate
`;
    expect(await types()).toEqual({
      code: 1,
      out: `${file}: 1 template, without those with errors\n`,
      err: problems,
    });
    expect(readFileSync(file, 'utf8')).toContain('readonly receipt: (variables: ReceiptVariables)');
    expect(readFileSync(file, 'utf8')).not.toContain('offer');
    expect(await types('--check')).toMatchObject({ code: 1, err: problems });
    expect(await types('--only', 'receipt')).toMatchObject({ code: 0 });
    writeFileSync(join(folder, 'templates.config.json'), '{ "ignore": ["offer", "x", "bare"] }');
    expect(await types('--check')).toEqual({ code: 0, out: `${file}: 1 template\n`, err: '' });
  });

  test.each([
    [['templates', 'types'], 'missing required argument'],
    [['templates', 'types', 'emails'], 'Needs --out <file>'],
    [
      ['templates', 'types', 'emails', '--out', 'x.js'],
      '--out must be a file with the extension .ts, .mts, .cts',
    ],
    [
      ['templates', 'types', 'emails', '--out', 'x.d.ts'],
      '--out must be a file with the extension .ts, .mts, .cts',
    ],
    [['templates', 'type', 'emails'], 'Did you mean types?'],
  ])('%j is a wrong command line', async (args, words) => {
    const { code, err } = await cli(args);
    expect(code).toBe(2);
    expect(err.toLowerCase()).toContain(words.toLowerCase());
  });

  test('a folder without templates is a mistake', async () => {
    const folder = templatesIn({});
    const { code, err } = await cli(['templates', 'types', folder, '--out', 'never.ts']);
    expect([code, err]).toEqual([1, `${folder} has no templates: each is a folder with template.json\n`]);
  });
});

describe('templates render', () => {
  test('renders the HTML with the data beside the template, and says the subject', async () => {
    const folder = templatesIn({ receipt: RECEIPT });
    const out = join(folder, 'out/receipt.html');
    const args = ['templates', 'render', `${folder}/receipt`, '--data', 'example.json', '--out', out];
    expect(await cli(args)).toEqual({ code: 0, out: '', err: 'Subject: Your order, Ann\n' });
    expect(readFileSync(out, 'utf8')).toBe('<p>Hello Ann</p>\nT-1: 4 €');
    const text = join(folder, 'receipt.txt');
    await cli(['templates', 'render', `${folder}/receipt/`, '--out', text]);
    expect(readFileSync(text, 'utf8')).toBe('Hello Ann\n');
  });

  test('without --out, standard output has the email alone; what is missing or read by no part is on standard error', async () => {
    const folder = templatesIn({ receipt: RECEIPT });
    const data = join(folder, 'data.json');
    writeFileSync(data, JSON.stringify({ nmae: 'Ann', items: [{ sku: 'T-1' }] }));
    expect(await cli(['templates', 'render', `${folder}/receipt`, '--data', data])).toEqual({
      code: 0,
      out: '<p>Hello </p>\nT-1: ',
      err: 'Subject: Your order,\nMissing: name, items[0].price\nUnused: nmae\n',
    });
    writeFileSync(data, JSON.stringify({ name: 'Ann', items: [{ sku: 'T-1' }] }));
    expect((await cli(['templates', 'render', `${folder}/receipt`, '--data', data])).err).toBe(
      'Subject: Your order, Ann\nMissing: items[0].price\n',
    );
  });

  test('--data is looked up here first, and then in the folder of the template', async () => {
    const folder = templatesIn({ receipt: RECEIPT });
    // An editor of Windows may put a mark before the text.
    for (const name of ['package', 'beside'])
      writeFileSync(join(folder, `receipt/${name}.json`), '\ufeff{"name":"Ann","items":[]}');
    const rendered = async (data: string) =>
      (await cli(['templates', 'render', `${folder}/receipt`, '--data', data])).out;
    expect(await rendered('package.json')).toBe('<p>Hello email-platform</p>\n');
    expect(await rendered('beside.json')).toBe('<p>Hello Ann</p>\n');
  });

  test.each([
    ['{', 'is not JSON'],
    ['[]', 'must be a JSON object'],
  ])('data that is %s', async (text, words) => {
    const folder = templatesIn({ receipt: RECEIPT });
    writeFileSync(join(folder, 'data.json'), text);
    const { code, err } = await cli([
      'templates',
      'render',
      `${folder}/receipt`,
      '--data',
      join(folder, 'data.json'),
    ]);
    expect(code).toBe(1);
    expect(err).toContain(words);
  });

  test('names the missing file: the data, the template, a body', async () => {
    const folder = templatesIn({ receipt: RECEIPT, bare: {} });
    const err = async (...args: string[]) => (await cli(['templates', 'render', ...args])).err;
    expect(await err(`${folder}/receipt`, '--data', 'none.json')).toBe(
      `There is no none.json: looked here and in ${folder}/receipt\n`,
    );
    expect(await err(`${folder}/bare`, '--data', 'example.json')).toBe(
      `There is no example.json: looked here and in ${folder}/bare\n`,
    );
    expect(await err(`${folder}/none`)).toBe(`${folder}/none: there is no such folder\n`);
    expect(await err(`${folder}/bare`)).toBe(`${folder}/bare: has no body.html and no body.txt\n`);
    mkdirSync(join(folder, 'other'));
    expect(await err(`${folder}/other`)).toBe(`${folder}/other: has no template.json\n`);
  });
});
