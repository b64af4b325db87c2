import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmulator } from 'email-platform/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { writeReport } from '../../../src/testing/report/file/write.ts';
import { isOfAnother, markOf, newWriter } from '../../../src/testing/report/file/writer.ts';
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

test.skipIf(process.platform === 'win32')(
  'only its owner may read a report, also in place of an open file',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'write-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'mails.html');
    writeFileSync(file, '');
    chmodSync(file, 0o666);
    await createEmulator().report(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['mails.html']);
  },
);

test('the folder of a report is made; where nothing can be written, nothing is left behind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'write-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await createEmulator().report(join(folder, 'new/folder/mails.html'));
  expect(readdirSync(join(folder, 'new/folder'))).toEqual(['mails.html']);
  await expect(createEmulator().report(join(folder, 'new/folder'))).rejects.toThrow('cannot be written');
  expect(readdirSync(join(folder, 'new'))).toEqual(['folder']);
});

test('a report of another emulator of the run is replaced, and that is said; the same emulator may write again', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  onTestFinished(() => warn.mockRestore());
  const folder = mkdtempSync(join(tmpdir(), 'write-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'mails.html');
  const [one, other] = [createEmulator(), createEmulator()];
  for (const emulator of [one, one, one]) await emulator.report(file);
  expect(warn.mock.calls).toEqual([]);
  await other.report(file);
  expect(warn.mock.calls).toEqual([
    [
      expect.stringMatching(
        /mails\.html: replaced the report of another emulator of this run\. .* join them:/,
      ),
    ],
  ]);
});

test.each([
  ['in the same process', { pid: 7, ppid: 1 }, true],
  ['in a process of the same test runner', { pid: 8, ppid: 5 }, true],
  ['in a process of an earlier run', { pid: 8, ppid: 6 }, false],
])('a report that another emulator wrote %s', (_, process, isSaid) => {
  const before = `<html></html>\n${markOf({ id: 'b', ...process })}`;
  expect(isOfAnother(before, { id: 'a', pid: 7, ppid: 5 })).toBe(isSaid);
  expect(isOfAnother(before, { id: 'b', pid: 7, ppid: 5 })).toBe(false);
  expect(isOfAnother('<html></html>\n', { id: 'a', pid: 7, ppid: 5 })).toBe(false);
});

test.each([
  ['of a shell', { env: {} }, 0],
  ['of a test runner, with a channel', { env: {}, send: () => true }, 5],
  ['of `node --test`', { env: { NODE_TEST_CONTEXT: 'child-v8' } }, 5],
])('the parent counts in a process %s', (_, process, ppid) => {
  vi.stubGlobal('process', { pid: 7, ppid: 5, ...process });
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(newWriter()).toMatchObject({ pid: 7, ppid });
});

test('daemons have the parent 1: it is not a test runner', () => {
  expect(isOfAnother(markOf({ id: 'b', pid: 8, ppid: 1 }), { id: 'a', pid: 7, ppid: 1 })).toBe(false);
});
