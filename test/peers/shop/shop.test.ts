/** A copy of examples/shop with the packed tarball, as an application of its own: its types, its templates, its browser test. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { findChromium, NO_CHROMIUM } from '../../support/chromium.ts';
import { installPacked, pack, root } from '../../support/packed.ts';
import { closedPort } from '../../support/ports.ts';

const chromium = await findChromium();
if (!chromium) process.stderr.write(`\n*** The shop's test with Playwright is SKIPPED. ${NO_CHROMIUM}\n\n`);

const shop = join(root, 'examples/shop');
/** Inside the folder of its packages. */
const copy = join(shop, '.tmp/copy');
const PARTS = ['src', 'templates', 'test', 'tsconfig.json', 'playwright.config.ts'];

beforeAll(() => {
  rmSync(copy, { recursive: true, force: true });
  installPacked(pack(), copy);
  for (const part of PARTS) cpSync(join(shop, part), join(copy, part), { recursive: true });
  cpSync(join(shop, 'package.json'), join(copy, 'package.json'));
});

/** Runs a program of Node in the copy. Resolves with its output, and with whether it succeeded. */
async function run(args: readonly string[], env: Record<string, string> = {}) {
  // Without the variables by which Playwright would take itself for a part of this test.
  const others = Object.entries(process.env).filter(
    ([key]) => !/^(VITEST|NODE_OPTIONS|TEST|FORCE_COLOR)/.test(key),
  );
  return new Promise<{ output: string; isDone: boolean }>((resolve) => {
    const options = { cwd: copy, env: { ...Object.fromEntries(others), ...env } };
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ output: stdout + stderr, isDone: error === null }),
    );
  });
}

const tsc = [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', '.'];
const checkTypes = [
  'node_modules/email-platform/dist/cli/index.js',
  ...'templates types templates --out src/emails.ts --check'.split(' '),
];

/** Replaces a text in a file of the copy, while `work` runs. */
async function changed(file: string, from: string, to: string, work: () => Promise<void>): Promise<void> {
  const path = join(copy, file);
  const before = readFileSync(path, 'utf8');
  expect(before).toContain(from);
  writeFileSync(path, before.replace(from, to));
  try {
    await work();
  } finally {
    writeFileSync(path, before);
  }
}

test('the shop compiles, and a wrong variable of a template does not', async () => {
  expect(await run(tsc)).toEqual({ output: '', isDone: true });
  await changed('src/mails.ts', 'minutes: CODE_MINUTES', 'hours: CODE_MINUTES', async () => {
    expect((await run(tsc)).output).toContain("'hours' does not exist in type 'SignUpCodeVariables'");
  });
});

test('the types are those of the templates', async () => {
  expect(await run(checkTypes)).toMatchObject({ output: 'src/emails.ts: 2 templates\n', isDone: true });
  await changed('templates/receipt/body.html', '{{total}}', '{{sum}}', async () => {
    expect((await run(checkTypes)).isDone).toBe(false);
  });
});

test.skipIf(!chromium)('the browser test passes, and fails where the code is not in the email', async () => {
  const cli = join(shop, 'node_modules/@playwright/test/cli.js');
  const play = async () =>
    run([cli, 'test', '--reporter=line', '--workers=1'], {
      PORT: String(await closedPort()),
      EMULATOR_PORT: String(await closedPort()),
      CHROMIUM_OPTIONS: JSON.stringify(chromium),
    });
  const { output, isDone } = await play();
  expect(isDone ? 'passed' : output).toBe('passed');
  expect(output).toContain('1 passed');
  await changed('templates/sign-up-code/template.json', 'Your code is {{code}}', 'Your code', () =>
    changed('templates/sign-up-code/body.html', '{{code}}', '', async () => {
      expect((await play()).output).toContain('1 failed');
    }),
  );
});

test('npm run example:shop prints two addresses, which open', async () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  // The packages are installed already.
  const [program = '', ...args] = (scripts['example:shop'] ?? '').replace(/.* && /, '').split(' ');
  expect(program).toBe('tsx');
  const child = spawn(process.execPath, [join(root, 'node_modules/tsx/dist/cli.mjs'), ...args], {
    cwd: root,
    env: { ...process.env, PORT: String(await closedPort()), EMULATOR_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let output = '';
    for await (const chunk of child.stdout) {
      output += String(chunk);
      if (/Its emails: .*\n/.test(output)) break;
    }
    const addresses = output.match(/http:\S+/g) ?? [];
    expect(addresses).toHaveLength(2);
    const [first = '', second = ''] = addresses;
    expect(await (await fetch(first)).text()).toContain('<button>Sign up</button>');
    // It lets a browser in, by a cookie.
    expect((await fetch(second, { redirect: 'manual' })).status).toBe(303);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
});
