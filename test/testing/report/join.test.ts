import { readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { EmailPlatform } from 'email-platform';
import { createEmulator, joinReports, ReportError } from 'email-platform/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { joined } from '../../../src/testing/report/join.ts';
import type { ReportData } from '../../../src/testing/report/data/data.ts';
import { emptyReport, reportMail, reportRequest } from '../../support/report-data.ts';
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

/** A run with a mail, a request and a post at this time. */
const runAt = (at: number, more: Partial<ReportData> = {}): ReportData => ({
  ...emptyReport,
  run: { durationMs: at },
  ...{ sent: 3, requested: 5, refused: 1, omitted: { mails: 2, requests: 4 } },
  kinds: [
    { id: 'k1', name: 'Order', by: 'subject', count: 1 },
    { id: `of ${at}`, name: 'Other', by: 'subject', count: at },
  ],
  mails: [reportMail('1', { at, request: 'r1' }), reportMail('2', { at: at - 5, request: null })],
  requests: [reportRequest('r1', { at, mails: ['1'] })],
  limits: [{ pool: 'token', requests: 150, perMs: 10_000, mostUsed: at, refused: 1 }],
  posts: [{ id: 'p1', at, clockAt: at, type: 'delivery', url: 'https://e.org', attempt: 1, status: 200 }].map(
    (post) => ({ ...post, durationMs: 1, body: '{}', mails: ['1'] }),
  ),
  findings: [
    { level: 'warn', check: 'alt', kind: 'Order', message: 'no alt', ids: ['1'] },
    { level: 'error', check: 'links', kind: 'Order', message: `link of ${at}`, ids: ['2'] },
    { level: 'error', check: 'variables', kind: 'Order', message: 'no name', ids: ['1'] },
  ],
  notes: ['a note', `note of ${at}`],
  ...more,
});

test('totals are added up, times and limits are the greatest, and all lists are the newest first', () => {
  const both = joined([runAt(10, { addresses: 'masked' }), runAt(20)]);
  expect(both).toMatchObject({ sent: 6, requested: 10, refused: 2, omitted: { mails: 4, requests: 8 } });
  expect(both).toMatchObject({ source: 'emulator', addresses: 'shown', run: { durationMs: 20 } });
  expect(both.kinds.map(({ id, count }) => `${id} ${count}`)).toEqual(['of 20 20', 'of 10 10', 'k1 2']);
  expect(both.mails.map(({ id, request }) => [id, request])).toEqual([
    ['2-1', '2-r1'],
    ['2-2', null],
    ['1-1', '1-r1'],
    ['1-2', null],
  ]);
  expect(both.requests.map(({ id, mails }) => [id, mails])).toEqual([
    ['2-r1', ['2-1']],
    ['1-r1', ['1-1']],
  ]);
  expect(both.posts.map(({ id, mails }) => [id, mails])).toEqual([
    ['2-p1', ['2-1']],
    ['1-p1', ['1-1']],
  ]);
  expect(both.limits).toEqual([{ pool: 'token', requests: 150, perMs: 10_000, mostUsed: 20, refused: 2 }]);
  expect(both.findings.map(({ check, ids }) => [check, ids])).toEqual([
    ['variables', ['1-1', '2-1']],
    ['links', ['1-2']],
    ['links', ['2-2']],
    ['alt', ['1-1', '2-1']],
  ]);
  expect(both.notes).toEqual(['a note', 'note of 10', 'note of 20']);
});

test('a joined report is of test inboxes, and masked, only if all parts are', () => {
  const part = { source: 'inbox', addresses: 'masked' } as const;
  const of = (...parts: readonly Partial<ReportData>[]) => {
    const { source, addresses } = joined(parts.map((more) => ({ ...emptyReport, ...more })));
    return [source, addresses];
  };
  expect(of(part, part)).toEqual(['inbox', 'masked']);
  expect(of(part, {})).toEqual(['emulator', 'shown']);
  expect(joined([emptyReport]).run).toEqual({});
});

test('the newest 5,000 emails and 20,000 requests are kept, and the others counted', () => {
  const mails = Array.from({ length: 5_002 }, (_, at) => reportMail('1', { at }));
  const requests = Array.from({ length: 20_003 }, (_, at) => reportRequest('1', { at }));
  const all = joined([{ ...emptyReport, mails, requests, omitted: { mails: 1, requests: 1 } }]);
  expect([all.mails.length, all.mails.at(-1)?.at]).toEqual([5_000, 2]);
  expect([all.requests.length, all.requests.at(-1)?.at]).toEqual([20_000, 3]);
  expect(all.omitted).toEqual({ mails: 3, requests: 4 });
});
