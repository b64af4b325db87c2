import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { extract } from '../../docs/snippets.ts';
import { installPacked, pack, root } from '../../support/packed.ts';

const folder = mkdtempSync(join(tmpdir(), 'runners-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The folder of the peers that each kind of project needs beside the package. */
const peers = (name: string) => join(import.meta.dirname, '..', name, 'node_modules');

/** The test programs of README and guide, with their imports apart: these differ between the formats of modules. */
const PROGRAMS = [
  ['README.md', 'mailbox(emulator)'],
  ['docs/testing.md', 'const [message] = emulator.messages();'],
].map(([file = '', part = '']) => {
  const found = extract(file, readFileSync(join(root, file), 'utf8')).find(({ code }) => code.includes(part));
  if (!found) throw new Error(`${file} has no program with ${part}`);
  return { file, body: found.code.replace(/^import .*;\n/gm, '') };
});

const NAMES = {
  'email-platform': ['EmailPlatform'],
  'email-platform/testing': ['compareReports', 'createEmulator', 'joinReports', 'mailbox', 'mailReport'],
};
const imports = (isEsm: boolean) =>
  Object.entries(NAMES).map(([module, names]) =>
    isEsm
      ? `import { ${names.join(', ')} } from '${module}';`
      : `const { ${names.join(', ')} } = require('${module}');`,
  );

/** A file of tests: the programs, everything that writes a file or opens a port, and sends under fake timers. */
const testFile = (isEsm: boolean, runner: string, fakes: readonly string[], restore: string) =>
  [
    ...imports(isEsm),
    runner,
    ...PROGRAMS.map(({ file, body }) => `test('${file}', async () => {\n${body}\n});`),
    `const make = () => {
  const emulator = createEmulator();
  return { emulator, client: new EmailPlatform(emulator.clientOptions()) };
};
const email = { from: 'a@mail.example.com', to: 'ann@example.org', subject: 'S', text: 'T' };
const calls = async (isFaked, openBefore) => {
  const { emulator, client } = make();
  await client.sending.send(email);
  await mailbox(emulator).waitFor({ subject: 'S' });
  await emulator.waitForMessages({ to: 'x@example.org', waitMs: 20 }).catch((error) => error);
  const file = 'report-' + process.pid + '-' + Math.random() + '.html';
  await emulator.report(file);
  await joinReports([file], file + '.joined.html');
  await compareReports([file], file);
  await mailReport(client, { file: file + '.inbox.html', analysis: false });
  const over = async () => {
    const server = await emulator.listen({ port: 0 });
    await new EmailPlatform(server.clientOptions()).sending.send(email);
    await server.close();
  };
  const named = (error) => {
    if (!isFaked || !/fake timers have replaced/.test(error.message)) throw error;
  };
  await over().catch(named);
  await openBefore?.close().catch(named);
};
test('files and ports', () => calls(false));`,
    ...fakes.map(
      (fake) => `test(${JSON.stringify(fake)}, async () => {
  const openBefore = await make().emulator.listen({ port: 0 });
  ${fake}
  try { await calls(true, openBefore); } finally { ${restore} }
});`,
    ),
  ].join('\n');

const SINON = ['sinon.useFakeTimers();', "sinon.useFakeTimers({ toFake: ['queueMicrotask'] });"];
const JEST = ['jest.useFakeTimers();', 'jest.useFakeTimers({ legacyFakeTimers: true });'];
const jestFile = (fakes = JEST) => testFile(false, '', fakes, 'jest.useRealTimers();');
/** In parts, because Vitest reads the whole comment, too. */
const JEST_COMMENT = 'jest-' + 'environment';
const IN_JSDOM = `/** @${JEST_COMMENT} jsdom */
test('the use names the remedy, and the import fails for nothing', () => {
  const { createEmulator } = require('email-platform/testing');
  require('email-platform');
  require('email-platform/webhooks');
  expect(() => createEmulator()).toThrow('@${JEST_COMMENT} node');
});`;
const ALL_OF_VITEST = `vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'setImmediate', 'Date', 'performance', 'queueMicrotask'] });`;

interface Project {
  readonly needs: readonly (readonly [folder: string, ...names: string[]])[];
  readonly files: Readonly<Record<string, string>>;
  readonly command: readonly string[];
}

const jestProject = (of: string): Project => ({
  needs: [[of, 'jest', 'jest-environment-jsdom', 'ts-jest', 'typescript']],
  files: {
    'jest.config.cjs': `module.exports = { projects: [
      { testMatch: ['**/*.test.cjs'] },
      { testMatch: ['**/*.test.ts'], transform: { '\\\\.ts$': ['ts-jest', { diagnostics: false, tsconfig: { module: 'commonjs', esModuleInterop: true, target: 'es2022' } }] } },
    ] };`,
    'node.test.cjs': `/** @${JEST_COMMENT} node */\n${jestFile()}`,
    'jsdom.test.cjs': IN_JSDOM,
    'typed.test.ts': `// @ts-nocheck\n${testFile(true, '', JEST, 'jest.useRealTimers();')}`,
  },
  command: [join(peers(of), 'jest/bin/jest.js'), '--ci'],
});

const PROJECTS: Readonly<Record<string, Project>> = {
  'Jest 29': jestProject('jest-29'),
  'Jest 30': jestProject('jest'),
  Mocha: {
    needs: [['runners', 'sinon', 'mocha']],
    files: {
      'a.cjs': testFile(
        false,
        "const { it: test } = require('mocha'); const sinon = require('sinon');",
        SINON,
        'sinon.restore();',
      ),
    },
    command: [join(peers('runners'), 'mocha/bin/mocha.js'), '--timeout', '60000', 'a.cjs'],
  },
  AVA: {
    needs: [['runners', 'sinon', 'ava']],
    files: {
      'a.test.mjs': testFile(
        true,
        "import ava from 'ava'; import sinon from 'sinon';\nconst test = (title, run) => ava.serial(title, async (t) => { await run(); t.pass(); });",
        SINON,
        'sinon.restore();',
      ),
    },
    command: [join(peers('runners'), 'ava/entrypoints/cli.mjs'), '--timeout=60s'],
  },
  'node:test': {
    needs: [['runners', 'sinon']],
    files: {
      'a.test.mjs': testFile(
        true,
        "import { mock, test } from 'node:test'; import sinon from 'sinon';",
        [...SINON, "mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate', 'Date'] });"],
        'sinon.restore(); mock.timers.reset();',
      ),
    },
    command: ['--test', 'a.test.mjs'],
  },
  Vitest: {
    needs: [],
    files: {
      'a.test.mjs': testFile(
        true,
        "import { test, vi } from 'vitest';",
        ['vi.useFakeTimers();', ALL_OF_VITEST],
        'vi.useRealTimers();',
      ),
    },
    command: [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--testTimeout', '60000'],
  },
};

let consumer = '';
beforeAll(() => {
  consumer = installPacked(pack(), join(folder, 'consumer'));
});

test.each(Object.entries(PROJECTS))(
  'the test programs of README and guide, reports and ports, and fake timers, in %s',
  async (name, { needs, files, command }) => {
    const own = join(folder, name.replace(/\W/g, ''));
    mkdirSync(join(own, 'node_modules'), { recursive: true });
    writeFileSync(join(own, 'package.json'), '{}');
    const link = (from: string, to: string) => symlinkSync(from, join(own, 'node_modules', to), 'junction');
    link(join(consumer, 'node_modules/email-platform'), 'email-platform');
    for (const [from, ...names] of needs) for (const each of names) link(join(peers(from), each), each);
    if (name === 'Vitest') link(join(root, 'node_modules/vitest'), 'vitest');
    for (const [file, text] of Object.entries(files)) writeFileSync(join(own, file), text);
    // A test that hangs ends here: no runner can stop one that blocks the loop.
    const { NODE_ENV: _, VITEST: __, ...env } = process.env;
    const options = { cwd: own, timeout: 150_000, killSignal: 'SIGKILL', env } as const;
    const ended = await promisify(execFile)(process.execPath, [...command], options).catch(
      (error: unknown) => error,
    );
    const { stdout = '', stderr = '' } = ended as { readonly stdout?: string; readonly stderr?: string };
    expect(ended instanceof Error ? `${stdout}\n${stderr}` : '').toBe('');
  },
);
