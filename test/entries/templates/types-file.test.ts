import { readTemplates, TemplateError, templateTypes } from 'email-platform/templates';
import { describe, expect, test } from 'vitest';
import { parseTemplate } from '../../../src/handlebars/parse.ts';
import { readInto, Shape } from '../../../src/handlebars/shape.ts';
import { typeOfVariables } from '../../../src/entries/templates/type-text.ts';
import { RECEIPT, templatesIn, type Files } from './folders.ts';

const UUID = '0d9cbb52-7e39-4b1e-9fd4-0a5a7ba8b4c1';
const OTHER = '1e0ddc63-8f4a-4c2f-8ae5-1b6b8cb9c5d2';

/** The type of a template's variables, on one line. */
function typeOf(text: string, example?: unknown): string {
  const variables = new Shape();
  readInto(variables, 'html', parseTemplate(text));
  return typeOfVariables(variables, example)
    .replaceAll('readonly ', '')
    .replace(/\s+/g, ' ')
    .replaceAll('; }', ' }');
}

describe('the type of a variable', () => {
  const usual = 'string | number';
  const tested = 'string | number | boolean | object | null | undefined';
  test.each([
    ['{{a}}', `{ a: ${usual} }`],
    ['{{{a}}}{{&b}}', `{ a: ${usual}; b: ${usual} }`],
    ['{{a.b.c}}', `{ a: { b: { c: ${usual} } } }`],
    ['{{a.[b c]}}', `{ a: { "b c": ${usual} } }`],
    ['{{#each a}}{{b}}{{/each}}', `{ a: { b: ${usual} }[] }`],
    ['{{#each a}}{{this}}{{/each}}', `{ a: (${usual})[] }`],
    ['{{#each a}}x{{/each}}', '{ a: unknown[] }'],
    [
      '{{#each a}}{{#each b}}{{c}}{{../d}}{{../../e}}{{/each}}{{/each}}',
      `{ a: { b: { c: ${usual} }[]; d: ${usual} }[]; e: ${usual} }`,
    ],
    ['{{#each a as |b i|}}{{b.c}}{{i}}{{d}}{{/each}}', `{ a: { c: ${usual}; d: ${usual} }[] }`],
    ['{{#each a}}{{@key}}{{this}}{{/each}}', `{ a: (${usual})[] | Readonly<Record<string, ${usual}>> }`],
    [
      '{{#each a}}{{#each b}}{{@../key}}{{this}}{{/each}}{{/each}}',
      `{ a: { b: (${usual})[] }[] | Readonly<Record<string, { b: (${usual})[] }>> }`,
    ],
    ['{{#each a}}{{@index}}{{@first}}{{@../index}}{{@root.b}}{{/each}}', `{ a: unknown[]; b: ${usual} }`],
    ['{{a.length}}{{#each a}}{{b}}{{/each}}{{a.0.c}}', `{ a: { b: ${usual}; c: ${usual} }[] }`],
    ['{{a.[50]}}{{a.[900]}}', `{ a: Readonly<Record<number, ${usual}>> }`],
    ['{{a.0.b}}', `{ a: Readonly<Record<number, { b: ${usual} }>> }`],
    ['{{#each a}}x{{else}}{{b}}{{/each}}', `{ a: unknown[]; b: ${usual} }`],
    [
      '{{#each a}}{{#each b}}x{{else}}{{c}}{{../d}}{{/each}}{{/each}}',
      `{ a: { b: unknown[]; c: ${usual} }[]; d: ${usual} }`,
    ],
    ['{{#a}}x{{else}}{{b}}{{/a}}', `{ a?: ${usual} | null | undefined; b: ${usual} }`],
    ['{{#if a}}x{{/if}}', `{ a?: ${tested} }`],
    ['{{#if a.b}}x{{/if}}', `{ a: { b?: ${tested} } }`],
    ['{{#unless a.b.c}}x{{/unless}}', `{ a: { b: { c?: ${tested} } } }`],
    ['{{#with a.b}}{{c}}{{/with}}', `{ a: { b?: { c: ${usual} } | null | undefined } }`],
    ['{{#if a}}{{a}}{{/if}}', `{ a?: ${usual} | null | undefined }`],
    ['{{#if a}}{{b}}{{/if}}', `{ a?: ${tested}; b: ${usual} }`],
    ['{{#if a}}x{{else}}{{a}}{{/if}}', `{ a?: ${usual} | null | undefined }`],
    ['{{#if a}}{{a}}{{/if}}{{a}}', `{ a: ${usual} }`],
    ['{{#unless a}}x{{else}}{{a.b}}{{/unless}}', `{ a?: { b: ${usual} } | null | undefined }`],
    ['{{#if a.b}}{{a.b}}{{a.c}}{{/if}}', `{ a: { b?: ${usual} | null | undefined; c: ${usual} } }`],
    [
      '{{#if a}}{{else if b}}{{b}}{{else}}{{c}}{{/if}}',
      `{ a?: ${tested}; b?: ${usual} | null | undefined; c: ${usual} }`,
    ],
    [
      '{{#with a}}{{b}}{{../c}}{{else}}{{d}}{{/with}}',
      `{ a?: { b: ${usual} } | null | undefined; c: ${usual}; d: ${usual} }`,
    ],
    ['{{#with a as |x|}}{{x.b}}{{/with}}', `{ a?: { b: ${usual} } | null | undefined }`],
    ['{{#with a}}{{b}}{{/with}}{{a.c}}', `{ a: { b: ${usual}; c: ${usual} } }`],
    ['{{#if a}}{{a.b}}{{/if}}', `{ a?: { b: ${usual} } | null | undefined }`],
    ['{{#with this}}{{a}}{{../b}}{{/with}}', `{ a: ${usual} }`],
    ['{{#if a}}{{#each a}}{{b}}{{/each}}{{/if}}', `{ a?: { b: ${usual} }[] | null | undefined }`],
    ['{{#each a}}{{#if b}}{{b}}{{/if}}{{/each}}', `{ a: { b?: ${usual} | null | undefined }[] }`],
    [
      '{{! {{a}} }}{{!-- {{b}} --}}\\{{c}} {{~d~}} {{this.e}}{{./f}}',
      `{ d: ${usual}; e: ${usual}; f: ${usual} }`,
    ],
    [
      '{{a.x1}}{{a.[1x]}}{{b.[10]}}',
      `{ a: { x1: ${usual}; "1x": ${usual} }; b: Readonly<Record<number, ${usual}>> }`,
    ],
    ['{{#each a as |b i|}}{{b}}{{i.c}}{{/each}}', `{ a: (${usual})[] }`],
    ['{{#with a as |x y|}}{{x.b}}{{y.c}}{{/with}}', `{ a?: { b: ${usual} } | null | undefined }`],
    [
      '{{#each a as |b|}}{{b.c}}{{this.b}}{{../b}}{{/each}}',
      `{ a: { c: ${usual}; b: ${usual} }[]; b: ${usual} }`,
    ],
    ['{{#a}}{{b}}{{../c}}{{/a}}', `{ a?: ${usual} | null | undefined; b: ${usual}; c: ${usual} }`],
    ['{{#each a}}x{{/each}}{{a.b}}', `{ a: { b: ${usual} } & Readonly<Record<string, unknown>> }`],
    ['{{a.length}}{{b}}{{b.length}}', '{ a: string | unknown[]; b: string }'],
    ['{{#if true}}{{a}}{{/if}}{{"b"}}', `{ a: ${usual}; b: ${usual} }`],
  ])('%s', (text, expected) => {
    expect(typeOf(text)).toBe(expected);
  });

  test.each([
    ['{{a}}', { a: 1 }, 'number'],
    ['{{a}}', { a: true }, 'boolean'],
    ['{{a}}', { a: 'x' }, 'string | number'],
    ['{{a}}', { a: null }, 'string | number | null'],
    ['{{a}}', { a: ['x', 'y'] }, 'string[]'],
    ['{{a}}', { a: [1, 2] }, 'number[]'],
    ['{{a}}', { a: {} }, 'unknown'],
    ['{{#each a}}{{this}}{{/each}}', { a: ['x'] }, 'string[]'],
    ['{{#each a}}{{this}}{{/each}}', { a: [1, 'x'] }, '(string | number)[]'],
    ['{{#each a}}{{this}}{{/each}}', { a: { x: 1 } }, 'Readonly<Record<string, number>>'],
    ['{{#each a}}{{this}}{{/each}}', { a: [['x'], 'y'] }, 'unknown[]'],
    ['{{#each a}}{{b}}{{/each}}', { a: [{ b: 1 }, { b: 2 }] }, '{ b: number }[]'],
    ['{{#each a}}{{b}}{{/each}}', { a: [{ b: 1 }, null] }, '({ b: number } | null)[]'],
    ['{{#each a}}{{b}}{{/each}}', { a: [{ b: 1 }, { b: 'x' }] }, '{ b: string | number }[]'],
  ])('an example says more: %s of %j', (text, example, expected) => {
    expect(typeOf(text, example)).toBe(`{ a: ${expected} }`);
  });

  test.each([
    [{ a: true }, 'boolean | null | undefined'],
    [{ a: ['x'] }, 'string[] | null | undefined'],
    [{ a: {} }, 'unknown'],
  ])('if it is only tested: %j', (example, expected) => {
    expect(typeOf('{{#if a}}x{{/if}}', example)).toBe(`{ a?: ${expected} }`);
  });

  test('subject, HTML and text count together', async () => {
    const folder = templatesIn({
      a: { json: { subject: '{{s}}' }, html: '{{#if a}}{{a}}{{/if}}', text: '{{a}}' },
    });
    const text = templateTypes(await readTemplates(folder), { from: './emails' });
    expect(text).toContain(
      'type AVariables = {\n  readonly s: string | number;\n  readonly a: string | number;\n};',
    );
  });
});

describe('the generated file', () => {
  const generated = async (templates: Record<string, Files>, lock?: unknown, isCommonJs = false) =>
    templateTypes(await readTemplates(templatesIn(templates, lock)), { from: '../emails', isCommonJs });

  const whole = {
    receipt: RECEIPT,
    'welcome-back': { json: { name: "It's */ a\nname", subject: 'Hi {{#if x}}{{x}}{{/if}}' }, html: 'Hi' },
    plain: { text: 'No variables.' },
    delete: { json: { as: 'remove' }, html: '{{a}}' },
  };
  const lock = {
    '10': { receipt: { uuid: UUID } },
    '9': { receipt: { uuid: OTHER }, delete: { uuid: UUID } },
  };

  test('is readable, and the same for the same templates', async () => {
    await expect(await generated(whole, lock)).toMatchFileSnapshot('generated/emails.ts');
    expect(await generated(whole, lock)).toBe(await generated(whole, lock));
  });

  test('has every account of the lock: also one without a finished push, where the functions throw', async () => {
    const text = await generated(whole, { '7': { receipt: { createdAfter: 0 } }, '8': {} });
    expect(text).toContain("accounts: {\n    '7': {\n    },\n    '8': {\n    },\n  },");
  });

  test('is written as a CommonJS module where its extension says so', async () => {
    await expect(await generated(whole, lock, true)).toMatchFileSnapshot('generated/emails.cts.txt');
  });
});

describe('every problem is named with file and line', () => {
  async function problemsOf(templates: Record<string, Files>) {
    const folder = templatesIn(templates);
    try {
      templateTypes(await readTemplates(folder), { from: 'emails' });
    } catch (error) {
      expect(error).toBeInstanceOf(TemplateError);
      return (error as TemplateError).problems.map(
        ({ file, line, column, message }) =>
          `${[file.slice(folder.length + 1), line, column].filter((one) => one !== undefined).join(':')}: ${message}`,
      );
    }
    return [];
  }

  test.each<[string, Files, string[]]>([
    [
      'a helper',
      { html: 'x\n{{formatDate day}}' },
      ['a/body.html:2:1: the service has no helper formatDate'],
    ],
    ['a block helper', { html: '{{#eq a b}}x{{/eq}}' }, ['a/body.html:1:1: the service has no helper eq']],
    [
      'an expression',
      { text: '\n\n{{#if (gt a 1)}}x{{/if}}' },
      ['a/body.txt:3:7: the service has no helper gt'],
    ],
    [
      'a built-in that is none there',
      { text: '{{lookup a b}}{{log}}' },
      ['a/body.txt:1:1: the service has no helper lookup', 'a/body.txt:1:15: the service has no helper log'],
    ],
    [
      'a partial',
      { html: '{{> header}}' },
      ['a/body.html:1:1: the service has no partials, such as {{> header}}'],
    ],
    [
      'a decorator',
      { html: '{{#*inline "x"}}{{/inline}}' },
      ['a/body.html:1:1: the service has no decorators, such as {{* inline}}'],
    ],
    [
      'a raw block',
      { html: '{{{{raw}}}}{{x}}{{{{/raw}}}}' },
      [
        'a/body.html:1:1: the service documents no {{#raw}}: write {{#if raw}}, {{#each raw}} or {{#with raw}}',
      ],
    ],
    [
      'a section',
      { html: '{{#a}}x{{/a}}' },
      ['a/body.html:1:1: the service documents no {{#a}}: write {{#if a}}, {{#each a}} or {{#with a}}'],
    ],
    [
      'an inverse section',
      { html: '{{^a}}x{{/a}}' },
      ['a/body.html:1:1: the service documents no {{^a}}: write {{#unless a}}'],
    ],
    ['data', { html: '{{@frist}}' }, ['a/body.html:1:3: the service has no @frist']],
    [
      'options of a block',
      { html: '{{#if a includeZero=true}}x{{/if}}{{#if}}x{{/if}}{{#if a as |b|}}x{{/if}}' },
      [
        'a/body.html:1:1: {{#if}} takes no includeZero=',
        'a/body.html:1:35: {{#if}} takes one value',
        'a/body.html:1:50: {{#if}} has no block parameters',
      ],
    ],
    ['a block that is not closed', { html: 'x\n{{#if a}}\n' }, ['a/body.html:2:1: {{#if a}} is not closed']],
    [
      'another block that is closed',
      { html: 'x\n{{#if a}}\n{{/each}}' },
      ["a/body.html:2:4: if doesn't match each"],
    ],
    [
      'the subject',
      { json: { subject: '{{up name}}' }, html: 'x' },
      ['a/template.json:3: the service has no helper up'],
    ],
    [
      'blocks nested too deep',
      { html: '{{#if a}}'.repeat(101) + '{{/if}}'.repeat(101) },
      ['a/body.html: its blocks are nested too deeply'],
    ],
    [
      'a misspelt optional variable',
      { json: { optional: ['discuont'] }, html: '{{discount}}' },
      ['a/template.json: "optional" names discuont, which no part reads; did you mean `discount`?'],
    ],
    [
      'an example that does not fit',
      {
        html: '{{name}}\n{{#each items}}{{price}}{{/each}}{{#if x}}{{x}}{{/if}}{{seller.city}}',
        example: { nmae: 'Ann', items: [{ price: 1 }, { prize: 2 }], seller: 'x' },
      },
      [
        'a/example.json: name is missing: body.html:1 reads it',
        'a/example.json: items[1].price is missing: body.html:2 reads it',
        'a/example.json: seller must be an object',
        'a/example.json: no part of the template reads nmae',
        'a/example.json: no part of the template reads items[1].prize',
      ],
    ],
    [
      'a list in the example',
      { html: '{{#each a}}x{{/each}}', example: { a: 'x' } },
      ['a/example.json: a must be a list'],
    ],
  ])('%s', async (_, files, expected) => {
    expect(await problemsOf({ a: files })).toEqual(expected);
  });

  test('names, with the remedy', async () => {
    const problems = await problemsOf({
      '2fa-code': { html: 'x' },
      delete: { html: 'x' },
      'order-placed': { html: 'x' },
      order_placed: { html: 'x' },
      'as-bad': { json: { as: 'no-name' }, html: 'x' },
    });
    expect(problems).toEqual([
      '2fa-code/template.json: the function\'s name "2faCode" begins with a digit: choose another with "as"',
      'as-bad/template.json: the function\'s name "no-name" is not a valid name in JavaScript: choose another with "as"',
      'delete/template.json: the function\'s name "delete" is a reserved name: choose another with "as"',
      expect.stringMatching(
        /^order_placed\/template.json: the function's name "orderPlaced" is also that of .*\/order-placed: choose/,
      ),
    ]);
  });

  test('the message of the error has the first, and counts the others', async () => {
    const folder = templatesIn({ a: { html: '{{x y}}\n{{> p}}' } });
    const templates = await readTemplates(folder);
    expect(() => templateTypes(templates, { from: 'emails' })).toThrow(
      `${folder}/a/body.html:1:1: the service has no helper x (and 1 more: see \`problems\`)`,
    );
  });

  test('"optional" reaches into lists and objects', async () => {
    const folder = templatesIn({
      a: {
        json: { optional: ['b', 'items[].note', 'user.nick'] },
        html: '{{b}}{{#each items}}{{note}}{{/each}}{{user.nick}}',
      },
    });
    const text = templateTypes(await readTemplates(folder), { from: 'emails' });
    expect(text.match(/\?: string \| number \| null \| undefined/g)).toHaveLength(3);
  });
});
