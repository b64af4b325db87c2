import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bundledProgram } from '../support/programs.ts';
import { isQuoteOf, root } from './snippets.ts';

const suite = readFileSync(`${root}examples/test_signup.py`, 'utf8');

const hasPython = spawnSync('python3', ['--version']).error === undefined;
if (!hasPython)
  process.stderr.write('\n*** The suite of examples/test_signup.py is SKIPPED: there is no python3.\n\n');

/** A folder with the suite, and the command where npm would have put it. */
function folderWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'other-languages-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  const command = join(folder, 'node_modules/.bin/email-platform');
  const program = bundledProgram(`${root}src/cli/index.ts`);
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(command, 0o755);
  writeFileSync(join(folder, 'test_signup.py'), text);
  return folder;
}

/** Runs the suite. Resolves with what it prints. */
const run = (text: string) =>
  new Promise<{ failed: boolean; output: string }>((resolve) => {
    const args = ['-W', 'error', '-m', 'unittest', '-v', 'test_signup.py'];
    const env = { ...process.env, NODE_OPTIONS: '' };
    execFile('python3', args, { cwd: folderWith(text), env, timeout: 150_000 }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, output: stdout + stderr }),
    );
  });

test('the guide quotes the Python suite', () => {
  const guide = readFileSync(`${root}docs/other-languages.md`, 'utf8');
  const [, quote = ''] = /^```python\n([^]*?)^```$/m.exec(guide) ?? [];
  expect(quote).toContain('/messages?');
  expect(isQuoteOf(quote.trimEnd(), suite)).toBe(true);
});

test.skipIf(!hasPython)('the Python suite passes', async () => {
  const { failed, output } = await run(suite);
  expect(output).toMatch(/Ran 7 tests in /);
  expect(failed ? output : 'passed').toBe('passed');
});

test.skipIf(!hasPython)('and it can fail: an application that sends another link', async () => {
  const { failed, output } = await run(suite.replace('confirm?code=7&amp;', 'confirm?code=8&amp;'));
  expect(failed).toBe(true);
  expect(output).toContain('FAIL: test_the_email_has_a_link');
  expect(output).toContain('FAILED (failures=1)');
});
