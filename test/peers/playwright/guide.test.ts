import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEmulator } from 'email-platform/testing';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { extract, root } from '../../docs/snippets.ts';

const file = 'docs/other-languages.md';
const [snippet] = extract(file, readFileSync(root + file, 'utf8')).filter(
  ({ peer }) => peer === 'playwright',
);

/** Inside the folder of what it imports. */
const folder = join(import.meta.dirname, '.tmp');
beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
});

/** Runs a file of tests in a process of Playwright's. Resolves with whether it passed, and with what it printed. */
async function play(name: string, code: string): Promise<{ passed: boolean; output: string }> {
  const server = await createEmulator().listen({ control: true });
  onTestFinished(() => server.close());
  writeFileSync(join(folder, `${name}.spec.ts`), code);
  const cli = join(import.meta.dirname, 'node_modules/@playwright/test/cli.js');
  // None of the variables by which it would take itself for a part of this test.
  const others = Object.entries(process.env).filter(
    ([key]) => !/^(VITEST|NODE_OPTIONS|TEST|FORCE_COLOR)/.test(key),
  );
  const env = {
    ...Object.fromEntries(others),
    EMAIL_PLATFORM_CONTROL_URL: server.control?.url,
    EMAIL_PLATFORM_CONTROL_TOKEN: server.control?.token,
    EMAIL_PLATFORM_SEND_URL: server.hosts.send,
    EMAIL_PLATFORM_TOKEN: server.clientOptions().token,
  };
  return new Promise((resolve) => {
    const args = [cli, 'test', `${name}.spec.ts`, '--reporter=line', '--workers=1', '--output=results'];
    execFile(process.execPath, args, { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ passed: error === null, output: stdout + stderr }),
    );
  });
}

test('the test of the guide passes, without a browser', async () => {
  const { passed, output } = await play('guide', snippet?.code ?? '');
  expect(passed ? 'passed' : output).toBe('passed');
  expect(output).toContain('1 passed');
});

test('and it can fail', async () => {
  const { passed, output } = await play(
    'broken',
    (snippet?.code ?? '').replace("'Confirm your address',\n      html", "'Other',\n      html"),
  );
  expect(passed).toBe(false);
  expect(output).toContain('1 failed');
});
