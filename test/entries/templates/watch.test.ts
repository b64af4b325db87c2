import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { EmailPlatform } from 'email-platform';
import {
  readTemplates,
  typesOfFolder,
  watchTemplates,
  type TemplateError,
  type TemplateFolder,
  type TemplateProblem,
  type TemplateWatchChange,
} from 'email-platform/templates';
import { createEmulator } from 'email-platform/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ParsedTexts } from '../../../src/entries/templates/variables.ts';
import { sized } from '../../support/extent.ts';
import { folderOf, templatesIn } from './folders.ts';

const HI = { json: { name: 'Hi' }, html: '<p>first {{name}}</p>' };

/** Watches a folder, and gathers what it says. */
async function watched(folder: string) {
  const emulator = createEmulator();
  const errors: TemplateError[] = [];
  const changes: (readonly string[])[] = [];
  const last: { problems: readonly TemplateProblem[]; read?: TemplateWatchChange['read'] } = { problems: [] };
  let wake: () => void = () => undefined;
  const watch = watchTemplates(emulator, folder, {
    onError: (error) => {
      errors.push(error);
      wake();
    },
    onChange: ({ folders, problems, read }) => {
      if (folders.length > 0) changes.push(folders);
      last.problems = problems;
      last.read = read;
      wake();
    },
  });
  onTestFinished(() => watch.close());
  const client = new EmailPlatform(emulator.clientOptions());
  /** Waits for reports until one makes the condition true. */
  const until = async (isDone: () => boolean) => {
    while (!isDone()) await new Promise<void>((resolve) => (wake = resolve));
  };
  const bodies = async () =>
    Object.fromEntries(
      (await client.templates.list().toArray()).map(({ name, body_html: html }) => [name, html]),
    );
  const changed = async (work: () => void) => {
    const before = changes.length;
    work();
    await until(() => changes.length > before);
    return changes.at(-1);
  };
  await until(() => changes.length + errors.length > 0);
  return { emulator, client, watch, errors, last, changes, until, bodies, changed };
}

const write = (folder: string, name: string, text: string) => writeFileSync(join(folder, name), text);

test('a saved template is in the next email', async () => {
  const folder = templatesIn({ hi: HI });
  const { emulator, client, changed } = await watched(folder);
  const [template] = await readTemplates(folder);
  const send = () =>
    client.sending.send({
      from: 'shop@mail.example.com',
      to: 'ann@example.org',
      template_uuid: template?.uuid ?? '',
      template_variables: { name: 'Ann' },
    });
  await send();
  const [before] = await client.templates.list().toArray();
  expect(await changed(() => write(folder, 'hi/body.html', '<p>second {{name}}</p>'))).toEqual(['hi']);
  await send();
  expect(emulator.messages().map(({ html }) => html)).toEqual(['<p>first Ann</p>', '<p>second Ann</p>']);
  const [after] = await client.templates.list().toArray();
  expect(after?.id).toBe(before?.id);
  emulator.reset();
  await send();
  expect(emulator.messages().map(({ html }) => html)).toEqual(['<p>second Ann</p>']);
});

test('changes of two templates while the emulator takes an earlier state are both taken', async () => {
  const folder = templatesIn({ a: HI, b: HI });
  const taken: Record<string, string | null>[] = [];
  let release: () => void = () => undefined;
  const replace = (templates: readonly TemplateFolder[]) => {
    taken.push(Object.fromEntries(templates.map(({ folder: name, html }) => [name, html])));
    return new Promise<void>((resolve) => (release = resolve));
  };
  const watch = watchTemplates({ templates: { replace } }, folder, { onError: () => undefined });
  onTestFinished(() => watch.close());
  await expect.poll(() => taken.length).toBe(1);
  for (const name of ['a', 'b']) {
    write(folder, `${name}/body.html`, 'second');
    // Each is seen as a change of its own. A late one is another read.
    await setTimeout(200);
  }
  const last = () => {
    release();
    return taken.at(-1);
  };
  await expect.poll(last, { timeout: 30_000 }).toEqual({ a: 'second', b: 'second' });
});

test('templates that the emulator did not take are given again at the next read', async () => {
  const folder = templatesIn({ hi: HI });
  const taken: string[][] = [];
  const replace = (templates: readonly TemplateFolder[]) => {
    taken.push(templates.map(({ folder: name }) => name));
    if (taken.length === 1) throw new Error('busy');
  };
  const changes: TemplateWatchChange[] = [];
  let wake: () => void = () => undefined;
  const change = () => new Promise<void>((resolve) => (wake = resolve));
  const watch = watchTemplates({ templates: { replace } }, folder, {
    onError: () => undefined,
    onChange: (one) => {
      changes.push(one);
      wake();
    },
  });
  onTestFinished(() => watch.close());
  await change();
  mkdirSync(join(folder, 'empty'));
  await change();
  const message = 'the emulator did not take the templates: busy';
  expect(changes).toMatchObject([
    { folders: [], problems: [{ message }] },
    { folders: ['hi'], problems: [] },
  ]);
  expect(taken).toEqual([['hi'], ['hi']]);
});

test('after the end, the emulator gets no templates', async () => {
  const folder = templatesIn({ hi: HI });
  let times = 0;
  const emulator = { templates: { replace: () => void (times += 1) } };
  watchTemplates(emulator, folder, { onError: () => undefined }).close();
  await readTemplates(folder);
  await setTimeout(100);
  expect(times).toBe(0);
});

test('a template to leave alone is not taken', async () => {
  const folder = templatesIn({ hi: HI, 'marketing-1': { ...HI, json: { name: 'Sale' } } });
  write(folder, 'templates.config.json', '{ "ignore": ["marketing-*"] }');
  const { bodies, changed } = await watched(folder);
  expect(await bodies()).toEqual({ Hi: HI.html });
  const config = '{ "ignore": [] }';
  expect(await changed(() => write(folder, 'templates.config.json', config))).toEqual(['marketing-1']);
  expect(await bodies()).toEqual({ Hi: HI.html, Sale: HI.html });
});

test('a folder that is made again has nothing of the one that was deleted', async () => {
  const folder = templatesIn({ hi: HI, other: { ...HI, json: { name: 'Other' } } });
  const { bodies, changed } = await watched(folder);
  await changed(() => rmSync(join(folder, 'hi'), { recursive: true }));
  expect(await bodies()).toEqual({ Other: HI.html });
  const again = templatesIn({ hi: { ...HI, html: '{{#if name}}' } });
  await changed(() => renameSync(join(again, 'hi'), join(folder, 'hi')));
  expect(await bodies()).toEqual({ Hi: '{{#if name}}', Other: HI.html });
});

test('an editor that writes another file and moves it into place', async () => {
  const folder = templatesIn({ hi: HI });
  const { changed, bodies } = await watched(folder);
  for (const text of ['second', 'third']) {
    await changed(() => {
      write(folder, 'hi/.body.html.swp', text);
      renameSync(join(folder, 'hi/body.html'), join(folder, 'hi/body.html~'));
      renameSync(join(folder, 'hi/.body.html.swp'), join(folder, 'hi/body.html'));
    });
    expect(await bodies()).toEqual({ Hi: text });
  }
});

test('new, renamed, replaced and removed folders', async () => {
  const folder = templatesIn({ hi: HI });
  const { changed, bodies } = await watched(folder);
  const other = templatesIn({ bye: { json: { name: 'Bye' }, html: 'bye' } });
  expect(await changed(() => renameSync(join(other, 'bye'), join(folder, 'bye')))).toEqual(['bye']);
  expect(await changed(() => write(folder, 'bye/body.html', 'bye 2'))).toEqual(['bye']);
  expect(await changed(() => renameSync(join(folder, 'bye'), join(folder, 'ciao')))).toEqual(['bye', 'ciao']);
  expect(await changed(() => write(folder, 'ciao/body.html', 'bye 3'))).toEqual(['ciao']);
  expect(await bodies()).toEqual({ Hi: HI.html, Bye: 'bye 3' });
  // Another folder takes the name of one that goes on to exist.
  await changed(() => {
    renameSync(join(folder, 'hi'), join(other, 'hi'));
    renameSync(join(folder, 'ciao'), join(folder, 'hi'));
  });
  await changed(() => write(folder, 'hi/body.html', 'bye 4'));
  expect(await bodies()).toEqual({ Bye: 'bye 4' });
  expect(await changed(() => rmSync(join(folder, 'hi'), { recursive: true }))).toEqual(['hi']);
  expect(await bodies()).toEqual({});
});

test('a new folder whose files come one by one', async () => {
  const folder = templatesIn({ hi: HI });
  const { until, changes, bodies, errors } = await watched(folder);
  mkdirSync(join(folder, 'late'));
  write(folder, 'late/body.html', 'late');
  await until(() => errors.length > 0);
  expect(errors[0]?.message).toContain('late: has no template.json');
  write(folder, 'late/template.json', '{ "name": "Late", "subject": "Late", "category": "x" }');
  await until(() => changes.length === 2);
  expect(await bodies()).toEqual({ Hi: HI.html, Late: 'late' });
});

test('the whole folder is moved away and back', async () => {
  const root = folderOf({});
  const folder = join(root, 'emails');
  renameSync(templatesIn({ hi: HI }), folder);
  const { until, changed, errors, bodies } = await watched(folder);
  renameSync(folder, join(root, 'away'));
  await until(() => errors.length === 1);
  expect(errors[0]?.message).toContain('there is no such folder');
  expect(await bodies()).toEqual({ Hi: HI.html });
  write(root, 'away/hi/body.html', 'back');
  expect(await changed(() => renameSync(join(root, 'away'), folder))).toEqual(['hi']);
  await changed(() => write(folder, 'hi/body.html', 'again'));
  expect(await bodies()).toEqual({ Hi: 'again' });
});

test('a broken template keeps its last good version, and the others go on', async () => {
  const folder = templatesIn({ hi: HI, bye: { json: { name: 'Bye' }, html: 'bye' } });
  const { until, errors, last, changed, bodies } = await watched(folder);
  write(folder, 'hi/body.html', '<p>\n{{#if name}}</p>');
  await until(() => errors.length === 1);
  expect(errors[0]?.problems).toMatchObject([{ file: join(folder, 'hi/body.html'), line: 2 }]);
  expect(await changed(() => write(folder, 'bye/body.html', 'bye 2'))).toEqual(['bye']);
  expect(await bodies()).toEqual({ Hi: HI.html, Bye: 'bye 2' });
  write(folder, 'bye/template.json', '{ "name": ');
  await until(() => errors.length === 2);
  expect(errors[1]?.problems.map(({ file }) => file)).toEqual([
    join(folder, 'bye/template.json'),
    join(folder, 'hi/body.html'),
  ]);
  await changed(() => write(folder, 'hi/body.html', 'mended'));
  expect(await bodies()).toEqual({ Hi: 'mended', Bye: 'bye 2' });
  write(folder, 'bye/template.json', JSON.stringify({ name: 'Bye', subject: 'Hello', category: 'test' }));
  await until(() => last.problems.length === 0);
  expect(errors).toHaveLength(3);
});

const LANGUAGES = {
  'templates.config.json': '{ "languages": ["en", "de"], "default": "en" }',
  'hi/template.json': '{ "name": "Hi", "subject": "Hello", "category": "x" }',
  'hi/body.html': '<p>Hello {{name}}</p>',
  'hi/de/body.html': '<p>Hallo {{name}}</p>',
};

test('a language is read again alone, and a broken one keeps its last good version', async () => {
  const folder = folderOf(LANGUAGES);
  const { until, changed, errors, bodies } = await watched(folder);
  expect(await bodies()).toEqual({ Hi: '<p>Hello {{name}}</p>', 'Hi (de)': '<p>Hallo {{name}}</p>' });
  expect(await changed(() => write(folder, 'hi/de/body.html', 'Moin'))).toEqual(['hi/de']);
  write(folder, 'hi/de/body.html', '{{#if name}}');
  await until(() => errors.length === 1);
  expect(errors[0]?.problems).toMatchObject([{ file: join(folder, 'hi/de/body.html'), line: 1 }]);
  expect(await changed(() => write(folder, 'hi/body.html', 'Good morning'))).toEqual(['hi']);
  expect(await bodies()).toEqual({ Hi: 'Good morning', 'Hi (de)': 'Moin' });
  mkdirSync(join(folder, 'hi/fr'));
  write(folder, 'hi/fr/body.html', 'Salut');
  write(folder, 'hi/de/body.html', 'Servus');
  await until(() => errors.length === 1);
  const config = '{ "languages": ["en", "de", "fr"], "default": "en" }';
  await changed(() => write(folder, 'templates.config.json', config));
  while (!('Hi (fr)' in (await bodies()))) await changed(() => undefined);
  expect(await bodies()).toEqual({ Hi: 'Good morning', 'Hi (de)': 'Servus', 'Hi (fr)': 'Salut' });
});

test('a change of the languages alone reads every template again', async () => {
  const folder = folderOf({
    ...LANGUAGES,
    'templates.config.json': '{ "ignore": ["Bye"] }',
    'bye/template.json': '{ "name": "Bye", "subject": "Bye", "category": "x" }',
    'bye/body.html': 'bye',
  });
  const { changed, bodies } = await watched(folder);
  expect(await bodies()).toEqual({ Hi: '<p>Hello {{name}}</p>' });
  const both = await changed(() => {
    write(folder, '.config', LANGUAGES['templates.config.json']);
    renameSync(join(folder, '.config'), join(folder, 'templates.config.json'));
  });
  expect(both).toEqual(['bye', 'hi', 'hi/de']);
  expect(await bodies()).toEqual({
    Bye: 'bye',
    Hi: '<p>Hello {{name}}</p>',
    'Hi (de)': '<p>Hallo {{name}}</p>',
  });
});

test('what was saved while the settings were broken is read once they are mended', async () => {
  const folder = folderOf(LANGUAGES);
  const { until, changed, errors, bodies } = await watched(folder);
  write(folder, 'templates.config.json', '{');
  await until(() => errors.length === 1);
  write(folder, 'hi/body.html', 'Good morning');
  // The read after this change is over, once the problem of the settings has become another one.
  write(folder, 'templates.config.json', '[]');
  await until(() => errors.length === 2);
  expect(await bodies()).toMatchObject({ Hi: '<p>Hello {{name}}</p>' });
  await changed(() => write(folder, 'templates.config.json', LANGUAGES['templates.config.json']));
  expect(await bodies()).toEqual({ Hi: 'Good morning', 'Hi (de)': '<p>Hallo {{name}}</p>' });
});

test('the types of what was read are those of the folder, whatever changes in it', async () => {
  const folder = folderOf({
    ...LANGUAGES,
    'bye/template.json': '{ "name": "Bye", "subject": "Bye", "category": "x" }',
    'bye/body.html': 'bye {{name}}',
  });
  const { last, until } = await watched(folder);
  const lock = (uuid: string) => JSON.stringify({ 7: { bye: { id: 1, uuid } } });
  const uuid = '8d7c1a52-0c63-4f0e-9d7a-1f2b3c4d5e6f';
  const { text: first } = await typesOfFolder(folder, { from: 'emails', read: last.read });
  expect(first).toBe((await typesOfFolder(folder, { from: 'emails' })).text);
  const changes: Readonly<Record<string, string>>[] = [
    { 'hi/de/body.html': '<p>Hallo {{name}}, {{vat}}</p>' },
    { 'hi/de/body.html': '{{#if name}}' },
    { 'bye/body.html': 'bye {{other}}' },
    { 'bye/template.json': '{' },
    { 'hi/de/body.html': '<p>Hallo {{name}}</p>' },
    { 'bye/template.json': '{ "name": "Ciao", "subject": "Bye", "category": "x" }' },
    { 'hi/example.json': '{ "nmae": "Ann" }' },
    { 'templates.lock.json': lock(uuid) },
    { 'templates.config.json': '{ "languages": ["en", "de"], "default": "en", "ignore": ["hi/de"] }' },
    { 'templates.config.json': '{ "ignore": ["Ciao"] }' },
  ];
  for (const files of changes) {
    const before = last.read;
    for (const [name, text] of Object.entries(files)) write(folder, name, text);
    await until(() => last.read !== before);
    const ofFolder = await typesOfFolder(folder, { from: 'emails' });
    // A file may be seen when it is half written.
    while ((await typesOfFolder(folder, { from: 'emails', read: last.read })).text !== ofFolder.text) {
      const half = last.read;
      await until(() => last.read !== half);
    }
    expect(await typesOfFolder(folder, { from: 'emails', read: last.read })).toEqual(ofFolder);
  }
});

test('a save parses the texts of its own template alone, and the types parse none', async () => {
  const folder = folderOf({
    ...LANGUAGES,
    'bye/template.json': '{ "name": "Bye", "subject": "Bye", "category": "x" }',
    'bye/body.html': 'bye {{name}}',
  });
  const { last, changed } = await watched(folder);
  const of = vi.spyOn(ParsedTexts.prototype, 'of');
  onTestFinished(() => of.mockRestore());
  await changed(() => write(folder, 'hi/body.html', '<p>Good morning {{other}}</p>'));
  const { text } = await typesOfFolder(folder, { from: 'emails', read: last.read });
  expect(text).toContain('readonly other:');
  const parsed = of.mock.calls.map(([given]) => given);
  expect(parsed).toContain('<p>Hallo {{name}}</p>');
  expect(parsed).not.toContain('bye {{name}}');
});

const many = sized(500, 100);
test(`${many} templates, and an edit during an edit`, async () => {
  const names = Array.from({ length: many }, (_, index) => `t${index}`);
  const folder = templatesIn(
    Object.fromEntries(names.map((name) => [name, { json: { name }, html: 'first' }])),
  );
  const { until, changes, bodies } = await watched(folder);
  for (const name of names) write(folder, `${name}/body.html`, 'second');
  await until(() => changes.length > 1);
  // The emulator may be reading the others now.
  for (const name of names) write(folder, `${name}/body.html`, 'third');
  const last = () => new Set(changes.slice(1).flat()).size;
  await until(() => last() === many);
  while (Object.values(await bodies()).some((body) => body !== 'third')) {
    const before = changes.length;
    await until(() => changes.length > before);
  }
});

test('links are not followed', async () => {
  const folder = templatesIn({ hi: HI });
  const secret = templatesIn({ there: { json: { name: 'There' }, html: 'secret' } });
  symlinkSync(join(secret, 'there'), join(folder, 'there'));
  const { until, changed, errors, bodies } = await watched(folder);
  await until(() => errors.some(({ message }) => message.includes('there: is a link')));
  expect(await bodies()).toEqual({ Hi: HI.html });
  symlinkSync(join(secret, 'there/body.html'), join(folder, 'hi/body.txt'));
  await until(() => errors.some(({ problems }) => problems.some(({ file }) => file.endsWith('body.txt'))));
  await changed(() => {
    rmSync(join(folder, 'hi/body.txt'));
    write(folder, 'hi/body.html', 'next');
  });
  expect(await bodies()).toEqual({ Hi: 'next' });
});

test('after close, nothing is read', async () => {
  const folder = templatesIn({ hi: HI });
  const first = await watched(folder);
  const second = await watched(folder);
  first.watch.close();
  await second.changed(() => write(folder, 'hi/body.html', 'second'));
  await second.changed(() => write(folder, 'hi/body.html', 'third'));
  expect(first.changes).toEqual([['hi']]);
  expect(await first.bodies()).toEqual({ Hi: HI.html });
});

const WRONG: readonly (readonly [readonly unknown[], string])[] = [
  [[{}, 'emails', { onError: () => undefined }], '`emulator` must be an emulator of email-platform/testing'],
  [
    [createEmulator(), '', { onError: () => undefined }],
    '`folder` must be the path of a folder, such as emails',
  ],
  [[createEmulator(), 'emails'], '`options.onError` must be a function'],
  [[createEmulator(), 'emails', { onError: () => undefined, onChange: 1 }], '`options.onChange` must be'],
  [[createEmulator(), 'emails', { onError: () => undefined, onEror: 1 }], '`options.onEror` is unknown'],
];

test.each(WRONG)('refuses wrong arguments: %#', (values, message) => {
  expect(() => watchTemplates(...(values as Parameters<typeof watchTemplates>))).toThrow(message);
});
