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
  compareData([reportOf(before)], reportOf(after)).kinds[0]?.state as keyof ReturnType<typeof noNames>;

const noNames = () => ({ changed: [] as string[], not_compared: [] as string[], same: [] as string[] });

/** What a reader, or a program, could see of it. */
const seen = (mails: readonly ReportMail[]) =>
  JSON.stringify(
    mails.map(({ subject, html, text, headers, attachments }) => [subject, html, text, headers, attachments]),
  );

/** Every ninth template; in full, all of them. */
const STEP = isFull ? 1 : 9;

test.each([9, 2])(
  'with %i emails a side, no edit of a template is missed, and no equal run has a change',
  async (count) => {
    const [edited, equal] = [noNames(), noNames()];
    for (const [index, template] of written(await ofShop()).entries()) {
      if (index % STEP !== 0) continue;
      const before = mailsOf(template, index * 7 + 1, count);
      for (const seed of [2, 3, 4])
        equal[stateOf(before, mailsOf(template, index * 7 + seed, count))].push(template.name);
      const unchanged = seen(mailsOf(template, index * 7 + 5, count));
      for (const edit of editsOf(template, index + 1, 2)) {
        const after = mailsOf(edit.template, index * 7 + 5, count);
        if (seen(after) !== unchanged) edited[stateOf(before, after)].push(`${template.name}: ${edit.kind}`);
      }
    }
    const figures = Object.entries({ edited, equal }).map(
      ([name, states]) =>
        `${name}: ${Object.entries(states)
          .map(([state, { length }]) => `${length} ${state}`)
          .join(', ')}`,
    );
    process.stdout.write(`${count} emails a side: ${figures.join('; ')}\n`);
    expect(edited.changed.length).toBeGreaterThan(1_900 / STEP);
    expect(edited.same).toEqual([]);
    expect(equal.changed).toEqual([]);
    expect(equal.not_compared).toEqual([]);
    expect(equal.same).toHaveLength(3 * Math.ceil(72 / STEP));
  },
);
