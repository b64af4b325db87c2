import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld } from './ambient.ts';
import { asShown, guides, root } from './snippets.ts';

/** The commands of the guides that call the emulator's port, each with the output that follows it. */
const blocks = guides.flatMap((file) =>
  [
    ...readFileSync(root + file, 'utf8').matchAll(
      /^```sh\n((?:(?!```).*\n)*)```\n\n```text\n((?:(?!```).*\n)*)```$/gm,
    ),
  ]
    .filter(([, code = '']) => code.includes('curl '))
    .map(([, code = '', output = '']): [string, string, string] => [
      `${file}: ${code.slice(0, 60)}`,
      code,
      output.replace(/\n$/, ''),
    ]),
);

const hasCurl = spawnSync('curl', ['--version']).error === undefined;
if (!hasCurl) process.stderr.write('\n*** The commands with curl are SKIPPED: there is no curl.\n\n');

let close: () => Promise<void>;
beforeAll(async () => {
  close = await openWorld();
});
afterAll(() => close());

test('there are some', () => {
  expect(blocks.length).toBeGreaterThan(0);
});

test.skipIf(!hasCurl).each(blocks)('%s', async (_, code, output) => {
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-euc', code], {
    timeout: 20_000,
    // No start-up file of the machine's.
    env: { ...process.env, BASH_ENV: '' },
  });
  expect([asShown(output, stdout), stderr]).toEqual([output, '']);
});
