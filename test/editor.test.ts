import { EmailPlatform, EmailPlatformError, ValidationError } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { join } from 'node:path';
import { format } from 'node:util';
import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';
import { editorPicture } from './support/editor-picture.ts';
import { FIRST_LINE, VALUES, WRONG_PROGRAMS, wrongFile } from './support/wrong-programs.ts';

const root = join(import.meta.dirname, '..');
const file = join(root, 'test/editor-program.ts');
const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
  readonly config: object;
};
const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, root);

/** Both editors read each file of the sources once. */
const documents = ts.createDocumentRegistry();

/** What an editor shows of a file, by TypeScript's language service. */
class Editor {
  readonly #service: ts.LanguageService;

  readonly #code: string;

  constructor(code: string) {
    this.#code = code;
    const host: ts.LanguageServiceHost = {
      getScriptFileNames: () => [file],
      getScriptVersion: (path) => (path === file ? code : '1'),
      getScriptSnapshot: (path) => {
        const text = path === file ? code : ts.sys.readFile(path);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => root,
      getCompilationSettings: () => ({ ...options, noUnusedLocals: false }),
      getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
      fileExists: (path) => path === file || ts.sys.fileExists(path),
      readFile: (path) => ts.sys.readFile(path),
      directoryExists: (path) => ts.sys.directoryExists(path),
      getDirectories: (path) => ts.sys.getDirectories(path),
    };
    this.#service = ts.createLanguageService(host, documents);
  }

  /** The errors of the file, each with its line and the marked text. */
  errors(): { line: number; lines: string[]; marked: string }[] {
    return this.#service.getSemanticDiagnostics(file).map(({ start = 0, length = 0, messageText }) => ({
      line: this.#code.slice(0, start).split('\n').length - 1,
      lines: ts.flattenDiagnosticMessageText(messageText, '\n').split('\n'),
      marked: this.#code.slice(start, start + length),
    }));
  }

  /** The names that are offered at a place: the members of an object, and no name of the whole file. */
  completions(at: number): string[] {
    const found = this.#service.getCompletionsAtPosition(file, at, {});
    return (found?.entries ?? [])
      .filter(({ sortText }) => sortText <= '12')
      .map(({ name, kindModifiers = '' }) => (kindModifiers.includes('optional') ? `${name}?` : name));
  }

  /** What is shown at each name that is offered at a place: its type and its text. */
  hovers(at: number): Record<string, string> {
    const names = this.completions(at).map((name) => name.replace('?', ''));
    return Object.fromEntries(
      names.map((name) => {
        const details = this.#service.getCompletionEntryDetails(file, at, name, {}, undefined, {}, undefined);
        const words = ts.displayPartsToString(details?.documentation).replace(/\s+/g, ' ');
        const type = ts.displayPartsToString(details?.displayParts).replace(/^\(\w+\) /, '');
        const tags = (details?.tags ?? []).map((tag) => ` @${tag.name} ${ts.displayPartsToString(tag.text)}`);
        return [name, `${type}: ${words}${tags.join('')}`];
      }),
    );
  }
}

describe('The error of a common wrong program', () => {
  const found = new Map<number, { lines: string[]; marked: string }[]>();

  beforeAll(() => {
    for (const { line, ...error } of new Editor(wrongFile()).errors())
      found.set(line - FIRST_LINE, [...(found.get(line - FIRST_LINE) ?? []), error]);
  });

  test('there are at least 50, and no error stands elsewhere', () => {
    expect(WRONG_PROGRAMS.length).toBeGreaterThanOrEqual(50);
    expect([...found.keys()].filter((index) => WRONG_PROGRAMS[index] === undefined)).toEqual([]);
  });

  test.each(
    WRONG_PROGRAMS.map((one, index) => ({ ...one, index })).filter(({ thrown }) => thrown === undefined),
  )('$program: at most three lines name $name', ({ name, index }) => {
    const [error] = found.get(index) ?? [];
    expect(error?.lines.length).toBeLessThanOrEqual(3);
    expect(`${error?.lines.join('\n')}\n${error?.marked}`).toMatch(new RegExp(`(?<!\\w)${name}(?!\\w)`));
  });

  test.each(WRONG_PROGRAMS.filter(({ thrown }) => thrown !== undefined))(
    '$program: the call names $name',
    async ({ name, program, thrown = '' }) => {
      const code = `${VALUES} export const run = (client) => ${program};`;
      const { run } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
        readonly run: (client: EmailPlatform) => PromiseLike<unknown>;
      };
      const client = new EmailPlatform(createEmulator().clientOptions());
      const error: unknown = await Promise.resolve(run(client)).catch((thrownError: unknown) => thrownError);
      expect(error).toBeInstanceOf(EmailPlatformError);
      expect((error as Error).message).toContain(name);
      expect((error as Error).message).toBe(thrown);
    },
  );
});

/** Places in programs, each at the bar. */
const COMPLETED = [
  'client.|',
  'client.sending.|',
  'client.campaigns.|',
  'client.contacts.|',
  'client.limits.|',
  'client.sending.send({ | })',
  "client.sending.send({ template_uuid: 'x', | })",
  "client.sending.send({ subject: 'x', attachments: [{ | }] })",
  "client.sending.send({ to: [], subject: '' }, { | })",
  'client.sending.batch({ | })',
  'client.sending.batch({ base: { | } })',
  'client.sending.batchAll(emails, { | })',
  '(await client.sending.batchAll([])).|',
  'client.emailLogs.list({ filters: { | } })',
  "client.emailLogs.list({ filters: { to: { operator: '|' } } })",
  'client.campaigns.list({ | })',
  'new EmailPlatform({ | })',
  'new EmailPlatform({ hosts: { | } })',
  'emulator.|',
  'createEmulator({ | })',
  'mailbox(emulator).|',
];
const HOVERED = [
  'client.sending.send({ | })',
  "client.sending.send({ template_uuid: 'x', | })",
  "client.sending.send({ to: [], subject: '' }, { | })",
  'client.sending.batch({ | })',
  'client.sending.batch({ base: { | } })',
  'client.sending.batch({ requests: [{ | }] })',
  'client.sending.batch({ requests: [] }, { | })',
  'client.sending.batchAll([{ | }])',
  'client.sending.batchAll(emails, { | })',
  'new EmailPlatform({ | })',
  'new EmailPlatform({ hosts: { | } })',
  'createEmulator({ | })',
];

describe('An editor shows', () => {
  const places = [...new Set([...COMPLETED, ...HOVERED])];
  const parts = [
    `import { EmailPlatform, type BatchRequest } from 'email-platform';
import { createEmulator, mailbox, type Emulator } from 'email-platform/testing';
declare const client: EmailPlatform;
declare const emails: BatchRequest[];
declare const emulator: Emulator;`,
    ...places.map((program, index) => `async function place${index}() { ${program}; }`),
  ];
  const marked = parts.join('\n');
  const editor = new Editor(marked.replaceAll('|', ''));
  const placeOf = (program: string) =>
    marked.indexOf(program) - places.indexOf(program) + program.indexOf('|');

  test.each(COMPLETED)('these names at %s', (program) => {
    expect(editor.completions(placeOf(program))).toMatchSnapshot();
  });

  test.each(HOVERED)('these texts at %s', (program) => {
    const hovers = editor.hovers(placeOf(program));
    expect(hovers).toMatchSnapshot();
    for (const [name, text] of Object.entries(hovers)) {
      // One text for a field, whatever object it is in: each of its sentences stands once.
      const sentences = text.slice(text.indexOf(': ')).split('. ');
      expect([name, new Set(sentences).size]).toEqual([name, sentences.length]);
      expect(text).not.toMatch(/Absent|& EmailAddress|EmailAddress &/);
    }
  });

  test('a picture of the README: the methods of campaigns, beside what a caught error prints', async () => {
    const place = 'client.campaigns.|';
    // A hover has the type of the method, and then its text.
    const offered = Object.entries(editor.hovers(placeOf(place))).map(([name, hover]) => ({
      name,
      text: />: ([^.]*)/.exec(hover)?.[1] ?? '',
    }));
    const code = `import { EmailPlatform } from 'email-platform';

const client = new EmailPlatform();
await ${place.replace('|', '')}`;
    const caught = `try {
  await client.contacts.create({ email: 'ann' });
} catch (error) {
  if (!(error instanceof ValidationError)) throw error;
  console.log(error.message);
  console.log(error.fieldErrors, error.effect);
}`;
    const printed: string[] = [];
    const source = `export const run = async (client, ValidationError, console) => { ${caught} };`;
    const { run } = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as {
      readonly run: (...values: unknown[]) => Promise<void>;
    };
    const client = new EmailPlatform(createEmulator().clientOptions());
    await run(client, ValidationError, { log: (...values: unknown[]) => printed.push(format(...values)) });
    const picture = editorPicture(
      { code, offered, chosen: 'create' },
      { code: caught, command: 'node catch.mjs', output: printed.join('\n') },
    );
    await expect(picture).toMatchFileSnapshot(join(root, 'docs/images/editor.svg'));
  });
});
