import { EmailPlatform } from 'email-platform';
import { compareReports, createEmulator } from 'email-platform/testing';
import { expect, test } from 'vitest';
import { compareData } from '../../../../src/testing/report/compare/compare.ts';
import { dataIn, newFile } from '../report-data.ts';

interface Mail {
  readonly subject?: string;
  readonly text?: string;
  readonly html?: string;
  readonly category?: string;
  readonly to?: string;
  readonly attachments?: { readonly filename: string; readonly type: string; readonly content: string }[];
}

/** The file of a report of some emails with the same subject. */
async function reportOf(...mails: readonly Mail[]): Promise<string> {
  const emulator = createEmulator();
  const client = new EmailPlatform(emulator.clientOptions());
  for (const { text = 'Hello', ...mail } of mails)
    await client.sending.send({
      from: 'a@mail.example.com',
      to: 'ann@example.org',
      subject: 'Receipt',
      text,
      ...mail,
    });
  const file = await newFile();
  await emulator.report(file);
  return file;
}

test('a finding is new if no earlier run has it, and resolved if each of them has it', async () => {
  const [fine, faulty] = [await reportOf({}), await reportOf({ text: 'Hello undefined' })];
  const found = async (before: readonly string[], after: string) => {
    const { findings } = await compareReports(before, after);
    return [findings.added, findings.gone].map((all) => all.map(({ check }) => check));
  };
  expect(await found([fine], faulty)).toEqual([['undefined'], []]);
  expect(await found([faulty, faulty], fine)).toEqual([[], ['undefined']]);
  expect(await found([fine, faulty], faulty)).toEqual([[], []]);
  expect(await found([faulty, fine], fine)).toEqual([[], []]);
});

test('a finding that was a warning is new as an error', async () => {
  const data = await dataIn(await reportOf({ text: 'Hello undefined' }));
  const levelled = (level: 'error' | 'warn') => ({
    ...data,
    findings: data.findings.map((one) => ({ ...one, level })),
  });
  const added = (before: 'error' | 'warn') =>
    compareData([levelled(before)], levelled('error')).findings.added.map(({ level }) => level);
  expect(added('warn')).toEqual(['error']);
  expect(added('error')).toEqual([]);
});

test('another recipient in cc of a single email is not a change', async () => {
  const withCopyTo = async (name: string) => {
    const data = await dataIn(await reportOf({ text: `${name} gets a copy.` }));
    const cc = [{ email: `${name.toLowerCase()}@example.org`, name }];
    return {
      ...data,
      mails: data.mails.map((one) => ({ ...one, recipients: { ...one.recipients, cc } })),
    };
  };
  const { kinds } = compareData([await withCopyTo('Berta')], await withCopyTo('Cecilia'));
  expect(kinds.map(({ state }) => state)).toEqual(['same']);
});

test('two similar new emails: one is the earlier email, and the other one is new', async () => {
  const [before, after] = await Promise.all(
    [['Your order in May'], ['Your orders', 'All of your orders']].map((subjects) =>
      reportOf(...subjects.map((subject) => ({ subject, text: 'Sow beans, and water the roses each day.' }))),
    ),
  );
  const { kinds } = await compareReports([before ?? ''], after ?? '');
  expect(kinds.map(({ state }) => state)).toEqual(['changed', 'new']);
});

test('an email that only one of the earlier runs has is ignored', async () => {
  const [first, other] = [
    { category: 'news', text: 'Your garden in May: sow beans, water the roses.' },
    { category: 'news', text: 'Prices fall by half on all pots until Sunday evening' },
  ];
  const [both, one] = [await reportOf(first, other), await reportOf(first)];
  const states = async (...before: string[]) =>
    (await compareReports(before, one)).kinds.map(({ state }) => state);
  expect(await states(both, one)).toEqual(['same']);
  expect(await states(both)).toEqual(['changed']);
});

test.each(['undefined', 'NaN', '[object Object]'])(
  '%s, which no earlier email has, is a change where another value varies',
  async (odd) => {
    const mails = (value: string) =>
      ['ferns', 'roses', 'seeds', 'pots'].map((one) => ({
        to: `${one}@example.org`,
        text: `Thank you for all of it. Please look at ${value || one} once more today. Mill Lane Shop, Leeds`,
      }));
    const before = await reportOf(...mails(''));
    const state = async (value: string) =>
      (await compareReports([before], await reportOf(...mails(value)))).kinds[0]?.state;
    expect(await state('cacti')).toBe('same');
    expect(await state(odd)).toBe('changed');
  },
);

test('a host that no earlier email has is a change in a passage that one email lacks', async () => {
  const mails = (host: string) =>
    Array.from({ length: 9 }, (_, index) => ({
      html: `<h1>Thank you</h1><p>Total 41.90 €</p>${index < 8 ? `<p><a href="https://${host}/orders/${1040 + index}">See your order</a></p>` : ''}<p>Our shop, 12 Mill Lane</p>`,
    }));
  const before = await reportOf(...mails('shop.example.com'));
  const state = async (host: string) =>
    (await compareReports([before], await reportOf(...mails(host)))).kinds[0]?.state;
  expect(await state('shop.example.com')).toBe('same');
  expect(await state('shop.example.net')).toBe('changed');
});

test('a host that no earlier email has is a change where hosts vary', async () => {
  const mails = (...hosts: string[]) =>
    hosts.map((host) => ({
      html: `<h1>Thank you</h1><p><a href="https://${host}/orders">See your order</a></p><p>12 Mill Lane</p>`,
    }));
  const before = await reportOf(...mails('a.example.com', 'b.example.com', 'c.example.com'));
  const state = async (...hosts: string[]) =>
    (await compareReports([before], await reportOf(...mails(...hosts)))).kinds[0]?.state;
  expect(await state('b.example.com', 'a.example.com')).toBe('same');
  expect(await state('b.example.com', 'a.example.com', 'd.example.com')).toBe('changed');
});
