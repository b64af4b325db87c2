import { describe, expect, test } from 'vitest';
import { sized } from '../../../../support/extent.ts';
import { createTemplate, post } from '../../../tools/mail.ts';
import { still } from '../../../tools/wire.ts';

/** The content of an email made from a template. */
async function filled(body: string, variables: Record<string, unknown>) {
  const emulator = still();
  const template_uuid = await createTemplate(emulator, { body_html: body, body_text: body });
  await post(emulator, { subject: undefined, text: undefined, template_uuid, template_variables: variables });
  const [message] = emulator.messages();
  return { html: message?.html, text: message?.text };
}

describe('Template content rules: Handlebars', () => {
  test.each([
    ['{{name}}', { name: 'Ann' }, 'Ann'],
    ['{{ user.name.first }}', { user: { name: { first: 'Ann' } } }, 'Ann'],
    ['{{#if a}}yes{{else}}no{{/if}}', { a: [] }, 'no'],
    ['{{#if a}}{{#if b}}both{{else}}one{{/if}}{{/if}}', { a: 1, b: 0 }, 'one'],
    ['{{#unless a}}no{{/unless}}', {}, 'no'],
    ['{{#each a}}{{@index}}{{this}}{{#unless @last}},{{/unless}}{{/each}}', { a: ['x', 'y'] }, '0x,1y'],
    ['{{#each a}}{{@key}}={{this}};{{/each}}', { a: { x: 1, y: 2 } }, 'x=1;y=2;'],
    ['{{#each a}}x{{else}}none{{/each}}', { a: [] }, 'none'],
    ['{{#each a}}{{id}}{{../b}}{{/each}}', { a: [{ id: 1 }, { id: 2 }], b: '!' }, '1!2!'],
    ['{{#with user}}{{name}}{{/with}}', { user: { name: 'Ann' } }, 'Ann'],
    ['{{! a comment }}x{{missing}}{{a.b.c}}', { a: null }, 'x'],
    ['{{constructor}}{{a.length}}{{__proto__.x}}', { a: 'text' }, '4'],
    ['{{a}} {{b}}', { a: [1, ['x']], b: { c: 1 } }, '1,x [object Object]'],
    ['{{a}}|{{b}}', { a: { toString: 1 }, b: null }, '[object Object]|'],
    ['{{formatDate day}}{{#greaterThan a b}}x{{/greaterThan}}', { day: 1, a: 2, b: 1 }, ''],
    ['{{&a}}{{~a~}} {{#with o}}{{@root.a}}{{../a}}{{/with}}', { a: 'A', o: { b: 1 } }, 'AAAA'],
    ['{{#each l as |item n|}}{{n}}{{item}}{{/each}}', { l: ['x'] }, '0x'],
    ['{{#o}}{{b}}{{/o}}{{^o}}none{{/o}}', { o: { b: 1 } }, '1'],
    ['\\{{a}} {{{{raw}}}}{{a}}{{{{/raw}}}}', { a: 'A', raw: true }, '{{a}} {{a}}'],
  ])('%s', async (template, variables, expected) => {
    expect((await filled(template, variables)).text).toBe(expected);
  });

  test.each([
    ['{{#if a}}yes{{else}}no{{/if}}', 'no'],
    ['{{#unless a}}no{{/unless}}', 'no'],
    ['{{#if b}}yes{{else}}no{{/if}}{{#with b}}{{c}}{{/with}}', 'yes0'],
    ['{{#with a}}but not to with{{/with}}', 'but not to with'],
  ])('an empty object is false: %s', async (template, expected) => {
    expect((await filled(template, { a: {}, b: { c: 0 } })).text).toBe(expected);
  });

  const chain = '{{#if a}}A{{else if b}}B{{else  if c}}C{{else}}D{{/if}}.';
  test.each([
    [chain, { a: 1, b: 1 }, 'A.'],
    [chain, { b: 1, c: 1 }, 'B.'],
    [chain, { c: 1 }, 'C.'],
    [chain, {}, 'D.'],
    ['{{#if a}}A{{else if b}}B{{/if}}.', {}, '.'],
    ['{{#each a}}{{#if this.x}}x{{else if this.y}}y{{/if}}{{/each}}', { a: [{ x: 1 }, { y: 1 }] }, 'xy'],
    ['{{#unless a}}no{{else if b}}B{{/unless}}.', { a: 1, b: 1 }, 'B.'],
  ])('a chain of conditions: %s', async (template, variables, expected) => {
    expect((await filled(template, variables)).text).toBe(expected);
  });

  test('a chain of as many conditions as may be nested is rendered; a longer one is refused', async () => {
    const chained = (links: number) => `{{#if a}}${'{{else if a}}'.repeat(links)}{{else}}end{{/if}}`;
    expect((await filled(chained(99), {})).text).toBe('end');
    const emulator = still();
    const template_uuid = await createTemplate(emulator, { body_text: chained(100) });
    const given = { subject: undefined, text: undefined, template_uuid };
    expect((await post(emulator, given)).status).toBe(400);
  });

  test.each([
    ...[
      '{{> p}}',
      '{{lookup o "b"}}',
      '{{log a}}',
      '{{#if (eq a b)}}x{{else}}y{{/if}}',
      '{{* d}}',
      '{{#if}}x{{/if}}',
    ],
    '{{#> p}}x{{/p}}{{a b=1}}',
  ])('nothing is in the place of %s, as docs/trust/fidelity.md says', async (template) => {
    expect((await filled(template, { a: 'A', o: { b: 1 }, l: ['x'] })).text).toBe('');
  });

  test.each([
    ['a\n{{#if a}}open', 'in line 2, {{#if a}} is not closed'],
    ['a{{/if}}b', 'in line 1, "{{/" is not expected there'],
    ['{{#if a}}\n{{/each}}', "in line 1, if doesn't match each"],
    ['a{{', 'in line 1, it ends within a tag'],
  ])('%s is not Handlebars → 400, with the place', async (body_html, why) => {
    const emulator = still();
    const template_uuid = await createTemplate(emulator, { body_html });
    const { status, value } = await post(emulator, { subject: undefined, text: undefined, template_uuid });
    const error = `'template_uuid' is the UUID of a template that is not valid Handlebars: ${why}`;
    expect([status, value]).toEqual([400, { success: false, errors: [error] }]);
  });

  test('two braces escape HTML in the subject and in the text, three do not', async () => {
    const emulator = still();
    const template_uuid = await createTemplate(emulator, {
      subject: '{{a}} | {{{a}}}',
      body_text: '{{a}} | {{{a}}}',
    });
    const template_variables = { a: 'A & "B"' };
    await post(emulator, { subject: undefined, text: undefined, template_uuid, template_variables });
    expect(emulator.messages()[0]?.subject).toBe('A &amp; &quot;B&quot; | A & "B"');
    expect(emulator.messages()[0]?.text).toBe('A &amp; &quot;B&quot; | A & "B"');
  });

  test('two braces escape the five documented characters, in both bodies; three escape none', async () => {
    const { html, text } = await filled('{{a}} {{{a}}}', { a: '<b> & "\'=`' });
    expect(html).toBe('&lt;b&gt; &amp; &quot;&#x27;=` <b> & "\'=`');
    expect(text).toBe(html);
  });

  const many = Array.from({ length: 1000 }, () => 1);
  test.each<[string, string, Record<string, unknown>]>([
    ['100 000 open blocks', '{{#if a}}'.repeat(100_000), { a: true }],
    ['101 open blocks', '{{#if a}}'.repeat(101), { a: true }],
    [
      'loops within loops',
      '{{#each a}}{{#each ../a}}{{#each ../../a}}x{{/each}}{{/each}}{{/each}}',
      { a: many },
    ],
    [
      'loops that render nothing',
      '{{#each a}}{{/each}}{{#each b}}{{/each}}',
      { a: many, b: Array.from({ length: 999_500 }, () => 1) },
    ],
    ['more than 10 000 000 characters', `{{#each a}}${'x'.repeat(10_001)}{{/each}}`, { a: many }],
  ])('%s → 400, and the emulator still responds', async (_, body, variables) => {
    const emulator = still();
    const template_uuid = await createTemplate(emulator, { body_html: body, body_text: null });
    const given = { subject: undefined, text: undefined, template_uuid, template_variables: variables };
    const { status, value } = await post(emulator, given);
    expect([status, value]).toEqual([
      400,
      { success: false, errors: ["'template_uuid' is the UUID of a template that is too complex"] },
    ]);
    expect(emulator.messages()).toEqual([]);
    expect((await post(emulator)).status).toBe(200);
  });

  const tags = sized(200_000, 5_000);
  test(`100 blocks within each other, and ${tags} tags beside each other, are rendered`, async () => {
    const nested = `${'{{#if a}}'.repeat(100)}in${'{{/if}}'.repeat(100)}`;
    expect((await filled(nested, { a: true })).text).toBe('in');
    expect((await filled('{{a}}'.repeat(tags), { a: 1 })).text).toBe('1'.repeat(tags));
  });
});
