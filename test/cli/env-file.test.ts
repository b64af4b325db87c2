import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { cli } from './in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'env-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fileOf = (name: string, text: string) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

describe('--env-file', () => {
  const one = fileOf('one.env', '# A comment\nTOKEN="a b"\nPLACE=one\nEMPTY=\nSET=file\n');
  const two = fileOf('two.env', 'PLACE=two\n');
  const schema = ['journal', 'schema', '--sqlite', 'nowhere'];

  test.each([
    ['before the command', ['--env-file', one, '--env-file', two, ...schema]],
    ['after it', [...schema, '--env-file', one, `--env-file=${two}`]],
  ])('adds variables, %s: the last file counts, and what is set stays', async (_, args) => {
    const env: Record<string, string | undefined> = { SET: '' };
    expect((await cli(args, { env })).code).toBe(0);
    expect(env).toEqual({ SET: '', TOKEN: 'a b', PLACE: 'two', EMPTY: '' });
  });

  test('names the variables that are not used, because the shell has other values, and not the values', async () => {
    const env = { SET: 'shell', PLACE: 'two', TOKEN: 'secret of the shell' };
    const { code, err } = await cli(['--env-file', one, '--env-file', two, ...schema], { env });
    expect([code, err]).toEqual([
      0,
      `SET, TOKEN of ${one} are not used: the shell has set them to other values\n`,
    ]);
    expect((await cli(['--env-file', two, ...schema], { env: { PLACE: 'x' } })).err).toBe(
      `PLACE of ${two} is not used: the shell has set it to another value\n`,
    );
    const both = { PLACE: 'x', SET: 'file', TOKEN: 'y' };
    const { err: warnings } = await cli(['--env-file', one, '--env-file', two, ...schema], { env: both });
    expect(warnings.split('\n').sort()).toEqual([
      '',
      `PLACE of ${two} is not used: the shell has set it to another value`,
      `TOKEN of ${one} is not used: the shell has set it to another value`,
    ]);
  });

  test('that cannot be read is a failure, and nothing is done, exit 1', async () => {
    const env = {};
    const args = ['--env-file', one, '--env-file', join(folder, 'none'), ...schema];
    const { code, out, err } = await cli(args, { env });
    expect([code, out, env]).toEqual([1, '', {}]);
    expect(err).toContain('The file of --env-file cannot be read: ENOENT');
  });

  // Node reads the option wherever it stands, and before the program: docs/command-line.md says so.
  test.runIf(Number(process.versions.node.split('.')[0]) <= 24)(
    'that is missing ends Node itself, exit 9',
    () => {
      const program = fileOf('program.mjs', 'console.log(1);');
      const args = [program, 'emulator', '--env-file', join(folder, 'none')];
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
      expect([status, stdout]).toEqual([9, '']);
      expect(stderr).toContain(`${join(folder, 'none')}: not found`);
    },
  );
});
