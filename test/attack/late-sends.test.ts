import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { lateSends, NONE_SENT_LATE } from './late-sends.ts';

const path = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));

test('no email goes out after its deadline, however busy the process was', async () => {
  const seen = await lateSends(async (url) => {
    const args = [path('node_modules/tsx/dist/cli.mjs'), path('test/runtimes/programs/late-sends.mjs'), url];
    return (await promisify(execFile)(process.execPath, args, { timeout: 50_000 })).stdout;
  });
  expect(seen).toEqual(NONE_SENT_LATE);
});
