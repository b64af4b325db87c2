/** Templates in several languages: the folders, the type, the choice by a locale, and the account. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EmailPlatform, InvalidRequestError, templateUuid, type TemplateUuids } from 'email-platform';
import {
  checkTemplates,
  planTemplates,
  pullTemplates,
  pushTemplates,
  readTemplate,
  readTemplates,
  renderTemplate,
  TemplateError,
  templateTypes,
  typesOfFolder,
} from 'email-platform/templates';
import { connectEmulator, createEmulator, mailbox } from 'email-platform/testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ParsedTexts } from '../../../src/entries/templates/variables.ts';
import { grouped } from '../../../src/kit/grouped.ts';
import { rejection } from '../../support/expect-error.ts';
import { cli } from '../../cli/in-process.ts';
import { accountOf, lockIn, textIn } from './account.ts';
import { dataIn, newFile } from '../../testing/report/report-data.ts';
import { folderOf } from './folders.ts';

const CONFIG = { languages: ['en', 'de', 'de-AT'], default: 'en' };
const FILES = {
  'templates.config.json': JSON.stringify(CONFIG),
  'receipt/template.json': '{ "name": "Receipt", "subject": "Your order, {{{name}}}", "category": "orders" }',
  'receipt/body.html': '<p>Hello {{name}}</p>',
  'receipt/body.txt': 'Hello {{name}}',
  'receipt/example.json': '{ "name": "Ann", "vat": "20 %" }',
  'receipt/de/template.json': '{ "subject": "Bestellung, {{{name}}}" }',
  'receipt/de/body.html': '<p>Hallo {{name}}, USt. {{vat}}</p>',
  'receipt/de-AT/body.html': '<p>Servus {{name}}</p>',
  'receipt/img/logo.png': '',
  'receipt/old/body.html': '{{#each',
};

const foldersIn = async (folder: string) => (await readTemplates(folder)).map((one) => one.folder);
const messagesIn = async (files: Readonly<Record<string, string>>) => {
  const folder = folderOf({ ...FILES, ...files });
  const { problems } = await rejection(readTemplates(folder), TemplateError);
  return problems.map(({ file, line, message }) =>
    `${file}:${line}: ${message}`.replaceAll(`${folder}/`, ''),
  );
};

test('the text of each language is parsed once for all languages', async () => {
  const of = vi.spyOn(ParsedTexts.prototype, 'of');
  onTestFinished(() => of.mockRestore());
  await typesOfFolder(folderOf(FILES), { from: 'emails' });
  const parsed = of.mock.calls.map(([text], index): [string, unknown] => [
    text,
    of.mock.results[index]?.value,
  ]);
  const trees = grouped(parsed, ([text]) => [text]);
  expect([...trees.keys()]).toContain('<p>Servus {{name}}</p>');
  for (const [text, found] of trees)
    expect([text, new Set(found.map(([, tree]) => tree)).size]).toEqual([text, 1]);
  expect(parsed.length).toBeGreaterThan(trees.size);
});

describe('a locale chooses', () => {
  const known = ['de', 'de-AT', 'pt-BR', 'zh-Hant'];
  const uuids: TemplateUuids = {
    folder: 'emails',
    accounts: {},
    unpushed: Object.fromEntries(
      [undefined, ...known].map((one) => [one === undefined ? 'a' : `a/${one}`, one ?? 'default']),
    ),
    languages: { a: known },
  };
  const chosen = (options?: object) => templateUuid({ accountId: 1001 }, 'a', uuids, options);

  test.each([
    ['de', 'de'],
    ['DE', 'de'],
    ['de-CH', 'de'],
    ['de-AT', 'de-AT'],
    ['de_AT', 'de-AT'],
    ['DE_at', 'de-AT'],
    ['de-AT-1996', 'de-AT'],
    ['de-DE-u-co-phonebk', 'de'],
    ['de_AT.UTF-8', 'de-AT'],
    ['de_DE@euro', 'de'],
    ['de_AT@euro', 'de-AT'],
    [' de ', 'de'],
    ['pt-BR', 'pt-BR'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['zh-Hant-TW', 'zh-Hant'],
    ['zh-TW', 'zh-Hant'],
    ['zh_HK.UTF-8', 'zh-Hant'],
    ['zh-CN', 'default'],
    ['deu', 'de'],
    ['en', 'default'],
    ['fr', 'default'],
    ['', 'default'],
    ['-', 'default'],
    ['x-de', 'default'],
    ['C', 'default'],
    ['*', 'default'],
    ['__proto__', 'default'],
    ['constructor', 'default'],
  ])('%j: %s', (locale, expected) => {
    expect(chosen({ locale })).toBe(expected);
  });

  test.each<[languages: string[], locales: Record<string, string>]>([
    [
      ['zh-Hant', 'zh-Hans'],
      { zh: 'zh-Hans', 'zh-SG': 'zh-Hans', 'zh-CN': 'zh-Hans', 'zh-MO': 'zh-Hant', 'cmn-TW': 'zh-Hant' },
    ],
    [['zh', 'zh-Hant'], { 'zh-TW': 'zh-Hant', 'zh-CN': 'zh', zh: 'zh', 'zh-Hans-SG': 'zh' }],
    [['zh'], { 'zh-TW': 'zh' }],
    [['sr', 'sr-Latn'], { 'sr-Latn-RS': 'sr-Latn', 'sr-RS': 'sr', 'sr-ME': 'sr-Latn' }],
    [['nb'], { no: 'nb', 'nn-NO': 'nb', 'no-NO': 'nb', nb: 'nb' }],
    [['nn', 'no'], { nb: 'no', no: 'no', nn: 'nn', 'nn-NO': 'nn' }],
    [['pt-PT', 'pt-BR'], { pt: 'pt-BR', 'pt-PT': 'pt-PT' }],
    [['pt-PT', 'pt'], { 'pt-BR': 'pt', 'pt-AO': 'pt' }],
    [['he'], { 'iw-IL': 'he', iw: 'he' }],
    [['iw'], { 'he-IL': 'iw' }],
    [['he', 'he-IL'], { 'iw-IL': 'he-IL', iw: 'he' }],
    [['en-US', 'en-GB'], { 'en-AU': 'en-US', en: 'en-US', 'en-GB': 'en-GB' }],
  ])('of %j: %j', (languages, locales) => {
    const own = { ...uuids, languages: { a: languages }, default: 'fr' };
    const unpushed = Object.fromEntries(
      ['a', ...languages.map((one) => `a/${one}`)].map((one) => [one, one]),
    );
    for (const [locale, language] of Object.entries(locales))
      expect(templateUuid({ accountId: 1001 }, 'a', { ...own, unpushed }, { locale }), locale).toBe(
        `a/${language}`,
      );
  });

  test('the default is one of the languages', () => {
    const own = { ...uuids, languages: { a: ['en-AU', 'zh'] } };
    const of = (initial: string, locale: string) =>
      templateUuid(
        { accountId: 1001 },
        'a',
        { ...own, unpushed: { a: 'default', 'a/zh': 'zh' }, default: initial },
        { locale },
      );
    expect([of('en-US', 'en-GB'), of('zh-Hant', 'zh-TW'), of('zh-Hant', 'zh-CN')]).toEqual([
      'default',
      'default',
      'zh',
    ]);
  });

  test.each([
    ['Intl.Locale', () => vi.stubGlobal('Intl', { ...Intl, Locale: undefined })],
    [
      'the data of Intl.Locale',
      () =>
        vi.spyOn(Intl.Locale.prototype, 'maximize').mockImplementation(function (this: Intl.Locale) {
          return this;
        }),
    ],
  ])('without %s, only shortened tags are looked up', (_, without) => {
    without();
    onTestFinished(() => {
      vi.unstubAllGlobals();
      vi.restoreAllMocks();
    });
    expect(['de_AT', 'de-CH', 'pt', 'zh-TW', 'no'].map((locale) => chosen({ locale }))).toEqual([
      'de-AT',
      'de',
      'default',
      'default',
      'default',
    ]);
  });

  test('no locale: the default', () => {
    expect([chosen(), chosen({}), chosen({ locale: undefined })]).toEqual(['default', 'default', 'default']);
  });

  test.each([
    [{ locale: null }, 'options.locale: must be a string'],
    [{ locale: 7 }, 'options.locale: must be a string'],
    [{ locale: ['de'] }, 'options.locale: must be a string'],
    [{ local: 'de' }, 'options.local: is not a known field; did you mean `locale`?'],
    ['de', "options: must be an object such as { locale: 'de' }"],
    [null, "options: must be an object such as { locale: 'de' }"],
  ])('%j is an error', (options, message) => {
    expect(() => chosen(options as object)).toThrow(InvalidRequestError);
    expect(() => chosen(options as object)).toThrow(`The template "a" was not sent: ${message}`);
  });

  test('a template without languages has its default for every locale', () => {
    const none = { folder: 'emails', accounts: {}, unpushed: { constructor: 'x' }, languages: {} };
    expect(templateUuid({ accountId: 1001 }, 'constructor', none, { locale: 'de' })).toBe('x');
  });
});

describe('the folders', () => {
  test('a language takes the parts that it lacks from the language above; other folders are not languages', async () => {
    const templates = await readTemplates(folderOf(FILES));
    expect(templates).toMatchObject([
      { folder: 'receipt', locale: 'en', name: 'Receipt' },
      {
        folder: 'receipt/de',
        locale: 'de',
        name: 'Receipt (de)',
        subject: 'Bestellung, {{{name}}}',
        category: 'orders',
        html: FILES['receipt/de/body.html'],
        text: 'Hello {{name}}',
      },
      {
        folder: 'receipt/de-AT',
        name: 'Receipt (de-AT)',
        subject: 'Bestellung, {{{name}}}',
        html: '<p>Servus {{name}}</p>',
        text: 'Hello {{name}}',
      },
    ]);
  });

  test('a part of the language above counts before that of the default', async () => {
    const { 'receipt/de-AT/body.html': _, ...files } = FILES;
    const folder = folderOf({
      ...files,
      'receipt/de/template.json': '{ "subject": "Bestellung", "category": "bestellungen" }',
      'receipt/de/body.txt': 'Hallo {{name}}',
      'receipt/de-AT/template.json': '{ "name": "Rechnung" }',
    });
    const austrian = (await readTemplates(folder)).find((one) => one.folder === 'receipt/de-AT');
    expect(austrian).toMatchObject({
      subject: 'Bestellung',
      category: 'bestellungen',
      html: FILES['receipt/de/body.html'],
      text: 'Hallo {{name}}',
    });
  });

  test('a language has the optional variables of its template, and the line of a subject that it takes', async () => {
    const templates = await readTemplates(
      folderOf({
        ...FILES,
        'receipt/template.json':
          '{\n "name": "Receipt",\n "subject": "Your order",\n "category": "orders",\n "optional": ["vat"]\n}',
        'receipt/de/template.json': '{ "name": "Rechnung" }',
        'receipt/de-AT/template.json': '{\n\n\n"subject": "Rechnung" }',
      }),
    );
    expect(templates.map(({ optional, subjectLine }) => [optional, subjectLine])).toEqual([
      [['vat'], 3],
      [['vat'], 3],
      [['vat'], 4],
    ]);
    expect(templates[0]?.unread).toEqual(['img', 'old']);
  });

  test('a folder with a text alone is a language', async () => {
    const { 'receipt/de-AT/body.html': _, ...files } = FILES;
    const folder = folderOf({ ...files, 'receipt/de-AT/body.txt': 'Servus {{name}}' });
    expect(await foldersIn(folder)).toEqual(['receipt', 'receipt/de', 'receipt/de-AT']);
  });

  test('the problems of all languages are named at once', async () => {
    expect(
      await messagesIn({ 'receipt/de/template.json': '{', 'receipt/de-AT/template.json': '[]' }),
    ).toHaveLength(2);
  });

  test('a language takes parts from a shorter one, whatever the case of its name', async () => {
    const folder = folderOf({
      ...FILES,
      'templates.config.json': '{ "languages": ["en", "de", "de-AT", "DE-CH"], "default": "en" }',
      'receipt/DE-CH/body.html': '<p>Grüezi</p>',
    });
    const swiss = (await readTemplates(folder)).find((one) => one.folder === 'receipt/DE-CH');
    expect(swiss?.subject).toBe('Bestellung, {{{name}}}');
  });

  test.each([
    [250, []],
    [251, [expect.stringContaining('needs a "name" in its template.json') as unknown]],
  ])(
    'the name of a language has up to 255 characters, with the %i of its template',
    async (length, expected) => {
      const { 'receipt/de-AT/body.html': _, ...files } = FILES;
      const folder = folderOf({
        ...files,
        'receipt/template.json': `{ "name": "${'x'.repeat(length)}", "subject": "s", "category": "c" }`,
      });
      const error: unknown = await readTemplates(folder).catch((cause: unknown) => cause);
      const problems = error instanceof TemplateError ? error.problems : [];
      expect(problems.map(({ message }) => message)).toEqual(expected);
    },
  );

  test('without languages in the config nothing changes', async () => {
    const [template, ...others] = await readTemplates(
      folderOf({ ...FILES, 'templates.config.json': '{}', 'receipt/example.json': '{ "name": "Ann" }' }),
    );
    expect(others).toEqual([]);
    expect(template).not.toHaveProperty('locale');
    expect(template).not.toHaveProperty('language');
    expect(templateTypes(template ? [template] : [], { from: './x' })).not.toContain('locale');
  });

  test('an empty folder, and one with other files, is not a language', async () => {
    const folder = folderOf({
      ...FILES,
      'welcome/template.json': '{ "name": "W", "subject": "s", "category": "c" }',
      'welcome/body.txt': 'x',
      'welcome/de/logo.png': '',
    });
    expect(await foldersIn(folder)).toEqual(['receipt', 'receipt/de', 'receipt/de-AT', 'welcome']);
  });

  test('an empty body counts as missing, also if the language above has one', async () => {
    const folder = folderOf({ ...FILES, 'receipt/de/body.txt': '' });
    const { client } = accountOf();
    await pushTemplates(client, folder);
    const hosted = await client.templates.list().toArray();
    expect(hosted.map(({ name, body_text: text }) => [name, text])).toEqual([
      ['Receipt', 'Hello {{name}}'],
      ['Receipt (de)', null],
      ['Receipt (de-AT)', null],
    ]);
  });

  test.each([
    [
      { 'receipt/en/body.html': 'x' },
      ['receipt/en:undefined: is not read: en is the default, whose files are in receipt'],
    ],
    [
      { 'receipt/fr/body.html': 'x', 'receipt/pt-BR/readme.md': 'x', 'receipt/images/body.html': 'x' },
      ['receipt/fr:undefined: "fr" is not one of the languages in templates.config.json'],
    ],
    [
      { 'receipt/DE_at/body.html': 'x' },
      ['receipt/DE_at:undefined: is not read: the language is called "de-AT"'],
    ],
    [
      { 'receipt/de/template.json': '{\n"as": "x",\n"subjct": "y",\n"name": "" }' },
      [
        'receipt/de/template.json:2: "as" must be in receipt/template.json: the languages have one function',
        'receipt/de/template.json:3: "subjct" is unknown; did you mean `subject`?',
        'receipt/de/template.json:4: "name" must be a text of 1 to 255 characters',
      ],
    ],
    [
      { 'receipt/de/example.json': '{}' },
      [
        'receipt/de/example.json:undefined: is not read: the languages have one example, receipt/example.json',
      ],
    ],
    [{ 'receipt/de/template.json': '{' }, ['receipt/de/template.json:1: is not JSON']],
  ])('%j is a problem', async (files, expected) => {
    expect(await messagesIn(files)).toEqual(expected);
  });

  test.each([
    [
      '{ "languages": ["en"] }',
      '"languages" needs "default": the language of the parts in the folder of a template',
    ],
    [
      '{ "languages": ["en"], "default": "enn" }',
      '"default" must be one of the languages, such as "en"; did you mean `en`?',
    ],
    ['{ "default": "en" }', '"default" must be one of the languages, such as "en"'],
    [
      '{ "languages": ["en", "EN"], "default": "en" }',
      '"languages" must be a list of different language tags, such as ["en", "de", "de-AT"]',
    ],
    [
      '{ "languages": ["../x"], "default": "../x" }',
      '"languages" must be a list of different language tags, such as ["en", "de", "de-AT"]',
    ],
    [
      '{ "languages": "en" }',
      '"languages" must be a list of different language tags, such as ["en", "de", "de-AT"]',
    ],
  ])('%j: the config is refused', async (config, message) => {
    const messages = await messagesIn({ 'templates.config.json': config });
    expect(messages[0]).toBe(`templates.config.json:1: ${message}`);
  });

  test('one language is read and rendered alone, by its own path', async () => {
    const folder = folderOf(FILES);
    const template = await readTemplate(`${folder}/receipt/de`);
    expect(template).toMatchObject({ folder: 'receipt/de', name: 'Receipt (de)', example: { name: 'Ann' } });
    expect(renderTemplate(template, { name: 'Ann', vat: '20 %' })).toMatchObject({
      subject: 'Bestellung, Ann',
      text: 'Hello Ann',
      unused: [],
    });
    const rendered = await cli(['templates', 'render', `${folder}/receipt/de`]);
    expect(rendered).toMatchObject({
      out: '<p>Hallo Ann, USt. 20 %</p>',
      err: 'Subject: Bestellung, Ann\n',
      code: 0,
    });
    const english = await readTemplate(`${folder}/receipt`);
    expect(renderTemplate(english, { name: 'Ann', vat: '20 %', nmae: 1 }).unused).toEqual(['nmae']);
  });
});

describe('the type', () => {
  test('has the variables of all languages, and those that some lack are named', async () => {
    const folder = folderOf(FILES);
    const { text, problems, notes } = await typesOfFolder(folder, { from: './emails' });
    expect(problems).toEqual([]);
    expect(text).toContain('{\n  readonly name: string | number;\n  readonly vat: string | number;\n}');
    expect(text).toContain("languages: {\n    'receipt': ['de', 'de-AT'],\n  },\n  default: 'en',\n");
    expect(notes).toEqual([
      { file: `${folder}/receipt`, line: undefined, message: 'vat is not read in en, de-AT' },
    ]);
    const out = join(folder, 'emails.ts');
    const done = await cli(['templates', 'types', folder, '--out', out]);
    expect(done.err).toBe(`${folder}/receipt: vat is not read in en, de-AT\n`);
    expect(done.code).toBe(0);
    expect(readFileSync(out, 'utf8')).toContain('options?: { readonly locale?: string | undefined }');
  });

  test('a template without variables, and one without another language, takes the locale, too', async () => {
    const folder = folderOf({
      'templates.config.json': FILES['templates.config.json'],
      'welcome/template.json': '{ "name": "Welcome", "subject": "Hello", "category": "c" }',
      'welcome/body.txt': 'Hello',
    });
    const { text, notes } = await typesOfFolder(folder, { from: './emails' });
    expect(text).toContain(
      'welcome: (variables?: WelcomeVariables, options?: { readonly locale?: string | undefined })',
    );
    expect(text).toContain(
      "welcome: (variables = {}, options) => ({ template_uuid: templateUuid(client, 'welcome', UUIDS, options)",
    );
    expect(text).not.toContain('languages:');
    expect(notes).toEqual([]);
  });

  test('one language makes the type of all with --only', async () => {
    const folder = folderOf(FILES);
    const all = await typesOfFolder(folder, { from: './emails' });
    expect(await typesOfFolder(folder, { from: './emails', only: ['receipt/de'] })).toEqual(all);
  });

  test('a variable is optional by the rules over all languages', async () => {
    const files = { ...FILES, 'receipt/de/body.html': 'Hallo {{name}}{{#if vat}}{{vat}}{{/if}}' };
    const { text } = await typesOfFolder(folderOf(files), { from: './emails' });
    expect(text).toContain('readonly vat?: string | number | null | undefined;');
    const named = {
      ...FILES,
      'receipt/template.json': FILES['receipt/template.json'].replace('{', '{ "optional": ["vat"],'),
    };
    expect((await typesOfFolder(folderOf(named), { from: './emails' })).text).toContain('readonly vat?:');
  });

  test('the problems name the file of the language, once', async () => {
    const folder = folderOf({
      ...FILES,
      'receipt/body.txt': 'x\n{{name',
      'receipt/de/body.html': '{{> footer}}',
    });
    const { problems, count } = await typesOfFolder(folder, { from: './emails' });
    expect(count).toBe(0);
    expect(problems.map(({ file, line }) => `${file}:${line}`.replace(folder, ''))).toEqual([
      '/receipt/body.txt:2',
      '/receipt/de/body.html:1',
    ]);
  });

  test('the example has the variables of all languages', async () => {
    const folder = folderOf({ ...FILES, 'receipt/example.json': '{ "name": "Ann" }' });
    const { problems } = await typesOfFolder(folder, { from: './emails' });
    expect(problems).toEqual([
      {
        file: `${folder}/receipt/example.json`,
        line: undefined,
        message: 'vat is missing: de/body.html:1 reads it',
      },
    ]);
  });
});

describe('the account', () => {
  const written = (folder: string, file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  const pushed = async () => {
    const account = accountOf();
    const folder = folderOf(FILES);
    const push = await pushTemplates(account.client, folder);
    expect(push).toMatchObject({ created: ['receipt', 'receipt/de', 'receipt/de-AT'], problems: [] });
    const idOf = (name: string) => Number(lockIn(folder)['2001']?.[name]?.id);
    return { ...account, folder, idOf };
  };

  test('has one template for each language, in one lock; then there is nothing to push or pull', async () => {
    const { client, folder } = await pushed();
    const hosted = await client.templates.list().toArray();
    expect(hosted.map(({ name }) => name)).toEqual(['Receipt', 'Receipt (de)', 'Receipt (de-AT)']);
    expect(await planTemplates(client, folder)).toMatchObject({ changes: [], same: 3, unlocked: [] });
    expect(await pullTemplates(client, folder)).toMatchObject({ created: [], updated: [], problems: [] });
    const other = accountOf({ accountId: 3001 });
    await pushTemplates(other.client, folder);
    expect(Object.keys(lockIn(folder))).toEqual(['2001', '3001']);
    expect(Object.keys(lockIn(folder)['3001'] ?? {})).toEqual(['receipt', 'receipt/de', 'receipt/de-AT']);
    const uuids = (await readTemplates(folder)).map((one) => one.uuids['3001']);
    expect(uuids).toEqual(Object.values(lockIn(folder)['3001'] ?? {}).map(({ uuid }) => uuid));
    expect(new Set(uuids).size).toBe(3);
  });

  test('a part that the service changed is written where it came from, or into the folder of the language', async () => {
    const { client, folder, idOf } = await pushed();
    await client.templates.update(idOf('receipt/de'), {
      subject: 'Neu, {{{name}}}',
      body_text: 'Hallo {{name}}',
    });
    await client.templates.update(idOf('receipt'), { subject: 'New, {{{name}}}' });
    expect(await pullTemplates(client, folder)).toMatchObject({
      updated: ['receipt', 'receipt/de'],
      problems: [],
    });
    expect(JSON.parse(textIn(folder, 'receipt/de/template.json'))).toEqual({ subject: 'Neu, {{{name}}}' });
    expect(textIn(folder, 'receipt/de/body.txt')).toBe('Hallo {{name}}');
    expect(textIn(folder, 'receipt/body.txt')).toBe('Hello {{name}}');
    expect(JSON.parse(textIn(folder, 'receipt/template.json'))).toMatchObject({ subject: 'New, {{{name}}}' });
    // de-AT takes both from de, whose files have changed.
    expect(await planTemplates(client, folder)).toMatchObject({
      changes: [{ folder: 'receipt/de-AT', action: 'update', push: [{ part: 'subject' }, { part: 'text' }] }],
    });
  });

  test('a part that changed in all languages in the same way stays in the folder above', async () => {
    const { client, folder, idOf } = await pushed();
    for (const name of ['receipt', 'receipt/de', 'receipt/de-AT'])
      await client.templates.update(idOf(name), { body_text: 'Dear {{name}}' });
    await pullTemplates(client, folder);
    expect(textIn(folder, 'receipt/body.txt')).toBe('Dear {{name}}');
    expect(existsSync(join(folder, 'receipt/de/body.txt'))).toBe(false);
    expect(await planTemplates(client, folder)).toMatchObject({ changes: [], same: 3 });
  });

  test('a pull without the files writes the same languages again', async () => {
    const { client, folder } = await pushed();
    rmSync(join(folder, 'receipt'), { recursive: true });
    expect(await pullTemplates(client, folder)).toMatchObject({
      created: ['receipt', 'receipt/de', 'receipt/de-AT'],
      problems: [],
    });
    expect(JSON.parse(textIn(folder, 'receipt/de/template.json'))).toEqual({
      subject: 'Bestellung, {{{name}}}',
    });
    expect(existsSync(join(folder, 'receipt/de/body.txt'))).toBe(false);
    expect(existsSync(join(folder, 'receipt/de-AT/template.json'))).toBe(false);
    expect(await planTemplates(client, folder)).toMatchObject({ changes: [], same: 3 });
  });

  test('a language without a body that the default has is pulled as one', async () => {
    const { client } = accountOf();
    const folder = folderOf({ ...FILES, 'receipt/de/body.txt': '' });
    await pushTemplates(client, folder);
    rmSync(join(folder, 'receipt'), { recursive: true });
    await pullTemplates(client, folder);
    expect(textIn(folder, 'receipt/de/body.txt')).toBe('');
    expect(await planTemplates(client, folder)).toMatchObject({ changes: [], same: 3 });
  });

  test('a pull of one language alone writes no part that it takes from another', async () => {
    const { client, folder, idOf } = await pushed();
    await client.templates.update(idOf('receipt/de-AT'), { subject: 'Neu, {{{name}}}' });
    expect(await pullTemplates(client, folder, { only: ['receipt/de-AT'] })).toMatchObject({
      updated: ['receipt/de-AT'],
    });
    expect(JSON.parse(textIn(folder, 'receipt/de-AT/template.json'))).toEqual({ subject: 'Neu, {{{name}}}' });
    rmSync(join(folder, 'receipt/de'), { recursive: true });
    expect(await pullTemplates(client, folder, { only: ['receipt/de'] })).toMatchObject({
      created: ['receipt/de'],
      problems: [],
    });
    expect(JSON.parse(textIn(folder, 'receipt/de/template.json'))).toEqual({
      subject: 'Bestellung, {{{name}}}',
    });
  });

  test('a template is deleted in the files with its languages', async () => {
    const { client, folder, idOf } = await pushed();
    for (const name of ['receipt', 'receipt/de', 'receipt/de-AT']) await client.templates.delete(idOf(name));
    const { problems } = await pullTemplates(client, folder, { delete: ['receipt'] });
    expect(problems[0]?.message).toBe(
      'has languages, which --delete must name, too: receipt/de, receipt/de-AT',
    );
    const all = ['receipt', 'receipt/de', 'receipt/de-AT'];
    rmSync(join(folder, 'receipt/img'), { recursive: true });
    rmSync(join(folder, 'receipt/old'), { recursive: true });
    expect(await pullTemplates(client, folder, { delete: all })).toMatchObject({
      deleted: all,
      problems: [],
    });
    expect(existsSync(join(folder, 'receipt'))).toBe(false);
  });

  test('a language of the lock that is no longer declared is a problem of a pull', async () => {
    const { client, folder } = await pushed();
    written(folder, 'templates.config.json', '{ "languages": ["en", "de"], "default": "en" }');
    const unread = '"de-AT" is not one of the languages in templates.config.json';
    await expect(planTemplates(client, folder)).rejects.toThrow(unread);
    await expect(pullTemplates(client, folder)).rejects.toThrow(unread);
    rmSync(join(folder, 'receipt/de-AT'), { recursive: true });
    const { problems, created } = await pullTemplates(client, folder);
    expect(created).toEqual([]);
    expect(problems.map(({ message }) => message)).toEqual([unread]);
    expect(await pushTemplates(client, folder, { delete: ['receipt/de-AT'] })).toMatchObject({
      deleted: ['receipt/de-AT'],
    });
  });

  test('a template that happens to have the name of a language is not taken', async () => {
    const { client } = accountOf();
    await client.templates.create({ name: 'Receipt (de)', subject: 'x', category: 'y', body_text: 'z' });
    const folder = folderOf(FILES);
    const push = await pushTemplates(client, folder);
    expect(push.created).toEqual([]);
    expect(push.problems[0]?.message).toBe(
      'the account has a template of this name that no lock knows as a language, 41001: rename one of them, or push --overwrite receipt/de creates another',
    );
    expect(await pullTemplates(client, folder)).toMatchObject({
      created: ['receipt-de'],
      found: [],
      updated: [],
    });
    expect(textIn(folder, 'receipt/de/body.html')).toBe(FILES['receipt/de/body.html']);
  });

  test('--only with the name of a template means all its languages, with a language that one', async () => {
    const { client } = accountOf();
    const folder = folderOf(FILES);
    expect(await pushTemplates(client, folder, { only: ['receipt/de'] })).toMatchObject({
      created: ['receipt/de'],
    });
    expect(await pushTemplates(client, folder, { only: ['Receipt'] })).toMatchObject({
      created: ['receipt', 'receipt/de-AT'],
    });
    written(folder, 'templates.config.json', JSON.stringify({ ...CONFIG, ignore: ['receipt'] }));
    expect(await planTemplates(client, folder)).toMatchObject({ changes: [], same: 0, unlocked: [] });
  });

  test('check says which parts a language takes, and fails for variables that the code does not pass', async () => {
    const { client, folder, idOf } = await pushed();
    const taken = [
      { folder: 'receipt/de', kind: 'taken', message: 'takes text from en', isFailure: false },
      {
        folder: 'receipt/de-AT',
        kind: 'taken',
        message: 'takes subject from de, and text from en',
        isFailure: false,
      },
    ];
    expect((await checkTemplates(client, folder)).findings).toMatchObject(taken);
    // English may read `vat` now: the code passes it for German.
    await client.templates.update(idOf('receipt'), { body_text: 'Hello {{name}} {{vat}}' });
    expect((await checkTemplates(client, folder)).findings).toMatchObject(taken);
    await client.templates.update(idOf('receipt/de'), {
      body_html: '<p>Hallo {{vorname}} {{vat}}</p>',
      subject: 'x',
      body_text: 'y',
    });
    expect((await checkTemplates(client, folder)).findings.filter((one) => one.isFailure)).toMatchObject([
      { folder: 'receipt/de', kind: 'new', variable: 'vorname' },
      { folder: 'receipt/de', kind: 'gone', variable: 'name' },
    ]);
  });
});

describe('the emails of an emulator', () => {
  const sent = async () => {
    const templates = await readTemplates(folderOf(FILES));
    const emulator = createEmulator({ templates });
    const client = new EmailPlatform(emulator.clientOptions());
    for (const { uuid } of templates)
      await client.sending.send({
        from: 'shop@mail.example.com',
        to: 'ann@example.org',
        template_uuid: uuid,
        template_variables: { name: 'Ann', vat: '20 %', nmae: 'x' },
      });
    return emulator;
  };
  const EXPECTED = [
    ['Your order, Ann', { name: 'Receipt', locale: 'en', missing: [], unused: ['nmae'] }],
    ['Bestellung, Ann', { name: 'Receipt (de)', locale: 'de', missing: [], unused: ['nmae'] }],
    ['Bestellung, Ann', { name: 'Receipt (de-AT)', locale: 'de-AT', missing: [], unused: ['nmae'] }],
  ];

  test('know their language, and call no variable of another one unused', async () => {
    const emulator = await sent();
    expect(emulator.messages().map(({ subject, template }) => [subject, template])).toMatchObject(EXPECTED);
  });

  test('know it in a mailbox, by the template that each was sent with', async () => {
    const emulator = await sent();
    const shop = mailbox(emulator);
    const found = [];
    for (let left = EXPECTED.length; left > 0; left -= 1) found.push(await shop.waitFor());
    const templates = await readTemplates(folderOf(FILES));
    expect(found.map(({ template }) => template)).toEqual(
      templates.map(({ name, uuid, locale }) => ({ name, uuid, locale })),
    );
    const client = new EmailPlatform(emulator.clientOptions());
    const plain = { from: 'shop@mail.example.com', to: 'ann@example.org', text: 'Hi' };
    await client.sending.send({ ...plain, subject: 'Without a template' });
    expect(await shop.waitFor({ subject: 'Without a template' })).toMatchObject({ template: null });
  });

  test('know it over a port, too', async () => {
    const templates = await readTemplates(folderOf(FILES));
    const server = await createEmulator({ templates }).listen({ control: true });
    onTestFinished(() => server.close());
    const { url = '', token: controlToken = '' } = server.control ?? {};
    const there = connectEmulator(url, { controlToken });
    const [, german] = templates;
    await new EmailPlatform(server.clientOptions()).sending.send({
      from: 'shop@mail.example.com',
      to: 'ann@example.org',
      template_uuid: german?.uuid ?? '',
      template_variables: { name: 'Ann', vat: '20 %' },
    });
    expect((await there.messages())[0]?.template).toMatchObject({ locale: 'de', unused: [] });
  });

  test('are one kind of a report in all languages', async () => {
    const emulator = await sent();
    const file = await newFile();
    await emulator.report(file);
    const { kinds, mails } = await dataIn(file);
    expect(kinds).toMatchObject([{ id: 'template:Receipt', name: 'Receipt', by: 'template' }]);
    expect(mails.map(({ kind, template }) => [kind, template?.locale])).toEqual([
      ['template:Receipt', 'de-AT'],
      ['template:Receipt', 'de'],
      ['template:Receipt', 'en'],
    ]);
  });
});
