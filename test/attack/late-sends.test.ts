import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bundledProgram } from '../support/programs.ts';
import { lateSends, NONE_SENT_LATE } from './late-sends.ts';

const program = bundledProgram(
  fileURLToPath(new URL('../runtimes/programs/late-sends.mjs', import.meta.url)),
);

test('no email goes out after its deadline, however busy the process was', async () => {
  const seen = await lateSends(async (url) => {
    return (await promisify(execFile)(process.execPath, [program, url], { timeout: 50_000 })).stdout;
  });
  expect(seen).toEqual(NONE_SENT_LATE);
});
