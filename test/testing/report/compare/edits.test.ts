/** What changed is told once, in whole passages. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareData } from '../../../../src/testing/report/compare/compare.ts';
import { linesOfChanges, markdownOf } from '../../../../src/testing/report/compare/text.ts';
import type { ReportMail } from '../../../../src/testing/report/data/data.ts';
import { editsOf, sharedEdits } from '../../../../src/testing/report/data/edits.ts';
import { emptyReport, reportMail } from '../../../support/report-data.ts';

type Mail = Partial<ReportMail>;

/** A report with one email of each kind. */
const reportOf = (mails: Readonly<Record<string, Mail>>) => ({
  ...emptyReport,
  kinds: Object.keys(mails).map((id) => ({ id, name: id, by: 'category' as const, count: 1 })),
  mails: Object.entries(mails).map(([kind, mail], index) =>
    reportMail(String(index), { kind, html: null, text: null, headers: [], links: [], ...mail }),
  ),
});

const edited = (before: Mail, after: Mail) => {
  const { kinds } = compareData([reportOf({ tip: before })], reportOf({ tip: after }));
  return editsOf(kinds.flatMap(({ changes }) => changes)).map((one) => [one.before, one.after]);
};

test.each<[before: Mail, after: Mail, edits: [string, string][]]>([
  [
    { html: '<h1>Hi</h1><p>Our shop, 12 Mill Lane, Leeds</p>', text: 'Our shop, 12 Mill Lane, Leeds' },
    { html: '<h1>Hi</h1><p>Our shop, 14 Mill Lane, Leeds</p>', text: 'Our shop, 14 Mill Lane, Leeds' },
    [['12 Mill Lane', '14 Mill Lane']],
  ],
  [
    { html: '<p>Total <b>paid</b> today</p>' },
    { html: '<p>Total<b>paid</b> today</p>' },
    [['<p>Total <b>paid', '<p>Total<b>paid']],
  ],
  [
    { html: '<table></table>' },
    { html: `<table>${'<tr><td style="color:navy">of a longer table</td></tr>'.repeat(9)}</table>` },
    [['', `${'<tr><td style="color:navy">of a longer table</td></tr>'.repeat(4)}<tr>…`]],
  ],
  [{ text: 'Hi. Now pay' }, { text: 'Hi. pay' }, [['Now pay', 'pay']]],
  [{ html: '<p>pay</p>' }, { html: '<p>Now pay</p>' }, [['pay', 'Now pay']]],
  [{ text: 'Hello, you' }, { text: 'Hello; you' }, [['Hello, you', 'Hello; you']]],
  [{ html: '<p>Total</p>' }, { html: '<p class="x">Total</p>' }, [['<p>', '<p class="x">']]],
  [
    { html: '<table><tr><td>1</td></tr></table>' },
    { html: '<table><tr><td>1</td></tr><tr><td>VAT</td></tr></table>' },
    [['', '<tr><td>VAT</td></tr>']],
  ],
  [{ text: 'Thank you. Bye' }, { text: 'Thank you all. Bye' }, [['Thank you', 'Thank you all']]],
  [{ text: 'Hello\nBye\nPS' }, { text: 'Hello\nPS' }, [['Bye', '']]],
  [
    { headers: [['X-Team', 'red']] },
    {
      headers: [
        ['X-Priority', '1'],
        ['X-Team', 'blue'],
      ],
    },
    [
      ['', 'X-Priority: 1'],
      ['X-Team: red', 'X-Team: blue'],
    ],
  ],
])('the edits of an email: %#', (before, after, edits) => {
  expect(edited(before, after)).toEqual(edits);
});

test('no edit ends in a tag, and none is the same on both sides', () => {
  const parts = ['word ', 'Total, ', '<b>', '</b>', '<p>', '</p>', ' ', '🌱', 'x'.repeat(90), '. '];
  const link = '<a style="color: red" href="https://shop.example.com/a/b?utm_source=mail">';
  const html = fc
    .array(fc.constantFrom(...parts, link, link.replace('red', 'blue'), link.replace('com', 'net')), {
      maxLength: 14,
    })
    .map((all) => all.join(''));
  fc.assert(
    fc.property(html, html, (before, after) => {
      for (const [was = '', is = ''] of edited({ html: before }, { html: after })) {
        expect(was).not.toBe(is);
        for (const text of [was, is]) {
          expect(text.replace(/<[^<>]*>/g, '')).not.toMatch(/[<>]/);
          expect(encodeURIComponent(text)).toBeTypeOf('string');
        }
      }
    }),
  );
});

test('the edit that several kinds have is told once', () => {
  const of = (lane: string, last: string) =>
    reportOf(
      Object.fromEntries(
        ['welcome', 'order', 'reset'].map((kind) => [
          kind,
          {
            html: `<h1>${kind}</h1><p>Our shop, ${lane}, Leeds</p>`,
            text: `${kind}${kind === 'reset' ? last : ''}\nOur shop, ${lane}, Leeds`,
          },
        ]),
      ),
    );
  const changes = compareData([of('12 Mill Lane', '')], of('14 Mill Lane', ' now'));
  expect(sharedEdits(changes.kinds)).toEqual([{ before: '12 Mill Lane', after: '14 Mill Lane', kinds: 3 }]);
  const lines = linesOfChanges(changes);
  expect(lines).toEqual([
    '3 of 3 kinds changed',
    ' ~ "12 Mill Lane" → "14 Mill Lane" in 3 kinds',
    ' ~ welcome  html 1 place, text 1 place',
    ' ~ order    html 1 place, text 1 place',
    ' ~ reset    html 1 place, text 2 places',
  ]);
  const markdown = markdownOf(changes);
  expect(markdown.split('14 Mill Lane')).toHaveLength(2);
  expect(markdown).toContain('- ` 12 Mill Lane ` → ` 14 Mill Lane ` in 3 kinds\n');
  expect(markdown).toContain('  ```diff\n  - reset\n  + reset now\n  ```\n');
});
