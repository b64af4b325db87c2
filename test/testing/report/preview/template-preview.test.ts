/** The email, the form and the misfits that the page of `templates dev` shows. */
import { readTemplates } from 'email-platform/templates';
import { expect, test } from 'vitest';
import { previewOf } from '../../../../src/testing/report/preview/template-preview.ts';
import { templatesIn, type Files } from '../../../entries/templates/folders.ts';

const HTML = `<p>{{name}} {{count}} {{isNew}} {{mixed}} {{address.city}} {{tags.length}}
{{#each tags}}{{this}}{{/each}}{{#each items}}{{sku}} {{note}}{{/each}}{{#if vip}}{{vip}}{{/if}}{{extra}}</p>`;
const EXAMPLE = {
  ...{ name: 'Ann', count: 3, isNew: true, address: { city: 'Bern' }, vip: 'gold', extra: 'x' },
  ...{ tags: ['a', 'b'], items: [{ sku: 'T-1' }, { sku: 2 }], mixed: null },
};

async function previewing({ json, ...files }: Files) {
  const folder = templatesIn({ a: { json: { name: 'A', ...json }, ...files } });
  const [template] = await readTemplates(folder);
  if (template === undefined) throw new Error('There is no template');
  return (variables: Record<string, unknown> = template.example ?? {}) => previewOf(template, variables);
}

const FILES = { json: { optional: ['extra', 'items[].note'] }, html: HTML, example: EXAMPLE };

test('the form has a field for each variable: its type by the example, and whether it is needed', async () => {
  const preview = await previewing(FILES);
  const text = (isNeeded = true) => ({ kind: 'text', isNeeded });
  expect(preview().form).toEqual({
    kind: 'object',
    isNeeded: false,
    fields: {
      name: text(),
      count: { kind: 'number', isNeeded: true },
      isNew: { kind: 'boolean', isNeeded: true },
      mixed: text(),
      address: { kind: 'object', isNeeded: true, fields: { city: text() } },
      tags: { kind: 'list', isNeeded: true, item: text(false) },
      items: {
        kind: 'list',
        isNeeded: true,
        item: { kind: 'object', isNeeded: false, fields: { sku: text(), note: text(false) } },
      },
      vip: text(false),
      extra: text(false),
    },
  });
  expect(preview()).toMatchObject({ misfits: [], missing: [], unused: [], taken: [], example: EXAMPLE });
});

test.each<[changes: Record<string, unknown>, misfits: readonly string[]]>([
  [{ name: undefined }, ['name is missing']],
  [{ vip: undefined, extra: undefined }, []],
  [{ name: null, count: null, address: null, items: null }, []],
  [{ count: '3' }, []],
  [{ count: true }, ['count must be a number']],
  [{ count: [] }, ['count must be a number']],
  [{ address: 'Bern' }, ['address must be an object']],
  [{ address: [] }, ['address must be an object']],
  [{ address: {} }, ['address.city is missing']],
  [{ address: Object.create({ city: 'Bern' }) }, ['address.city is missing']],
  [{ items: 'none' }, ['items must be a list']],
  [{ items: {} }, []],
  [{ items: [{ sku: 'a' }, {}, 'b'] }, ['items[1].sku is missing', 'items[2] must be an object']],
  [{ tags: [1, 'a', null] }, []],
])('the variables %j do not fit: %j', async (changes, misfits) => {
  const preview = await previewing(FILES);
  expect(preview({ ...EXAMPLE, ...changes }).misfits).toEqual(misfits);
});

test('the preview text is the hidden one, or else the beginning of the HTML, on one line', async () => {
  const hidden = '<div style="display:none">Your  receipt\nof today</div>';
  const body = `<p>Hello\n   {{name}},</p><p>${'word '.repeat(100)}</p>`;
  const of = async (html: string) => (await previewing({ html, example: { name: 'Ann' } }))().preview;
  expect(await of(`${hidden}${body}`)).toBe('Your receipt of today');
  const shown = await of(body);
  expect(shown.slice(0, 21)).toBe('Hello Ann, word word ');
  expect(shown).toHaveLength(200);
  expect(shown).not.toMatch(/\s{2}/);
});

test('the findings are those of a report: of an empty variable, an unused one, and an image without a text', async () => {
  const preview = await previewing({ html: '<img src="https://e.org/a.png">{{name}}', text: '{{name}}' });
  const found = (variables: Record<string, unknown>) => {
    const { findings, missing, unused } = preview(variables);
    return [findings.map(({ level, check }) => `${level} ${check}`).sort(), missing, unused];
  };
  expect(found({ name: 'Ann' })).toEqual([['warn alt'], [], []]);
  expect(found({ name: 'Ann', other: 1 })).toEqual([['warn alt', 'warn variables'], [], ['other']]);
  expect(found({})).toEqual([['error variables', 'warn alt', 'warn text-part'], ['name'], []]);
});
