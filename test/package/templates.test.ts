import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { COMPILERS, said } from '../support/compilers.ts';
import { root } from '../support/packed.ts';

/** An application in an otherwise empty folder, which has the package. */
const folder = join(inject('consumer'), 'templates-app');
const write = (file: string, text: string) => {
  mkdirSync(join(folder, file, '..'), { recursive: true });
  writeFileSync(join(folder, file), text);
};
/** Runs a line as a person types it. */
const run = (line: string) => {
  const [command = '', ...args] = line.split(' ');
  return execFileSync(command, args, { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' });
};

const APPLICATION = `import { EmailPlatform } from 'email-platform';
import { readTemplates } from 'email-platform/templates';
import { createEmulator } from 'email-platform/testing';
import { emails } from './emails.js';

const emulator = createEmulator({ templates: await readTemplates('emails') });
const client = new EmailPlatform({ ...emulator.clientOptions(), defaults: { from: 'shop@mail.example.com', category: 'x' } });
const { receipt } = emails(client);
const order = { name: 'Ann', items: [{ sku: 'T-1', price: '4 €' }] };
await client.sending.send({ to: 'ann@example.org', ...receipt(order) });
await client.sending.batch({ base: receipt(order), requests: [{ to: 'a@example.org' }, { to: 'b@example.org', ...receipt(order) }] });
await client.sending.batchAll([{ to: 'c@example.org', ...receipt(order) }]);
console.log(emulator.messages().map(({ subject, template }) => [subject, template?.missing]));
`;

const WRONG = `import { EmailPlatform } from 'email-platform';
import { emails } from './emails.js';
const { receipt } = emails(new EmailPlatform());
receipt({ nmae: 'Ann', items: [] });
receipt({ name: 'Ann', items: [{ sku: 'T-1' }] });
receipt({ name: 'Ann', items: [{ sku: 'T-1', price: {} }] });
receipt({ name: 'Ann' });
receipt();
`;

beforeAll(() => {
  write('package.json', JSON.stringify({ type: 'module' }));
  write(
    'emails/receipt/template.json',
    JSON.stringify({ name: 'Receipt', subject: 'Your order, {{name}}', category: 'orders' }),
  );
  write(
    'emails/receipt/body.html',
    '<p>{{name}}</p>{{#each items}}<p>{{sku}} {{price}}</p>{{/each}}{{#if note}}{{note}}{{/if}}',
  );
  write('emails/receipt/body.txt', 'Hello {{name}}');
  write(
    'emails/receipt/example.json',
    JSON.stringify({ name: 'Ann', items: [{ sku: 'T-1', price: '4 €' }] }),
  );
  for (const extension of ['ts', 'mts', 'cts'])
    expect(run(`npx email-platform templates types emails --out src/emails.${extension}`)).toBe(
      `src/emails.${extension}: 1 template\n`,
    );
  write('src/application.ts', APPLICATION);
  write('src/wrong.ts', WRONG);
  write(
    'src/common.cts',
    `import generated = require('./emails.cjs');
import platform = require('email-platform');
const order: generated.ReceiptVariables = { name: 'Ann', items: [{ sku: 'T-1', price: '4 €' }] };
const client = new platform.EmailPlatform();
void client.sending.send({ to: 'ann@example.org', ...generated.emails(client).receipt(order) });
`,
  );
});

const STRICTEST = {
  noEmit: true,
  strict: true,
  target: 'es2022',
  module: 'nodenext',
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  declaration: true,
  skipLibCheck: false,
  skipDefaultLibCheck: true,
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
};

describe.each(COMPILERS)('%s', (compiler) => {
  const isOld = compiler === 'typescript-5.4';
  const options = { ...STRICTEST, ...(isOld ? {} : { isolatedDeclarations: true }) };

  test('compiles the generated file with every extension, and what uses it', async () => {
    expect(
      await said(
        compiler,
        folder,
        ['src/emails.ts', 'src/emails.mts', 'src/emails.cts', 'src/application.ts', 'src/common.cts'],
        options,
      ),
    ).toBe('');
  });

  test('refuses wrong variables, and names them', async () => {
    const lines = (await said(compiler, folder, ['src/wrong.ts'], options)).split(/\n(?=src)/);
    expect(lines.map((line) => /\((\d+),/.exec(line)?.[1])).toEqual(['4', '5', '6', '7', '8']);
    expect(lines[0]).toContain("'nmae' does not exist in type 'ReceiptVariables'");
    expect(lines[1]).toContain("'price' is missing");
    expect(lines[2]).toContain("not assignable to type 'string | number'");
    expect(lines[3]).toContain("'items' is missing");
  });
});

test('the application sends, and its test sees the real email', () => {
  const { outputText } = ts.transpileModule(APPLICATION, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  const generated = readFileSync(join(folder, 'src/emails.ts'), 'utf8');
  write('src/application.js', outputText);
  write(
    'src/emails.js',
    ts.transpileModule(generated, {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    }).outputText,
  );
  const line = "[ 'Your order, Ann', [] ]";
  expect(run('node src/application.js').match(/\[ 'Your order, Ann', \[\] \]/g)).toEqual([
    line,
    line,
    line,
    line,
  ]);
});

test('hovering a function shows the name and the subject of its template', () => {
  const file = join(folder, 'src/wrong.ts');
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      strict: true,
    }),
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const text = ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
    fileExists: (name) => ts.sys.fileExists(name),
    readFile: (name) => ts.sys.readFile(name),
    directoryExists: (name) => ts.sys.directoryExists(name),
  });
  for (const at of [WRONG.indexOf('receipt'), WRONG.indexOf('receipt(')]) {
    const found = service.getQuickInfoAtPosition(file, at);
    expect(ts.displayPartsToString(found?.documentation)).toBe('Receipt: Your order, {{name}}');
  }
});

test('--check says that the file is stale, and render writes the email', () => {
  expect(run('npx email-platform templates types emails --out src/emails.ts --check')).toBe(
    'src/emails.ts: 1 template\n',
  );
  run('npx email-platform templates render emails/receipt --data example.json --out receipt.html');
  expect(readFileSync(join(folder, 'receipt.html'), 'utf8')).toBe('<p>Ann</p><p>T-1 4 €</p>');
  cpSync(join(folder, 'emails/receipt'), join(folder, 'emails/second'), { recursive: true });
  expect(() => run('npx email-platform templates types emails --out src/emails.ts --check')).toThrow(
    'src/emails.ts is stale',
  );
});
