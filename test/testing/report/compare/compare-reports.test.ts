import { readFile, writeFile } from 'node:fs/promises';
import { EmailPlatform } from 'email-platform';
import { compareReports, createEmulator } from 'email-platform/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reportMail } from '../../../support/report-data.ts';
import { IGNORED } from '../../../../src/testing/report/data/words.ts';
import { leftOut } from '../../../../src/testing/report/mask/left-out.ts';
import { htmlTokens, textTokens } from '../../../../src/testing/report/compare/tokens.ts';
import { linesOfChanges, markdownOf } from '../../../../src/testing/report/compare/text.ts';
import type { ReportData, ReportKindChange } from '../../../../src/testing/report/data/data.ts';
import { dataIn, newFile } from '../report-data.ts';

interface Sent {
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
  readonly category?: string;
  readonly to?: string;
}

/** The file of a report of some emails. */
async function reportOf(...mails: readonly Sent[]): Promise<string> {
  const emulator = createEmulator();
  const client = new EmailPlatform(emulator.clientOptions());
  for (const { text = 'Hello', ...mail } of mails)
    await client.sending.send({ from: 'a@mail.example.com', to: 'ann@example.org', text, ...mail });
  const file = await newFile();
  await emulator.report(file, { addresses: 'masked' });
  return file;
}

/** Replaces the data in the file of a report. */
async function withData(file: string, change: (data: ReportData) => object): Promise<string> {
  const html = await readFile(file, 'utf8');
  const json = JSON.stringify(change(await dataIn(file))).replaceAll('<', '\\u003c');
  const other = await newFile();
  await writeFile(
    other,
    html.replace(/(id="report">)[^<]*/, (_, start: string) => start + json),
  );
  return other;
}

const states = ({ kinds }: Awaited<ReturnType<typeof compareReports>>) =>
  kinds.map(({ name, state }) => `${name}: ${state}`);

test('kinds are the same, changed, new or gone', async () => {
  const before = await reportOf(
    { subject: 'Receipt', text: 'Thank you' },
    { subject: 'Digest', text: 'This week' },
    { subject: 'Password', text: 'Reset it' },
  );
  const after = await reportOf(
    { subject: 'Password', text: 'Reset it' },
    { subject: 'Password', text: 'Reset it', to: 'ben@example.org' },
    { subject: 'Receipt', text: 'Thanks' },
    { subject: 'Goodbye', text: 'Your account was closed, as you asked.' },
  );
  const compared = await compareReports([before], after);
  expect(states(compared)).toEqual(['Receipt: changed', 'Goodbye: new', 'Digest: gone', 'Password: same']);
  expect(compared.kinds[0]?.changes).toEqual([
    {
      part: 'text',
      before: 'Thank you',
      after: 'Thanks',
      marks: { before: [[0, 9]], after: [[0, 6]] },
      places: 1,
    },
  ]);
});

test('an email without template and category whose subject changed is one that changed', async () => {
  const text = 'Your account is ready. Choose a name and say hello to the others.';
  const before = await reportOf({ subject: 'Hello', text }, { subject: 'Receipt', text: 'Thank you' });
  const after = await reportOf(
    { subject: 'Receipt', text: 'Thank you' },
    { subject: 'Welcome aboard', text },
  );
  const { kinds } = await compareReports([before], after);
  expect(kinds).toMatchObject([
    {
      name: 'Welcome aboard',
      state: 'changed',
      changes: [{ part: 'subject', before: 'Hello', after: 'Welcome aboard' }],
    },
    { name: 'Receipt', state: 'same' },
  ]);
});

test('an email whose category alone changed is one that changed, named by its subject', async () => {
  const mail = { subject: 'Invoice', text: 'Here it is.' };
  const before = await reportOf({ ...mail, category: 'invoices' });
  const after = await reportOf({ ...mail, category: 'misc' });
  const { kinds } = await compareReports([before], after);
  const changes = [{ part: 'category', before: 'invoices', after: 'misc', places: 1 }];
  expect(kinds).toMatchObject([{ name: 'Invoice', state: 'changed', changes }]);

  const other = await compareReports(
    [before],
    await reportOf({ ...mail, text: 'Enclosed.', category: 'misc' }),
  );
  expect(states(other)).toEqual(['misc: new', 'invoices: gone']);
});

test('emails that a report left out are not kept, and not gone', async () => {
  const file = await reportOf({ subject: 'Receipt' }, { subject: 'Digest' });
  const cut = await withData(file, (data) => ({
    ...data,
    mails: data.mails.filter(({ subject }) => subject !== 'Digest'),
    omitted: { ...data.omitted, mails: 1 },
  }));
  expect(states(await compareReports([file], cut))).toContain('Digest: not_kept');
  expect(states(await compareReports([cut], file))).toContain('Digest: not_kept');
});

test('of a single email, an id, a date and a token are not changes, and another word is one', async () => {
  const mail = (id: string, date: string, words: string) => ({
    subject: 'Order',
    text: `${words} ${id}, ordered on ${date}.`,
  });
  const before = await reportOf(mail('ABC-4711', '26 November 2026', 'Order'));
  const after = await reportOf(mail('XYZ-1234', '3 May 2027', 'Order'));
  expect(states(await compareReports([before], after))).toEqual(['Order: same']);
  const other = await reportOf(mail('XYZ-1234', '3 May 2027', 'Orders'));
  expect(states(await compareReports([before], other))).toEqual(['Order: changed']);
});

/** An email with a token in each place where a mask leaves it out. */
const withToken = (token: string, word = 'Reset'): Sent => ({
  subject: `${word} it`,
  text: `Go to https://shop.example.com/a/${token}?b=${token}#${token} or paste ${token} (${token}).`,
  html: `<a href="https://shop.example.com/a/${token}?b=${token}&amp;c=1#${token}">Go</a> <b>${token}</b> <img src="https://${token}.example.com/x" alt="${token}">`,
});
const TOKENS = ['k9Xv2Qm7Lr4Tz8Wn1Bc6Yd3H', 'Zt5Rw8Nq2Vk7Xm4Lp9Jc1Fh6Gb3Ds0Ae5Uy8Io2Tk7Wn4'] as const;

test('a token that a mask left out is not a change, whatever its length', async () => {
  const [short, long] = TOKENS;
  const before = await reportOf(withToken(short));
  expect(await readFile(before, 'utf8')).not.toContain(short);
  expect(states(await compareReports([before], await reportOf(withToken(long))))).toEqual(['Reset it: same']);
  const other = await reportOf({ ...withToken(long), text: `${withToken(long).text} Thanks` });
  expect((await compareReports([before], other)).kinds[0]?.changes).toMatchObject([
    { part: 'text', places: 1 },
  ]);
});

test('the words of a text are the same, whatever the lengths of what a mask left out', () => {
  const nobody = { words: new Set<string>(), addresses: new Set<string>() };
  const keys = (parts: readonly string[], kind: string, lengths: readonly number[]) => {
    const text = parts.map((part, index) => part + leftOut(kind, lengths[index] ?? 1)).join('');
    return [textTokens(text, nobody), htmlTokens(text, nobody)].map((all) => all.map(({ key }) => key));
  };
  const around = fc.constantFrom(
    ' ',
    ' paste ',
    '\n(',
    '<p>',
    '<a href="https://a.example/',
    '?t=',
    '&u=',
    '#',
    ' https://',
    '">',
  );
  const kind = fc.constantFrom('token', 'base64', 'hexadecimal', 'application/pdf');
  const length = fc.integer({ min: 1, max: 99_999 });
  const few = { minLength: 1, maxLength: 6 };
  fc.assert(
    fc.property(
      fc.array(around, few),
      kind,
      fc.array(length, few),
      fc.array(length, few),
      (parts, one, a, b) => {
        expect(keys(parts, one, a)).toEqual(keys(parts, one, b));
      },
    ),
  );
});

test.each([
  ['<p>Total <b>paid</b> today</p>', '<p>Total<b>paid</b> today</p>'],
  ['<p>Total <b>paid</b> today</p>', '<p>Total <b>paid</b>today</p>'],
  ['<a href="mailto:help@shop.example.com">Write</a>', '<a href="mailto:sales@shop.example.com">Write</a>'],
  ['<a href="mailto:help@shop.example.com">Write</a>', '<a href="mailto:help@shop.example.net">Write</a>'],
  ['<a href="tel:+441130001">Call</a>', '<a href="tel:+441130002">Call</a>'],
])('%s is not the same as %s', async (was, is) => {
  const [before, after] = [
    await reportOf({ subject: 'Tip', html: was }),
    await reportOf({ subject: 'Tip', html: is }),
  ];
  expect(states(await compareReports([before], before))).toEqual(['Tip: same']);
  expect(states(await compareReports([before], after))).toEqual(['Tip: changed']);
});

test('spaces between lines of HTML, and a recipient in mailto:, are not changes', async () => {
  const html = (space: string, to: string) =>
    `<div>${space}<p>Hello</p>${space}<p>It is <b>here</b>, <a href="mailto:${to}">you</a></p>${space}</div>`;
  const before = await reportOf({ subject: 'Tip', html: html('', 'ann@example.org') });
  const after = await reportOf({ subject: 'Tip', html: html('\n  ', 'ann@example.org') });
  expect(states(await compareReports([before], after))).toEqual(['Tip: same']);
});

test('a word that differs among earlier runs is not a change', async () => {
  const mail = (word: string) => ({ subject: 'Tip', text: `The plant of the day is ${word}, as each day.` });
  const files = [await reportOf(mail('mint')), await reportOf(mail('sage'))] as const;
  const after = await reportOf(mail('thyme'));
  expect(states(await compareReports([files[0]], after))).toEqual(['Tip: changed']);
  expect(states(await compareReports(files, after))).toEqual(['Tip: same']);
});

test('the page and the summary are written, masked as the reports are', async () => {
  const before = await reportOf({ subject: 'Hi', html: '<p>Dear ann@example.org</p>' });
  const after = await reportOf({ subject: 'Hi', html: '<p>Hello ann@example.org</p>' });
  const [out, summary] = [await newFile('changes.html'), await newFile('summary.md')];
  await writeFile(summary, 'Tests passed\n');
  await compareReports([before], [after], { out, summary });
  const data = await dataIn(out);
  expect(data.changes?.kinds).toMatchObject([
    { state: 'changed', changes: [{ part: 'html', marks: { before: [[3, 7]], after: [[3, 8]] } }] },
  ]);
  const text = await readFile(summary, 'utf8');
  expect(text).toContain('Tests passed\n### Emails: 1 of 1 kind changed');
  expect(text).toContain('  - Dear a***@example.org\n  + Hello a***@example.org\n');
  expect(text + (await readFile(out, 'utf8'))).not.toContain('ann@example.org');
});

test('wrong arguments, other versions and broken data are named', async () => {
  const file = await reportOf({ subject: 'Hi' });
  await expect(compareReports([], file)).rejects.toThrow(RangeError);
  await expect(compareReports(file as never, file)).rejects.toThrow(/`before` must be an array/);
  await expect(compareReports([file], file, { output: 'x.html' } as never)).rejects.toThrow(/output/);
  const other = await withData(file, (data) => ({ ...data, version: 1 }));
  await expect(compareReports([other], file)).rejects.toThrow(/has data of version 1/);
  for (const change of [
    { html: 7 },
    { headers: [['a', 7]] },
    { recipients: { to: [null], cc: [] } },
    { links: [{ url: 'x' }] },
    { attachments: [{}] },
  ]) {
    const broken = await withData(file, (data) => ({ ...data, mails: [{ ...data.mails[0], ...change }] }));
    await expect(compareReports([broken], file)).rejects.toThrow(/is no report of this version/);
  }
});

const kindOf = (name: string, subject: string): ReportKindChange => ({
  id: name,
  name,
  state: 'changed',
  values: [],
  before: null,
  after: null,
  changes: [
    {
      part: 'subject',
      before: subject,
      after: name,
      marks: { before: [[0, subject.length]], after: [[0, name.length]] },
      places: 1,
    },
  ],
});

/** Markdown without its code, as CommonMark reads it: a run of backticks ends with the next run of the same length. */
function outsideCode(markdown: string): string {
  const blocks = markdown.replace(/^ {2}(`{3,})diff\n[^]*?\n {2}\1$/gm, '');
  return blocks.replace(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '');
}

test('nothing of a name or a text is Markdown in the summary', () => {
  const evil = [
    '</details>',
    '@someone',
    '#1',
    '|',
    '<img src=x>',
    '[a](https://evil.example)',
    '`',
    '``` ',
    '\n',
    '\r',
    '\u2028',
    '```\n',
    '\u202e',
    'word',
  ];
  const hostile = fc.array(fc.constantFrom(...evil), { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(hostile, hostile, (name, subject) => {
      const text = markdownOf({ kinds: [kindOf(name, subject)], findings: { added: [], gone: [] } });
      expect(
        outsideCode(text)
          .replace(IGNORED, '')
          .replace(/### Emails: .*|- Changed: .*subject \(was .*\)|\(empty\)|\s/g, ''),
      ).toBe('');
      expect(outsideCode(text)).not.toMatch(/[@#|[\]]someone|evil|<|word|\u202e/);
    }),
  );
});

test('the summary has the subject of a new email, unless its kind has that name', () => {
  const of = (subject: string, name: string): ReportKindChange => ({
    ...kindOf(name, ''),
    state: 'new',
    changes: [],
    after: reportMail('1', { subject }),
  });
  const kinds = [of('Your invoice', 'invoice'), of('Hello', 'Hello'), of('@all <b>', 'x')];
  const text = markdownOf({ kinds, findings: { added: [], gone: [] } });
  expect(text).toContain('- New: ` invoice `: subject ` Your invoice `\n');
  expect(text).toContain('- New: ` Hello `\n');
  expect(outsideCode(text)).not.toMatch(/@all|<b>/);
});

test('a summary has at most 60 kB, and says how much it left out', () => {
  const kinds = Array.from({ length: 2_000 }, (_, index) =>
    kindOf(`${index} ${'ö'.repeat(200)}`, 'x'.repeat(500)),
  );
  const text = markdownOf({ kinds, findings: { added: [], gone: [] } });
  expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(60_000);
  expect(text).toMatch(/- … and \d+ more\n$/);
});

test('nothing of a file moves the cursor of a terminal', () => {
  const finding = {
    level: 'error\u001B[2J',
    check: 'alt',
    kind: 'a\u001B[2J',
    message: 'b\u001B[2J\nc',
    ids: [],
  };
  const findings = { added: [finding as never], gone: [finding as never] };
  const lines = linesOfChanges({ kinds: [kindOf('x\u001B[2J', 'y\r\u202E')], findings });
  expect(lines).toHaveLength(4);
  expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
});
