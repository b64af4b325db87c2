import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { followGuide } from '../support/follow-guide.ts';
import { root } from '../support/packed.ts';
import { firstScreen, sectionAlone, titles } from '../support/readme.ts';

/** It needs SQLite: `test/peers/sqlite/readme.test.ts` runs it. */
const WITH_DATABASE = 'Many emails, with keys';

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

test('the first screen of the README works when it is pasted into an empty folder', async () => {
  const commands = await pasted(firstScreen());
  expect(commands[0]).toBe('npm install email-platform');
  expect(runs(commands)).toEqual(['node --env-file=.env.emulator send.mjs']);
});

test.each(titles.filter((title) => title !== WITH_DATABASE))(
  'the section "%s" of the README works alone, in an empty folder with the emulator of the first screen',
  async (title) => {
    expect(runs(await pasted(sectionAlone(title)))).toHaveLength(1);
  },
);

test('the sections with a program are those of the work', () => {
  expect(titles).toEqual(['Iterate', 'Catch', 'Campaign and contacts', 'Test', WITH_DATABASE]);
});

test('the guide to getting started works when it is pasted into an empty folder', async () => {
  const commands = await pasted(read('docs/getting-started.md'));
  expect(runs(commands)).toHaveLength(5);
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
