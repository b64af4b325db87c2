import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type * as main from 'email-platform';
import type * as testing from 'email-platform/testing';
import ts from 'typescript';
import { describe, expect, inject, test } from 'vitest';
import { asShown } from '../docs/snippets.ts';
import { hostsThatReadOnce } from '../support/compiler-hosts.ts';
import { root } from '../support/packed.ts';

/** The guide's files, by the path in the line before each; and its commands. */
const guide = readFileSync(join(root, 'docs/templates.md'), 'utf8');
const filesIn = (text: string) =>
  [...text.matchAll(/^`([^`]+)`:\n\n```\w+.*\n([^]*?)\n```$/gm)].map(([, path = '', content = '']) => ({
    path,
    text: content,
  }));
const languages = /## Languages\n([^]*?)\n## /.exec(guide)?.[1] ?? '';
const files = filesIn(guide.replace(languages, ''));
const commands =
  [...guide.matchAll(/^```sh\n([^]*?)\n```$/gm)]
    .map(([, text = '']) => text)
    .find((text) => text.includes('templates render')) ?? '';

const installed = join(inject('consumer'), 'node_modules/email-platform/dist/testing/index.js');
const { createEmulator } = (await import(installed)) as typeof testing;
const { EmailPlatform } = (await import(installed.replace('testing/', ''))) as typeof main;
const folder = join(inject('consumer'), 'templates-guide');
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const bash = async (line: string, env: Readonly<Record<string, string>> = {}, cwd = folder) => {
  const { PATH = '' } = process.env;
  return (await promisify(execFile)('bash', ['-ec', line], { cwd, env: { PATH, ...env } })).stdout;
};

write('package.json', '{ "type": "module" }');
for (const { path, text } of files) write(path, `${text}\n`);
const { config } = ts.parseConfigFileTextToJson(
  'tsconfig.json',
  files.find(({ path }) => path === 'tsconfig.json')?.text ?? '',
) as { config: { compilerOptions: object } };
/** As the guide's tsconfig.json, but with output; and stricter. */
const OPTIONS: ts.CompilerOptions = {
  ...ts.convertCompilerOptionsFromJson(config.compilerOptions, folder).options,
  noEmit: false,
  exactOptionalPropertyTypes: true,
  outDir: join(folder, 'built'),
  rootDir: folder,
  typeRoots: [join(root, 'node_modules/@types')],
  types: ['node'],
  skipLibCheck: true,
};

const hostFor = hostsThatReadOnce(folder);

/** Compiles programs of the guide, and returns what the compiler says. */
function compiled(paths: readonly string[]): string[] {
  const program = ts.createProgram(
    paths.map((path) => join(folder, path)),
    OPTIONS,
    hostFor(OPTIONS),
  );
  const found = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics];
  write('built/package.json', '{ "type": "module" }');
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

/** The lines that a program says it prints. */
const printsOf = (path: string, among = files) =>
  [...(among.find((one) => one.path === path)?.text ?? '').matchAll(/\/\/ prints: (.*)$/gm)].map(
    ([, line = '']) => line,
  );

describe('the guide to templates', () => {
  test('its commands work as they are printed', async () => {
    expect(files.length).toBeGreaterThan(5);
    expect(await bash(commands)).toBe('src/emails.ts: 1 template\n');
    expect(readFileSync(join(folder, 'receipt.html'), 'utf8')).toContain('<li>T-1: 4 €</li>');
  });

  test('its programs compile; what it says does not compile does not', () => {
    const programs = files.map(({ path }) => path).filter((path) => path.endsWith('.ts'));
    expect(compiled(programs)).toEqual([]);
    const program = files.find(({ path }) => path === 'src/receipt.ts')?.text ?? '';
    const shown = [...guide.matchAll(/^src\/receipt\.ts: (.+)$/gm)].map(([, message = '']) => message);
    expect(shown).toHaveLength(2);
    write('src/wrong.ts', program.replace("name: 'Ann'", "nmae: 'Ann'"));
    expect(compiled(['src/wrong.ts']).join()).toContain(shown[0]?.replace(/\.$/, ''));
    write('src/wrong.ts', program.replace(", price: '4 €'", ''));
    expect(compiled(['src/wrong.ts']).join()).toContain(shown[1]);
  });

  test('languages: the German receipt is typed, sent in a test, and pushed to two accounts', async () => {
    const own = filesIn(languages);
    const config = /templates\.config\.json` says[^]*?```json\n([^]*?)\n```/.exec(languages)?.[1] ?? '';
    const cwd = join(folder, 'languages');
    for (const { path, text } of [...files.filter((one) => one.path.startsWith('emails/')), ...own])
      write(`languages/${path}`, `${text}\n`);
    write('languages/emails/templates.config.json', config);
    expect(await bash(commands, {}, cwd)).toBe('src/emails.ts: 1 template\n');
    expect(compiled(['languages/src/languages.ts'])).toEqual([]);
    const printed = await bash('node ../built/languages/src/languages.js', {}, cwd);
    expect(printed.trimEnd().split('\n')).toEqual(printsOf('src/languages.ts', own));
    write('languages/src/wrong.ts', (own.at(-1)?.text ?? '').replace('{ locale }', '{ locale: 7 }'));
    expect(compiled(['languages/src/wrong.ts']).join()).toContain(
      "'number' is not assignable to type 'string'",
    );
    const settings = ['.env.staging', '.env.production'];
    const servers = await Promise.all(
      settings.map(async (name, index) => {
        const server = await createEmulator({ accountId: 2001 + index }).listen();
        const { token, accountId } = server.clientOptions();
        const variables = {
          EMAIL_PLATFORM_TOKEN: token,
          EMAIL_PLATFORM_ACCOUNT_ID: String(accountId),
          EMAIL_PLATFORM_URL: server.url,
        };
        const lines = Object.entries(variables).map(([key, value]) => `${key}=${value}\n`);
        write(`languages/${name}`, lines.join(''));
        return { server, accountId, name };
      }),
    );
    try {
      for (const name of settings)
        expect(await bash(`npx email-platform templates push emails --env-file ${name}`, {}, cwd)).toMatch(
          /^\+ receipt\n\+ receipt\/de\nNew UUIDs: .*\n$/,
        );
      await bash('npx email-platform templates types emails --out src/emails.ts', {}, cwd);
      const types = readFileSync(join(cwd, 'src/emails.ts'), 'utf8');
      for (const { accountId, name } of servers) {
        expect(types).toContain(`'${accountId}': {`);
        expect(await bash(`npx email-platform templates check emails --env-file ${name}`, {}, cwd)).toBe(
          '2 templates checked\n',
        );
      }
    } finally {
      for (const { server } of servers) await server.close();
    }
  });

  test('with an account: a variable is renamed in the web editor, and then in the files', async () => {
    const section = /## A variable is renamed\n([^]*?)\n## /.exec(guide)?.[1] ?? '';
    const [checked = '', pulled = ''] = [...section.matchAll(/^```sh\n([^]*?)\n```$/gm)].map(
      ([, lines = '']) => lines,
    );
    const [, shown = ''] = /^```\n(✗[^]*?\n)```$/m.exec(section) ?? [];
    const [all = ''] = [...guide.matchAll(/^```sh\n([^]*?)\n```$/gm)].flatMap(([, text = '']) =>
      text.includes('templates pull') ? [text] : [],
    );
    const emulator = createEmulator();
    const server = await emulator.listen();
    try {
      const { token, accountId } = server.clientOptions();
      const env = { EMAIL_PLATFORM_URL: server.url, EMAIL_PLATFORM_TOKEN: token };
      const cwd = join(folder, 'account');
      for (const { path, text } of files)
        if (path.startsWith('emails/')) write(`account/${path}`, `${text}\n`);
      // As `push` prints them, and then nothing differs.
      expect(await bash(all, env, cwd)).toBe(
        'Nothing to pull\n+ receipt\n+ receipt\nNew UUIDs: generate the types again (email-platform templates types emails --out <file>), and commit the lock\n1 template checked\n',
      );
      const [{ id } = { id: 0 }] = (await (
        await fetch(`${server.hosts.api}/api/accounts/${accountId}/email_templates`, {
          headers: { authorization: `Bearer ${token}` },
        })
      ).json()) as readonly { readonly id: number }[];
      const html = (files.find(({ path }) => path === 'emails/receipt/body.html')?.text ?? '').replace(
        '{{name}}',
        '{{first_name}}',
      );
      await fetch(`${server.hosts.api}/api/accounts/${accountId}/email_templates/${id}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          email_template: { subject: 'Your order, {{{first_name}}}', body_html: `${html}\n` },
        }),
      });
      const failed = await bash(checked, env, cwd).catch((error: unknown) => error);
      expect(failed).toMatchObject({ code: 1, stdout: shown });
      expect(await bash(pulled, env, cwd)).toBe(
        '~ emails/receipt\n' +
          '~ emails/receipt/example.json: name is now first_name\n' +
          'Generate the types again: email-platform templates types emails --out <file>\n' +
          'src/emails.ts: 1 template\n',
      );
      // Renamed in the files: `check` names the difference, and does not fail.
      for (const { path, text } of files)
        if (path.startsWith('emails/')) write(`account/${path}`, `${text}\n`);
      const renamed = ['types emails --out src/emails.ts', 'check emails', 'plan emails'];
      const lines = renamed.map((command) => `npx email-platform templates ${command}`).join('\n');
      expect(await bash(lines, env, cwd)).toBe(
        'src/emails.ts: 1 template\n' +
          '· receipt: the service still reads first_name: the files were edited since\n' +
          '· receipt: the service does not yet read name: the files were edited since\n' +
          '1 template checked\n' +
          '~ receipt: subject; html, 1 line\n',
      );
    } finally {
      await server.close();
    }
  });

  test('from staging to production: two emulators play the accounts, and the same folder serves both', async () => {
    const section = /## From staging to production\n([^]*?)\n## /.exec(guide)?.[1] ?? '';
    const [first = '', beside = ''] = [...section.matchAll(/^```sh\n([^]*?)\n```$/gm)].map(
      ([, lines = '']) => lines,
    );
    const later = first.replaceAll(/^.* (?:plan|types) .*\n?/gm, '');
    const ids = [
      [2001, '.env.staging'],
      [3001, '.env.production'],
    ] as const;
    const cwd = join(folder, 'two-accounts');
    const servers = await Promise.all(
      ids.map(async ([id, file]) => {
        const server = await createEmulator({ accountId: id }).listen();
        const { token, accountId } = server.clientOptions();
        const variables = {
          EMAIL_PLATFORM_TOKEN: token,
          EMAIL_PLATFORM_ACCOUNT_ID: String(accountId),
          EMAIL_PLATFORM_URL: server.url,
        };
        const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
        write(`two-accounts/${file}`, lines.join(''));
        const templates = new EmailPlatform({ token, accountId, hosts: server.hosts }).templates;
        return { server, accountId, templates, file };
      }),
    );
    const [staging, production] = servers;
    if (staging === undefined || production === undefined) throw new Error('Two emulators are needed');
    try {
      const receipt = { name: 'Receipt', subject: 'Your order', category: 'orders', body_text: '{{name}}' };
      const { id } = await staging.templates.create(receipt);
      const types = 'email-platform templates types emails --out <file>';
      expect(await bash(first, {}, cwd)).toBe(
        `+ emails/receipt\nGenerate the types again: ${types}\n` +
          `+ receipt\n+ receipt\nNew UUIDs: generate the types again (${types}), and commit the lock\n` +
          'src/emails.ts: 1 template\n',
      );
      expect(await production.templates.list().toArray()).toMatchObject([receipt]);
      const generated = readFileSync(join(cwd, 'src/emails.ts'), 'utf8');
      for (const { accountId, templates } of servers) {
        const [{ uuid } = { uuid: '' }] = await templates.list().toArray();
        expect(generated).toMatch(new RegExp(`'${accountId}': \\{\\s+'?receipt'?: '${uuid}'`));
      }
      await staging.templates.update(id, { subject: 'Thank you' });
      expect(await bash(later, {}, cwd)).toBe(
        `~ emails/receipt\nGenerate the types again: ${types}\n~ receipt\n`,
      );
      expect(await production.templates.list().toArray()).toMatchObject([{ subject: 'Thank you' }]);
      // A production that has a template of this name, made by hand: its lines in the lock are gone.
      const lock = JSON.parse(readFileSync(join(cwd, 'emails/templates.lock.json'), 'utf8')) as object;
      write(
        'two-accounts/emails/templates.lock.json',
        JSON.stringify({ ...lock, [production.accountId]: undefined }),
      );
      await production.templates.update(41_001, { subject: 'By hand' });
      const plan = `npx email-platform templates plan emails --env-file ${production.file}`;
      expect(await bash(plan, {}, cwd).catch((error: unknown) => error)).toMatchObject({
        code: 1,
        stdout: expect.stringContaining(
          '! receipt: the account has a template of this name, 41001',
        ) as string,
        stderr: expect.stringContaining(`Account ${production.accountId} at 127.0.0.1`) as string,
      });
      const [pull = '', push = ''] = beside.split('\n');
      expect(await bash(pull, {}, cwd).catch((error: unknown) => error)).toMatchObject({ code: 1 });
      expect(await bash(push, {}, cwd)).toBe('~ receipt\n');
      expect(await production.templates.list().toArray()).toMatchObject([{ subject: 'Thank you' }]);
    } finally {
      for (const { server } of servers) await server.close();
    }
  });

  test('its test prints what it shows', async () => {
    const printed = (await bash('node built/src/test.js')).trimEnd().split('\n');
    const prints = printsOf('src/test.ts');
    expect(prints.length).toBeGreaterThan(0);
    expect(printed.map((line, index) => asShown(prints[index], line))).toEqual(prints);
  });
});
