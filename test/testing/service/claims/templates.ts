import { parse } from '@handlebars/parser';
import Handlebars from 'handlebars';
import { expect } from 'vitest';
import { realHandlebars } from '../../../handlebars/real-handlebars.ts';
import { type Claim, type Prove, claim, rendered, renders } from './claim.ts';

const CONSTRUCTS: readonly (readonly [string, object])[] = [
  ['{{a}} {{{a}}} {{b.c}} {{d.[0]}} {{this.a}}', { a: '<', b: { c: 1 }, d: ['x'] }],
  ['{{#if a}}1{{else if b}}2{{else}}3{{/if}}', { b: true }],
  ['{{#each a as |item|}}{{@index}}{{item}}{{@first}}{{@last}}{{/each}}', { a: ['x', 'y'] }],
  ['{{#each o}}{{@key}}={{this}}{{@root.z}} {{/each}}', { o: { k: 1, l: 2 }, z: '!' }],
  ['a  {{~b~}}  c {{! comment }}d', { b: 1 }],
  [
    '{{#object}}{{name}}{{/object}}{{^gone}}none{{/gone}}{{#with object}}{{name}}{{/with}}',
    { object: { name: 'n' } },
  ],
];
const EMPTY_OBJECT = '{{#if o}}1{{else}}0{{/if}}{{#unless o}}1{{else}}0{{/unless}}';
const CHAIN = '{{#if a}}\nx\n{{else if b}}\ny\n  {{/if}}\nz';

/** The section "Templates": its sentences before the lead. */
export const TEMPLATES: readonly Claim[] = [
  claim(
    `Rendered as Handlebars 4.7 does, by its own parser: values, paths, blocks, \`{{else if}}\`, names of a block such as
\`as |item|\`, \`@index\` and the like, \`@root\`, \`{{~name~}}\`, comments, sections such as \`{{#object}}\`.`,
    async (service) => {
      for (const [template, variables] of CONSTRUCTS)
        expect([template, await rendered(service, template, variables)]).toEqual([
          template,
          realHandlebars().compile(template)(variables),
        ]);
    },
  ),
  claim(
    `There are two exceptions, as
published: in \`{{#if}}\` and \`{{#unless}}\`, also an empty object is false; and \`{{name}}\` escapes five characters, where Handlebars also
escapes \`=\` and the backtick.`,
    async (service) => {
      expect(await rendered(service, EMPTY_OBJECT, { o: {} })).toBe('01');
      expect(Handlebars.compile(EMPTY_OBJECT)({ o: {} })).toBe('10');
      expect(await rendered(service, '{{a}}', { a: '=`' })).toBe('=`');
      expect(Handlebars.compile('{{a}}')({ a: '=`' })).toBe('&#x3D;&#x60;');
    },
  ),
  claim(
    `Helpers and partials, \`{{lookup}}\` among them, render
nothing; a template that is not valid Handlebars is refused with 400 when an email is sent with it. Whether the service
does the same is not published, nor which implementation it has.`,
    async (service) => {
      for (const part of ['{{lookup o "a"}}', '{{log "a"}}', '{{upper a}}', '{{> partial}}'])
        expect([part, await rendered(service, `x${part}y`, { o: { a: 1 }, a: 1 })]).toEqual([part, 'xy']);
      for (const template of ['{{#if a}}', '{{a', '{{/if}}'])
        expect([template, await rendered(service, template)]).toEqual([template, 400]);
    },
  ),
  claim(
    `One difference to Handlebars 4.7 is in the newer parser:
spaces before the closing tag of a chain of \`{{else if}}\` on a line of its own go.`,
    async (service) => {
      const variables = { b: true };
      const own = await rendered(service, CHAIN, variables);
      expect(own).toBe(Handlebars.compile(parse(CHAIN))(variables));
      expect([own, Handlebars.compile(CHAIN)(variables)]).toEqual(['y\nz', 'y\n  z']);
    },
  ),
];

const lead = (template: string, [own, other]: readonly [string, string], prove: Prove) =>
  claim(`| ${template} | ${own} | ${other} |`, prove);
const all =
  (...proofs: readonly Prove[]): Prove =>
  async (service) => {
    for (const prove of proofs) await prove(service);
  };

/** The table of the lead: the emulator's column is proved. */
export const LEAD: readonly Claim[] = [
  lead("`'` in a value", ['`&#x27;`', '`&apos;`'], renders('{{a}}', { a: "'" }, '&#x27;')),
  lead(
    '`{{#with a}}` of 0 or of an empty object',
    ['the block', 'the `{{else}}`'],
    all(
      renders('{{#with a}}block{{else}}else{{/with}}', { a: 0 }, 'block'),
      renders('{{#with a}}block{{else}}else{{/with}}', { a: {} }, 'block'),
    ),
  ),
  lead(
    'a name within `{{#each}}` or `{{#with}}` that only the outer context has',
    ['empty, and in `missing`', 'found there'],
    all(
      renders(
        '{{#each l}}x{{outer}}{{/each}}{{#with o}}y{{outer}}{{/with}}',
        { l: [{}], o: { a: 1 }, outer: 'z' },
        'xy',
      ),
      async ({ emulator }) => {
        const { template } = (await Promise.resolve(emulator.messages())).at(-1) ?? {};
        expect(template).toMatchObject({ missing: ['l[0].outer', 'o.outer'] });
      },
    ),
  ),
  lead(
    '`{{lookup o "a"}}`, `{{#equal a "x"}}`',
    ['nothing', 'works'],
    all(
      renders('x{{lookup o "a"}}', { o: { a: 1 } }, 'x'),
      renders('x{{#equal a "x"}}y{{/equal}}', { a: 'x' }, 'x'),
    ),
  ),
  lead(
    'a block of an unknown helper, with `{{else}}`',
    ['nothing', 'the `{{else}}`'],
    renders('x{{#unknown a}}y{{else}}z{{/unknown}}', { a: 1 }, 'x'),
  ),
  lead(
    'a list, an object, `list.length`',
    ['`x,y`, `[object Object]`, `2`', '`xy`, `map[…]`, nothing'],
    renders('{{l}} {{o}} {{l.length}}', { l: ['x', 'y'], o: {} }, 'x,y [object Object] 2'),
  ),
  lead('`{{> partial}}`', ['nothing', 'an error'], renders('x{{> partial}}', {}, 'x')),
];
