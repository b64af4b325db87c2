/** The README's program with keys, in an empty folder: as printed with node:sqlite, and as it says for better-sqlite3. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { compile, extract, write } from '../../docs/snippets.ts';
import { databasesHere } from '../../support/databases.ts';
import { followGuide } from '../../support/follow-guide.ts';
import { pack, root } from '../../support/packed.ts';
import { sectionAlone } from '../../support/readme.ts';

const TITLE = 'Many emails, with keys';
const packages = join(import.meta.dirname, 'node_modules');
const NAMES = ['better-sqlite3', '@types/better-sqlite3'];
const PACKAGES = Object.fromEntries(NAMES.map((name) => [name, join(packages, name)]));

/** The section for an older Node: with its command to install, and its import. */
function forOlderNode(section: string): string {
  const [line = '', ownImport = ''] = /^import .*node:sqlite.*: (import .+)$/m.exec(section) ?? [];
  const [, install = ''] = /Node 20: `(npm install [^`]+)`/.exec(section) ?? [];
  expect(install).toBe('npm install better-sqlite3@12 @types/better-sqlite3');
  return section.replace(line, `${ownImport};`).replace('```ts', `\`\`\`sh\n${install}\n\`\`\`\n\n\`\`\`ts`);
}

test.each(databasesHere())('the program with keys works with $name', async ({ name, node }) => {
  const parent = mkdtempSync(join(tmpdir(), 'email-platform-readme-'));
  onTestFinished(() => {
    rmSync(parent, { recursive: true, force: true });
  });
  const section = sectionAlone(TITLE, node);
  const guide = name === 'node:sqlite' ? section : forOlderNode(section);
  const commands = await followGuide(guide, pack(), join(parent, 'empty'), PACKAGES);
  expect(commands.at(-1)).toMatch(/node --env-file=\.env\.emulator newsletter\.mjs$/);
});

test('it compiles', () => {
  const snippets = extract('README.md', readFileSync(join(root, 'README.md'), 'utf8'));
  const written = write(
    snippets.filter(({ peer }) => peer === 'newer-node'),
    `${import.meta.dirname}/.tmp/`,
  );
  expect(written).toHaveLength(1);
  expect(compile(written, { types: ['types-node-22'] })).toEqual([]);
});
