import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

test('the figures of a version become its row, and replace those it had', () => {
  const folder = mkdtempSync(join(tmpdir(), 'email-platform-quality-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const write = (name: string, value: unknown) => {
    writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
  };
  for (const name of ['docs/trust', '.tmp/coverage', '.tmp/mutation'])
    mkdirSync(join(folder, name), { recursive: true });
  cpSync(join(root, '.oxfmtrc.json'), join(folder, '.oxfmtrc.json'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  write(
    'docs/trust/quality.md',
    readFileSync(join(root, 'docs/trust/quality.md'), 'utf8').replace(/^\| \d.*\n/gm, ''),
  );

  const record = (version: string, statements: number, statuses: readonly string[] | undefined) => {
    write('package.json', { version });
    const [branches, functions] = [{ pct: 90 }, { pct: 98.76 }];
    write('.tmp/coverage/coverage-summary.json', {
      total: { statements: { pct: statements }, branches, functions },
    });
    rmSync(join(folder, '.tmp/mutation/areas.json'), { force: true });
    if (statuses)
      write('.tmp/mutation/areas.json', {
        keys: { 'src/a.ts': { mutants: statuses.map((status) => ({ status })) } },
        stores: { 'src/b.ts': { mutants: [{ status: 'Killed' }] } },
      });
    execFileSync(process.execPath, [join(root, '.ci/quality.mjs'), '--write-only'], {
      cwd: folder,
      stdio: 'pipe',
    });
    return rows(/^\| \d/);
  };
  const rows = (start: RegExp) =>
    readFileSync(join(folder, 'docs/trust/quality.md'), 'utf8')
      .split('\n')
      .filter((line) => start.test(line))
      .map((line) => line.replaceAll(/ +/g, ' '));

  expect(record('0.1.0', 91, undefined)).toEqual(['| 0.1.0 | 91.0 % | 90.0 % | 98.8 % | – |']);
  expect(record('0.1.0', 92, ['Killed', 'Timeout', 'Survived', 'NoCoverage', 'Ignored'])).toEqual([
    '| 0.1.0 | 92.0 % | 90.0 % | 98.8 % | 60.0 % |',
  ]);
  expect(rows(/^\| (?:keys|stores) /)).toEqual([
    '| keys | `a.ts` | 50.0 % |',
    '| stores | `b.ts` | 100.0 % |',
  ]);
  expect(record('0.2.0', 93, ['Killed'])).toEqual([
    '| 0.2.0 | 93.0 % | 90.0 % | 98.8 % | 100.0 % |',
    '| 0.1.0 | 92.0 % | 90.0 % | 98.8 % | 60.0 % |',
  ]);
  expect(rows(/^\| (?:keys|stores) /)).toEqual([
    '| keys | `a.ts` | 100.0 % |',
    '| stores | `b.ts` | 100.0 % |',
  ]);
});
