import { describe, expect, test } from 'vitest';
import { createTemplate, post } from './mail.ts';
import { still } from './wire.ts';

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
    ['{{constructor}}{{a.length}}{{__proto__.x}}', { a: 'text' }, ''],
    ['{{formatDate day}}{{#greaterThan a b}}x{{/greaterThan}}', { day: 1, a: 2, b: 1 }, ''],
    ['{{#if a}}open', { a: true }, 'open'],
    ['a{{/if}}b{{', {}, 'ab{{'],
  ])('%s', async (template, variables, expected) => {
    expect((await filled(template, variables)).text).toBe(expected);
  });

  test('two braces escape HTML in the HTML body, three do not; text is never escaped', async () => {
    const { html, text } = await filled('{{a}} {{{a}}}', { a: `<b> & "'` });
    expect(html).toBe(`&lt;b&gt; &amp; &quot;&#x27; <b> & "'`);
    expect(text).toBe(`<b> & "' <b> & "'`);
  });
});
