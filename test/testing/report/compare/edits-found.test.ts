import { fileURLToPath } from 'node:url';
import { readTemplates } from 'email-platform/templates';
import { expect, test } from 'vitest';
import { compareData } from '../../../../src/testing/report/compare/compare.ts';
import type { ReportMail } from '../../../../src/testing/report/data/data.ts';
import { isFull } from '../../../support/extent.ts';
import { editsOf, mailsOf, reportOf, written, type Written } from './edited-templates.ts';

const folder = fileURLToPath(new URL('../../../../examples/shop/templates', import.meta.url));
const ofShop = async (): Promise<Written[]> =>
  (await readTemplates(folder)).map(({ name, subject, html, text }) => ({
    name,
    subject,
    html: html ?? '',
    text: text ?? '',
    headers: 'X-Team: shop',
    file: '',
  }));

const stateOf = (before: readonly ReportMail[], after: readonly ReportMail[]) =>
  compareData([reportOf(before)], reportOf(after)).kinds[0]?.state;

/** What a reader, or a program, could see of it. */
const seen = (mails: readonly ReportMail[]) =>
  JSON.stringify(
    mails.map(({ subject, html, text, headers, attachments }) => [subject, html, text, headers, attachments]),
  );

/** Every ninth template; in full, all of them. */
const STEP = isFull ? 1 : 9;

test.each([
  { count: 9, mostMissed: isFull ? 42 : 4, mostFalse: isFull ? 8 : 1 },
  { count: 2, mostMissed: isFull ? 46 : 4, mostFalse: isFull ? 4 : 0 },
])(
  'of edits of templates with $count emails a side, few are missed',
  async ({ count, mostMissed, mostFalse }) => {
    const missed: string[] = [];
    const wrong: string[] = [];
    let edits = 0;
    for (const [index, template] of written(await ofShop()).entries()) {
      if (index % STEP !== 0) continue;
      const before = mailsOf(template, index * 7 + 1, count);
      for (const seed of [2, 3, 4])
        if (stateOf(before, mailsOf(template, index * 7 + seed, count)) !== 'same') wrong.push(template.name);
      const unchanged = seen(mailsOf(template, index * 7 + 5, count));
      for (const edit of editsOf(template, index + 1, 2)) {
        const after = mailsOf(edit.template, index * 7 + 5, count);
        if (seen(after) === unchanged) continue;
        edits += 1;
        if (stateOf(before, after) === 'same') missed.push(`${template.name}: ${edit.kind}`);
      }
    }
    expect(edits).toBeGreaterThan(1_900 / STEP);
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(mostMissed);
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(mostFalse);
  },
);
