import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { followGuide } from '../support/follow-guide.ts';
import { root } from '../support/packed.ts';

/** What a reader does who pastes a text into an empty folder; returns the commands. */
function pasted(markdown: string): Promise<string[]> {
  const parent = mkdtempSync(join(tmpdir(), 'email-platform-guide-'));
  onTestFinished(() => {
    rmSync(parent, { recursive: true, force: true });
  });
  return followGuide(markdown, inject('tarball'), join(parent, 'empty'));
}

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const runs = (commands: readonly string[]) => commands.filter((command) => command.startsWith('node '));

test('the opening of the README works when it is pasted into an empty folder', async () => {
  const [opening = ''] = read('README.md').split(/^## /m);
  const commands = await pasted(opening);
  expect(commands[0]).toBe('npm install email-platform');
  expect(runs(commands)).toEqual(['node --env-file=.env.emulator send.mjs']);
});

test('the guide to getting started works when it is pasted into an empty folder', async () => {
  const commands = await pasted(read('docs/getting-started.md'));
  expect(runs(commands)).toHaveLength(4);
  // The first program sends an email.
  expect(runs(commands)[0]).toBe('node first.mjs');
});

test.each([
  ['a program that is not a module', 'first.mjs', 'first.js', /Cannot use import statement outside a module/],
  ['a command for another file', 'node first.mjs', 'node fist.mjs', /Cannot find module .*fist\.mjs/],
  ['another output', 'Your order\n```', 'My order\n```', /^expected 'accepted as /],
  ['a wrong import', "'email-platform/testing'", "'email-platform/test'", /not defined by "exports"/],
])('a guide with %s is noticed', async (_, right, wrong, message) => {
  const [start = ''] = read('docs/getting-started.md').split(/^## Connect/m);
  expect(start).toContain(right);
  await expect(pasted(start.replaceAll(right, wrong))).rejects.toThrow(message);
});
