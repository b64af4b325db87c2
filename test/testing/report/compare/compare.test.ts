import { describe, expect, test } from 'vitest';
import { compareData } from '../../../../src/testing/report/compare/compare.ts';
import type { ReportData } from '../../../../src/testing/report/data/data.ts';
import { isFull, sized } from '../../../support/extent.ts';
import { dataIn } from '../report-data.ts';
import { reportMail } from '../../../support/report-data.ts';
import { reportOf } from './edited-templates.ts';
import { runOf } from './program.ts';

/** What differs, with the differing places. */
const changedIn = (before: readonly ReportData[], after: ReportData) => {
  const { kinds, findings } = compareData(before, after);
  const found = [...findings.added, ...findings.gone].map(({ kind, message }) => `${kind}: ${message}`);
  const changed = kinds.flatMap(({ name, state, changes }) =>
    state === 'same'
      ? []
      : [
          `${name}: ${state}`,
          ...changes.map(({ part, before: left, after: right, marks }) => {
            const marked = (text: string | null, all: typeof marks.before) =>
              all.map(([from, to]) => text?.slice(from, to)).join(' | ');
            return `${part}: ${marked(left, marks.before)} -> ${marked(right, marks.after)}`;
          }),
        ],
  );
  return [...changed, ...found];
};

test('runs with other seeds, dates, ports and orders have no change', async () => {
  const runs: ReportData[] = [];
  for (let seed = 1; seed <= sized(10, 6); seed += 1) runs.push(await dataIn(await runOf(seed)));
  const found: string[] = [];
  for (const [index, one] of runs.entries()) {
    // In full, each pair of runs; otherwise each run with the next.
    const others = isFull ? runs : [runs[(index + 1) % runs.length] ?? one];
    for (const other of others) found.push(...changedIn([one], other));
  }
  for (const other of runs.slice(3)) found.push(...changedIn(runs.slice(0, 3), other));
  expect(found).toEqual([]);
});

/** Small edits: what is replaced by what, and the kind and the part that say so. */
const EDITS: readonly (readonly [from: string, to: string, kind: string, part: string])[] = [
  ['Thank you for your order', 'Thanks for your order', 'Receipt', 'html'],
  ['Look at your order</a>', 'See your order</a>', 'Receipt', 'html'],
  ['Look at your order: ', 'Your order: ', 'Receipt', 'text'],
  ['{{quantity}} × {{product}}', '{{product}} × {{quantity}}', 'Receipt', 'html'],
  ['<td>{{total}}</td>', '<td><b>{{total}}</b></td>', 'Receipt', 'html'],
  ['{{quantity}} × {{product}}', '{{quantity}} {{product}}', 'Receipt', 'html'],
  ['Your receipt: {{{product}}}', 'Receipt: {{{product}}}', 'Receipt', 'subject'],
  ['{{{product}}}: {{total}}', '{{{product}}}', 'Receipt', 'text'],
  ['"url":"http:', '"url":"https:', 'Receipt', 'links'],
  ['/orders/', '/order/', 'Receipt', 'links'],
  ['Welcome to the Gardeners', 'Welcome to The Gardeners', 'Sign-up code', 'text'],
  ['Your code is {{code}}', 'Your new code is {{code}}', 'Sign-up code', 'subject'],
  ['"minutes":10', '"minutes":15', 'Sign-up code', 'text'],
  ['<strong>{{code}}</strong>', '<b>{{code}}</b>', 'Sign-up code', 'html'],
  ['"name":"The Gardeners"', '"name":"Gardeners"', 'Receipt', 'from'],
  ['shop@mail.example.com', 'hello@mail.example.com', 'reset', 'from'],
  ['color: #ffffff', 'color: #fefefe', 'Welcome, …!', 'html'],
  ['padding: 12px', 'padding: 16px', 'Welcome, …!', 'html'],
  ['font-size:24px', 'font-size:28px', 'Welcome, …!', 'html'],
  ['width=\\"120\\"', 'width=\\"140\\"', 'Welcome, …!', 'html'],
  ['alt=\\"Logo\\"', 'alt=\\"\\"', 'Welcome, …!', 'html'],
  ['Kind regards', 'Yours', 'Welcome, …!', 'html'],
  ['/confirm?token=', '/verify?token=', 'Welcome, …!', 'links'],
  ['?token=', '?utm_source=mail&token=', 'Welcome, …!', 'links'],
  ['"subject":"Welcome, ', '"subject":"Good to see you, ', 'Good to see you', 'subject'],
  ['iVBORw0KGgo=', 'iVBORw0KGgoAAAA=', 'Welcome, …!', 'attachments'],
  ['logo.png', 'brand.png', 'Welcome, …!', 'attachments'],
  ['24 hours', '48 hours', 'reset', 'text'],
  ['shop.example.com/reset', 'www.example.com/reset', 'reset', 'links'],
  ['Please pay within 14 days', 'Please pay within 10 days', 'invoice', 'html'],
  ['1 Long Lane', '1 Short Lane', 'invoice', 'html'],
  ['help@shop.example.com', 'billing@shop.example.com', 'invoice', 'headers'],
  ['"X-Team":"billing"', '"X-Team":"sales"', 'invoice', 'headers'],
  ['"X-Team":"billing"', '"X-Team":"billing","X-Priority":"1"', 'invoice', 'headers'],
  ['application/pdf', 'text/plain', 'invoice', 'attachments'],
  ['</td></tr></table>', '</td></tr><tr><td></td><td>VAT included</td></tr></table>', 'invoice', 'html'],
  ['<td>{{total}}</td>', '', 'Receipt', 'html'],
];

/** In full, each edit alone; otherwise with others of other kinds and in other parts, unless it may rename a kind. */
function together(): (typeof EDITS)[number][][] {
  const runs: (typeof EDITS)[number][][] = [];
  for (const edit of EDITS) {
    const [, , kind, part] = edit;
    const run = runs.find((others) =>
      others.every((other) => other[2] !== kind && ![part, 'subject'].includes(other[3])),
    );
    if (run === undefined || isFull || part === 'subject') runs.push([edit]);
    else run.push(edit);
  }
  return runs;
}

test('each of many small edits is found in its part', async () => {
  const before = await dataIn(await runOf(1));
  // The emails of each kind in a run.
  const repeated = sized(5, 2);
  const missed: string[] = [];
  for (const [index, edits] of together().entries()) {
    const made = new Set<string>();
    const edit = (text: string) =>
      edits.reduce((edited, [from, to]) => {
        if (edited.includes(from)) made.add(from);
        return edited.replaceAll(from, to);
      }, text);
    const after = await dataIn(await runOf(index + 2, edit, repeated));
    const found = compareData([before], after).kinds.filter(({ state }) => state !== 'same');
    for (const [from, to, kind, part] of edits) {
      const isFound = found.some(
        (one) => one.name.includes(kind) && one.changes.some((change) => change.part === part),
      );
      if (!made.has(from) || !isFound)
        missed.push(`${from} -> ${to}: ${changedIn([before], after).join('; ')}`);
    }
  }
  expect(missed).toEqual([]);
});

describe('A short code or an amount', () => {
  const kind = (texts: readonly string[]) =>
    reportOf(
      texts.map((text, index) => reportMail(String(index), { kind: 'signup', subject: 'Hello', text })),
    );
  const compared = (before: readonly string[], after: readonly string[]) => {
    const [found] = compareData([kind(before)], kind(after)).kinds;
    return [found?.state, found?.values];
  };

  test('of the only email is a value that is listed', () => {
    expect(compared(['Your code: 480113'], ['Your code: 733020'])).toEqual(['same', [['480113', '733020']]]);
    expect(compared(['Tea $4.50, cup $5.50'], ['Tea $5.50, cup $4.50'])).toEqual([
      'same',
      [
        ['4.50', '5.50'],
        ['5.50', '4.50'],
      ],
    ]);
  });

  test('on which the emails of each run agree is a change', () => {
    const both = (code: string) => [`Your code: ${code}`, `Your code: ${code}`];
    expect(compared(both('480113'), both('733020'))).toEqual(['changed', []]);
    expect(compared(both('480113'), both('480113'))).toEqual(['same', []]);
    expect(compared(both('49.90 EUR'), both('39.90 EUR'))).toEqual(['changed', []]);
  });

  test('that differs among the emails of one run is the same', () => {
    const varied = ['Your code: 480113', 'Your code: 112233'];
    expect(compared(varied, ['Your code: 733020', 'Your code: 733020'])).toEqual(['same', []]);
    expect(compared(['Pay $4.50', 'Pay $5.50'], ['Pay $6.50', 'Pay $6.50'])).toEqual(['same', []]);
  });

  test('is not listed as a year, as a port or in a long id', () => {
    for (const [before, after] of [
      ['© 2025 Shop', '© 2026 Shop'],
      ['http://127.0.0.1:5137/', 'http://127.0.0.1:6137/'],
      ['Id: 3f2a9c7e51d04b86', 'Id: 9b04d15e7c3f2a86'],
    ] as const)
      expect(compared([before], [after])).toEqual(['same', []]);
  });
});
