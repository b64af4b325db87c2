import { readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { EmailPlatform } from 'email-platform';
import { createEmulator, joinReports, ReportError } from 'email-platform/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { dataIn, newFile } from './report-data.ts';

/** The report of a run that sent some orders to a person. */
async function reportOfRun(to: string, texts: readonly string[]): Promise<string> {
  const emulator = createEmulator();
  const client = new EmailPlatform(emulator.clientOptions());
  for (const [index, text] of texts.entries())
    await client.sending.send({ from: 'a@mail.example.com', to, subject: `Order ${index}`, text });
  const file = await newFile();
  await emulator.report(file, { addresses: 'masked' });
  return file;
}

test('reports are joined: ids name the report, and kinds, limits and findings are added up', async () => {
  const files = [
    await reportOfRun('ann@example.org', ['Hello undefined,']),
    await reportOfRun('ben@example.org', ['Hello Ben,', 'Hello undefined,']),
  ];
  const out = await newFile();
  const report = await joinReports(files, out);
  expect(report).toMatchObject({ file: out, kinds: 1, sent: 3, requests: 3, refused: 0 });
  const data = await dataIn(out);
  expect(data.addresses).toBe('masked');
  expect(data.kinds).toMatchObject([{ name: 'Order …', count: 3 }]);
  expect(data.limits).toMatchObject([{ pool: 'token', mostUsed: 2, refused: 0 }]);
  expect(data.mails.map(({ id }) => id.split('-')[0]).sort()).toEqual(['1', '2', '2']);
  const requests = new Map(data.requests.map((one) => [one.id, one]));
  for (const { id, request } of data.mails) expect(requests.get(request ?? '')?.mails).toEqual([id]);
  expect(data.findings).toMatchObject([{ check: 'undefined', kind: 'Order …' }]);
  expect(data.findings[0]?.ids.map((id) => id.split('-')[0])).toEqual(['1', '2']);
  const times = data.mails.map(({ at }) => at);
  expect(times).toEqual([...times].sort((a, b) => b - a));
});

test('a file that is named twice counts once', async () => {
  const file = await reportOfRun('ann@example.org', ['Hello Ann,', 'Hello Ben,']);
  const link = await newFile();
  await symlink(file, link);
  const again = join(dirname(file), '.', basename(file));
  expect(await joinReports([file, again, link, relative('.', file)], await newFile())).toMatchObject({
    sent: 2,
  });
});

test('the joined report fails on findings, too', async () => {
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  onTestFinished(() => print.mockRestore());
  const file = await reportOfRun('ann@example.org', ['Hello undefined,']);
  await expect(joinReports([file], await newFile(), { failOn: 'error' })).rejects.toThrow(ReportError);
});

test('a file that is missing, or is not a report, is named', async () => {
  const other = await newFile('other.html');
  await expect(joinReports([other], 'out.html')).rejects.toThrow(/other\.html cannot be read: ENOENT/);
  await writeFile(other, '<script id="report">{"version":2}</script>');
  await expect(joinReports([other], 'out.html')).rejects.toThrow(/other\.html is no report of this version/);
  await writeFile(other, '<script type="application/json" id="report">{"version":1,"mails":[]}</script>');
  await expect(joinReports([other], 'out.html')).rejects.toThrow(
    /other\.html has data of version 1, and this package reads version 2: write it again with this package, or read it with an earlier one/,
  );
  await writeFile(other, '<script type="application/json" id="report">{"version":3,"mails":[]}</script>');
  await expect(joinReports([other], 'out.html')).rejects.toThrow(/has data of version 3, .* a later one/);
  const whole = await readFile(await reportOfRun('ann@example.org', ['Hello']), 'utf8');
  const data = await dataIn(await reportOfRun('ann@example.org', ['Hello']));
  const start = '<script type="application/json" id="report">';
  for (const change of [
    { mails: [null] },
    { mails: undefined },
    { mails: [{ ...data.mails[0], at: 1e300 }] },
    { omitted: 1 },
  ]) {
    const json = JSON.stringify({ ...data, ...change }).replaceAll('<', '\\u003c');
    await writeFile(other, `${whole.slice(0, whole.indexOf(start))}${start}${json}</script>`);
    await expect(joinReports([other], 'out.html')).rejects.toThrow(
      /other\.html is no report of this version/,
    );
  }
  await expect(joinReports([], 'out.html')).rejects.toThrow(RangeError);
});
