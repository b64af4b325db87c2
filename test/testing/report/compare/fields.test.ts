/** Every field of an email is compared, but for addresses of recipients, and the number and order of emails. */
import { createHash } from 'node:crypto';
import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { expect, test } from 'vitest';
import { compareData } from '../../../../src/testing/report/compare/compare.ts';
import { linesOfChanges } from '../../../../src/testing/report/compare/text.ts';
import type { ReportData, ReportMail } from '../../../../src/testing/report/data/data.ts';
import { dataIn, newFile } from '../report-data.ts';

type Sent = Readonly<Record<string, unknown>>;
type Attachment = ReportMail['attachments'][number];

/** A report of emails, each to another recipient. */
async function reportOf(mails: readonly Sent[], addresses: 'masked' | 'shown' = 'shown') {
  const emulator = createEmulator();
  const client = new EmailPlatform(emulator.clientOptions());
  for (const [index, mail] of mails.entries())
    await client.sending.send({
      from: 'shop@mail.example.com',
      to: `person${index}@example.org`,
      category: 'receipt',
      subject: 'Receipt',
      text: 'Thank you',
      ...mail,
    });
  const file = await newFile();
  await emulator.report(file, { addresses });
  return dataIn(file);
}

const changed = (before: ReportData, after: ReportData) =>
  compareData([before], after).kinds.flatMap(({ changes }) =>
    changes.map((one) => `${one.part}: ${one.before} -> ${one.after}`),
  );

test.each<[name: string, more: (index: number) => Sent]>([
  ['cc', (index) => ({ cc: [`c${index}@example.org`] })],
  ['bcc', (index) => ({ bcc: [`c${index}@example.org`] })],
  ['more than one to', (index) => ({ to: [`a${index}@example.org`, `b${index}@example.org`] })],
  ['names', (index) => ({ to: { email: `a${index}@example.org`, name: `Ann ${index}` } })],
])('%s of all emails of one run, and of none of the other, is a change', async (name, more) => {
  const none = await reportOf([{}, {}]);
  const some = await reportOf([{}, more(1)]);
  const all = await reportOf([more(0), more(1)]);
  expect(changed(none, all)).toEqual([`recipients: null -> ${name}`]);
  expect(changed(all, none)).toEqual([`recipients: ${name} -> null`]);
  expect([changed(none, some), changed(some, all), changed(all, some), changed(all, all)]).toEqual([
    [],
    [],
    [],
    [],
  ]);
  expect(linesOfChanges(compareData([none], all))).toContain(` ~ receipt  recipients with ${name}`);
  expect(linesOfChanges(compareData([all], none))).toContain(` ~ receipt  recipients without ${name}`);
  expect(compareData([none], all).kinds[0]?.after?.kind).toBe('category:receipt');
  expect(compareData([none, some], all).kinds.map(({ state }) => state)).toEqual(['same']);
});

test('two equal emails to one recipient are a change, and to two they are not', async () => {
  const to = 'ann@example.org';
  const once = await reportOf([{ to }]);
  const twice = await reportOf([{ to }, { to }, {}]);
  expect(changed(once, twice)).toEqual(['recipients: null -> the same email twice']);
  expect(changed(twice, once)).toEqual(['recipients: the same email twice -> null']);
  expect(changed(twice, twice)).toEqual([]);
  expect(changed(once, await reportOf([{ to }, {}, {}]))).toEqual([]);
});

test.each<[name: string, before: Partial<ReportMail>, after: Partial<ReportMail>, line: string]>([
  ['stream', {}, { stream: 'bulk' }, 'stream: bulk'],
  [
    'language of its template',
    { template: { name: 'T', locale: 'de', missing: [], unused: [] } },
    { template: { name: 'T', locale: 'fr', missing: [], unused: [] } },
    'language: fr',
  ],
  [
    'variable without a value',
    { template: { name: 'T', missing: [], unused: [] } },
    { template: { name: 'T', missing: ['total'], unused: [] } },
    'missing variable: total',
  ],
  [
    'variable that its template does not use',
    { template: { name: 'T', missing: [], unused: [] } },
    { template: { name: 'T', missing: [], unused: ['total'] } },
    'unused variable: total',
  ],
  ['custom variable', {}, { customVariables: { plan: 'pro' } }, 'plan: "pro"'],
  [
    'value of a custom variable',
    { customVariables: { plan: 'free' } },
    { customVariables: { plan: 'pro' } },
    'plan: "pro"',
  ],
])('another %s is a change', async (_, before, after, line) => {
  const data = await reportOf([{}, {}]);
  const withFields = (fields: Partial<ReportMail>) => ({
    ...data,
    mails: data.mails.map((mail) => ({ ...mail, ...fields })),
  });
  const [one, ...others] = compareData([withFields(before)], withFields(after)).kinds[0]?.changes ?? [];
  expect(others).toEqual([]);
  expect(one).toMatchObject({ part: 'fields', after: expect.stringContaining(line) as string });
  expect(changed(withFields(after), withFields(after))).toEqual([]);
});

test('the value of a custom variable that varies within a run is not a change', async () => {
  const runOf = (...plans: string[]) => reportOf(plans.map((plan) => ({ custom_variables: { plan } })));
  expect(changed(await runOf('ferns', 'roses', 'seeds'), await runOf('pots', 'soil', 'ferns'))).toEqual([]);
});

const withFile = (text: string, more: object = {}) => ({
  attachments: [{ filename: 'a.pdf', type: 'application/pdf', content: btoa(text), ...more }],
});

test.each(['shown', 'masked'] as const)(
  'other bytes of an attachment are a change unless they vary within a run (%s)',
  async (addresses) => {
    const runOf = (...files: string[]) =>
      reportOf(
        files.map((one) => withFile(`\u0000${one}`)),
        addresses,
      );
    const fixed = await runOf('one', 'one');
    expect(changed(fixed, await runOf('one', 'one', 'one'))).toEqual([]);
    expect(changed(fixed, await runOf('two', 'two'))).toEqual([expect.stringMatching(/^attachments: /)]);
    expect(changed(await runOf('one'), await runOf('two'))).toEqual([
      expect.stringMatching(/^attachments: /),
    ]);
    expect(changed(await runOf('one', 'two'), await runOf('four', 'five'))).toEqual([]);
    const sha256 = createHash('sha256').update('\u0000one').digest('hex');
    expect(fixed.mails[0]?.attachments[0]).toMatchObject({ sha256, bytes: 4 });
  },
);

test('another content id is a change', async () => {
  const image = { type: 'image/png', disposition: 'inline' };
  const runOf = (id: string) => reportOf([withFile('\u0000', { ...image, content_id: id })]);
  expect(changed(await runOf('logo'), await runOf('icon'))).toHaveLength(1);
});

test.each(['text/plain', 'application/json', 'application/ld+json', 'application/octet-stream'])(
  'the hash of a masked %s does not tell an address',
  async (type) => {
    const text = '{"to":"person0@example.org","total":12}';
    const { mails } = await reportOf(
      [withFile(text, { type }), withFile('{"total":12}', { type })],
      'masked',
    );
    const hashOf = (one: string) => createHash('sha256').update(one).digest('hex');
    const hashes = mails.flatMap(({ attachments }) => attachments.map(({ sha256 }) => sha256));
    expect(hashes).toEqual([hashOf('{"total":12}'), null]);
  },
);

test('a masked text that is not UTF-8, or is too large to be kept, has no hash', async () => {
  const files = [
    withFile('caf\u00e9 person0@example.org', { type: 'text/csv' }),
    withFile('x'.repeat(900_000), { type: 'text/csv' }),
  ];
  const { mails } = await reportOf(files, 'masked');
  expect(mails.flatMap(({ attachments }) => attachments.map(({ sha256 }) => sha256))).toEqual([null, null]);
});

test('of a file of an earlier version, images are compared by size, and documents by name', async () => {
  const ofEarlier = (data: ReportData): ReportData => ({
    ...data,
    mails: data.mails.map((mail) => ({
      ...mail,
      attachments: mail.attachments.map(({ sha256, ...file }): Attachment => file),
    })),
  });
  const parts = async (more: object) => {
    const [before, after] = [
      await reportOf([withFile('one', more)]),
      await reportOf([withFile('three', more)]),
    ];
    return changed(ofEarlier(before), after).length;
  };
  expect(await parts({})).toBe(0);
  expect(await parts({ filename: 'logo.png', type: 'image/png' })).toBe(1);
});

test('another category of emails whose values vary is one changed kind', async () => {
  const runOf = (category: string, ...totals: string[]) =>
    reportOf(totals.map((total) => ({ category, text: `Thank you. You paid ${total} for ferns.` })));
  const { kinds } = compareData(
    [await runOf('invoices', '12.50 €', '7.25 €')],
    await runOf('misc', '3.75 €', '41.90 €'),
  );
  expect(kinds).toMatchObject([
    { name: 'Receipt', state: 'changed', changes: [{ part: 'category', before: 'invoices', after: 'misc' }] },
  ]);
});
