/** The whole README in an empty folder, in its order: its commands, its template and its programs. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { databasesHere } from '../../support/databases.ts';
import { followGuide } from '../../support/follow-guide.ts';
import { pack, root } from '../../support/packed.ts';

const isHere = databasesHere().some(({ name }) => name === 'better-sqlite3');
const PACKAGES = {
  'better-sqlite3': { folder: join(import.meta.dirname, 'node_modules/better-sqlite3') },
  tsx: { folder: join(root, 'node_modules/tsx'), command: 'dist/cli.mjs' },
};

/** The README, with a command after each program that no command of it runs, and what the program says that it prints. */
function asGuide(markdown: string): string {
  return markdown.replace(
    /```ts\n(\/\/ ([\w-]+\.mjs)\n[^]*?)```\n/g,
    (block, program: string, file: string) => {
      if (file === 'send.mjs') return block;
      const prints = [...program.matchAll(/\/\/ prints: (.+)$/gm)].map(([, line = '']) => line);
      const command = `node --env-file=.env.emulator ${file}`;
      const output = prints.length === 0 ? '' : `\n\`\`\`text\n${prints.join('\n')}\n\`\`\`\n`;
      return `${block}\n\`\`\`sh\n${command}\n\`\`\`\n${output}`;
    },
  );
}

test.skipIf(!isHere)('the README works when it is followed from an empty folder', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'email-platform-readme-'));
  onTestFinished(() => {
    rmSync(parent, { recursive: true, force: true });
  });
  const guide = asGuide(readFileSync(join(root, 'README.md'), 'utf8'));
  const commands = await followGuide(guide, pack(), join(parent, 'empty'), PACKAGES);
  expect(commands.filter((command) => /^(node|npx tsx) /.test(command))).toEqual([
    'node --env-file=.env.emulator send.mjs',
    'node --env-file=.env.emulator iterate.mjs',
    'node --env-file=.env.emulator catch.mjs',
    'node --env-file=.env.emulator campaign.mjs',
    'node --env-file=.env.emulator sign-up.mjs',
  ]);
});
