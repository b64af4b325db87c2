import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { writeReport } from '../../../src/testing/report/write.ts';
import { emptyReport } from '../../support/report-data.ts';

test('a link at the temporary name of a report is not written through', async () => {
  const random = vi.spyOn(crypto, 'getRandomValues').mockImplementation((bytes) => bytes);
  onTestFinished(() => random.mockRestore());
  const folder = mkdtempSync(join(tmpdir(), 'write-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [file, victim] = [join(folder, 'mails.html'), join(folder, 'victim')];
  writeFileSync(victim, 'mine');
  symlinkSync(victim, `${file}.${'00'.repeat(24)}.part`);
  await expect(writeReport(file, emptyReport)).rejects.toThrow(/cannot be written .*EEXIST/);
  expect(readFileSync(victim, 'utf8')).toBe('mine');
  expect(existsSync(file)).toBe(false);
});
