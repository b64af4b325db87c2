import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  checkTemplates,
  planTemplates,
  pullTemplates,
  pushTemplates,
  readTemplates,
  TemplateError,
} from 'email-platform/templates';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isMatch } from '../../../src/entries/templates/selection.ts';
import { rejection } from '../../support/expect-error.ts';
import { accountOf } from './account.ts';
import { RECEIPT, templatesIn } from './folders.ts';

const named = (name: string) => ({ ...RECEIPT, json: { ...RECEIPT.json, name } });

describe('templates.config.json', () => {
  const configured = (config: string) => {
    const folder = templatesIn({ receipt: RECEIPT });
    writeFileSync(join(folder, 'templates.config.json'), config);
    return folder;
  };

  test.each([
    ['{ "ingore": [] }', ['1: "ingore" is unknown; did you mean `ignore`?']],
    [
      '{\n  "ignored": [],\n  "ignore": "x"\n}',
      [
        '2: "ignored" is unknown; did you mean `ignore`?',
        '3: "ignore" must be a list of names, such as ["Newsletter", "marketing-*"]',
      ],
    ],
    ['{ "ignore": [""] }', ['1: "ignore" must be a list of names, such as ["Newsletter", "marketing-*"]']],
    ['[]', ['1: must be a JSON object']],
    ['{\n<<<<<<< HEAD\n}', ['2: has a merge conflict of git']],
  ])('%j: every problem is reported at once', async (config, expected) => {
    const folder = configured(config);
    const { problems } = await rejection(readTemplates(folder), TemplateError);
    expect(problems.map(({ line, message }) => `${line}: ${message}`)).toEqual(expected);
    expect(new Set(problems.map(({ file }) => file))).toEqual(new Set([`${folder}/templates.config.json`]));
  });

  test('an ignored template is neither read, written, checked nor listed, whatever its files are', async () => {
    const { client, requests } = accountOf();
    const folder = templatesIn({
      receipt: RECEIPT,
      'marketing-may': { html: '{{formatDate x}}' },
      promo: named('Offer 1'),
    });
    writeFileSync(join(folder, 'marketing-may/template.json'), '{');
    writeFileSync(join(folder, 'templates.config.json'), '{ "ignore": ["marketing-*", "Offer ?"] }');
    await client.templates.create({ name: 'Offer 2', subject: 'x', category: 'y' });
    await client.templates.create({ name: 'Marketing May', subject: 'x', category: 'y' });
    expect((await readTemplates(folder)).map((one) => one.folder)).toEqual(['receipt']);
    expect(await planTemplates(client, folder)).toMatchObject({
      changes: [{ folder: 'receipt', action: 'create' }],
      unlocked: [],
    });
    expect(await pushTemplates(client, folder)).toMatchObject({ created: ['receipt'], problems: [] });
    expect(await pullTemplates(client, folder)).toMatchObject({ created: [], problems: [] });
    expect(await checkTemplates(client, folder)).toMatchObject({ checked: 1, findings: [] });
    expect(readdirSync(folder)).toHaveLength(5);
    expect(requests().filter((line) => !line.startsWith('GET'))).toHaveLength(3);
  });

  test('a folder that is ignored only now keeps its line in the lock, and its template', async () => {
    const { client } = accountOf();
    const folder = templatesIn({ promo: named('Offer'), receipt: RECEIPT });
    await pushTemplates(client, folder);
    writeFileSync(join(folder, 'templates.config.json'), '{ "ignore": ["Offer"] }');
    // Renamed in the service: the name in the files still says that it is ignored.
    await client.templates.update(41_001, { name: 'Renamed', subject: 'New' });
    expect(await planTemplates(client, folder)).toMatchObject({ changes: [], unlocked: [] });
    expect(await pullTemplates(client, folder)).toMatchObject({ created: [], updated: [], problems: [] });
    expect(await pushTemplates(client, folder)).toMatchObject({ updated: [], problems: [] });
    writeFileSync(join(folder, 'templates.config.json'), '{}');
    expect(await pullTemplates(client, folder)).toMatchObject({ updated: ['promo'], problems: [] });
  });
});

describe('only', () => {
  test('leaves out every other template, also one that cannot be read', async () => {
    const { client } = accountOf();
    const folder = templatesIn({ a: named('A'), b: named('B'), bad: {} });
    writeFileSync(join(folder, 'bad/template.json'), '{');
    await rejection(pushTemplates(client, folder), TemplateError);
    expect(await pushTemplates(client, folder, { only: ['a'] })).toMatchObject({ created: ['a'] });
    expect(await planTemplates(client, folder, { only: ['?'] })).toMatchObject({
      same: 1,
      changes: [{ folder: 'b' }],
    });
    await client.templates.create({ name: 'Theirs', subject: 'x', category: 'y', body_text: 'z' });
    await client.templates.create({ name: 'Others', subject: 'x', category: 'y', body_text: 'z' });
    expect(await pullTemplates(client, folder, { only: ['Theirs'] })).toMatchObject({ created: ['theirs'] });
    expect(await checkTemplates(client, folder, { only: ['a', 'theirs'] })).toMatchObject({ checked: 2 });
  });

  test('does not make a second template beside one of its name that it leaves out', async () => {
    const { client } = accountOf();
    await client.templates.create({ name: 'Receipt', subject: 'x', category: 'y' });
    const folder = templatesIn({ bill: RECEIPT });
    expect(await planTemplates(client, folder, { only: ['bill'] })).toMatchObject({
      changes: [{ folder: 'bill', action: 'conflict' }],
    });
  });

  test.each([
    [['reciept'], 'there is no such template; did you mean `receipt`?'],
    [['x*'], 'there is no such template'],
    [['promo'], 'is ignored: see templates.config.json'],
  ])('%j names no template: an error before anything is written', async (only, message) => {
    const { client, requests } = accountOf();
    const folder = templatesIn({ receipt: RECEIPT, promo: named('Offer') });
    writeFileSync(join(folder, 'templates.config.json'), '{ "ignore": ["promo"] }');
    const { problems } = await rejection(pushTemplates(client, folder, { only }), TemplateError);
    expect(problems).toMatchObject([{ file: `${folder}/${only[0]}`, message }]);
    expect(requests()).toEqual(['GET /email_templates']);
  });
});

test('a pattern matches as the regular expression of its marks does', () => {
  const letter = fc.constantFrom('a', 'b', 'é', '.', '*', '?');
  const word = fc.array(letter, { maxLength: 8 }).map((letters) => letters.join(''));
  fc.assert(
    fc.property(word, word, (pattern, name) => {
      const marks = Array.from(pattern, (one) =>
        one === '*' ? '.*' : one === '?' ? '.' : one.replace('.', '\\.'),
      );
      expect(isMatch(pattern, name)).toBe(new RegExp(`^${marks.join('')}$`, 'su').test(name));
    }),
    { numRuns: 2_000 },
  );
  // A hostile pattern takes no longer than the product of the lengths.
  expect(isMatch(`${'a*'.repeat(100)}b`, 'a'.repeat(2_000))).toBe(false);
});
