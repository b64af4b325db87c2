import fc from 'fast-check';

/** Paths that the generated templates read, some of which are never there. */
const PATHS = [
  ...[
    'a',
    'b',
    'c',
    'this',
    '.',
    'this.a',
    './b',
    '../a',
    '../../b',
    '../this',
    '..',
    'a.b',
    'b.c.a',
    'a.[b]',
  ],
  ...[
    '@index',
    '@key',
    '@first',
    '@last',
    '@root.a',
    '@root.b.c',
    '@../index',
    '@../../key',
    '@index.a',
    'c.[0].a',
  ],
  ...[
    'x',
    'y',
    'x.a',
    'this.x',
    '../x',
    'a.length',
    '@first.a',
    '@root',
    '@../root.a',
    '"a"',
    'this/b',
    '@key.length',
  ],
];
const LITERALS = ['""', '"x"', '0', '12', 'true', 'false', 'null', 'undefined'];

const path = fc.constantFrom(...PATHS);
const operand = fc.oneof({ weight: 12, arbitrary: path }, fc.constantFrom(...LITERALS));
const text = fc.constantFrom(' ', '\n', '  \n', 'text', '<b>', "'", '\\ ', ' }', 'x\n ', '\r\n', '{ { ');
const strip = fc.constantFrom('', '', '', '~');
const params = fc.constantFrom('', '', ' as |x|', ' as |x y|', ' as |y x a|');

const tag = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(strip, path, strip).map(([open, name, close]) => `{{${open}${name}${close}}}`),
  },
  path.map((name) => `{{{${name}}}}`),
  path.map((name) => `{{& ${name} }}`),
  path.map((name) => `{{! ${name} }}`),
  path.map((name) => `{{!-- {{${name}}} --}}`),
  path.map((name) => `\\{{${name}}}`),
);

/** A template without helpers and partials: its blocks are closed. */
export const randomTemplate: fc.Arbitrary<string> = fc.letrec<{ template: string; block: string }>((tie) => ({
  template: fc
    .array(fc.oneof({ maxDepth: 4 }, text, tag, tie('block')), { maxLength: 5 })
    .map((pieces) => pieces.join('')),
  block: fc
    .record({
      name: fc.constantFrom('if', 'unless', 'each', 'with', 'each', 'section', 'inverse'),
      operand,
      section: fc.constantFrom('a', 'b', 'a.b', 'this.a', '../a', 'c'),
      params,
      strip,
      inner: tie('template'),
      middle: fc.option(fc.tuple(operand, fc.constantFrom('if', 'each', 'with', 'unless'), tie('template'))),
      otherwise: fc.option(tie('template')),
      word: fc.constantFrom('else', '^'),
    })
    .map((one) => {
      const between = one.middle ? `{{else ${one.middle[1]} ${one.middle[0]}}}${one.middle[2]}` : '';
      const rest = one.otherwise === null ? '' : `{{${one.strip}${one.word}}}${one.otherwise}`;
      if (one.name === 'inverse') return `{{^${one.section}}}${one.inner}{{/${one.section}}}`;
      const isSection = one.name === 'section';
      const head = isSection ? one.section : `${one.name} ${one.operand}`;
      // Without a value for them, Handlebars fails at block parameters.
      const names = ['each', 'with'].includes(one.name) ? one.params : '';
      return `{{${one.strip}#${head}${names}${one.strip}}}${one.inner}${between}${rest}{{/${isSection ? one.section : one.name}}}`;
    }),
})).template;

const plain = fc.oneof(
  fc.constantFrom<unknown>('', 'text', '1', '<a href="?x=1">&`\'', 0, 1, -2.5, true, false, null),
  fc.string({ maxLength: 3 }),
);

/** Variables such as JSON has, with the names that the templates read. */
export const randomVariables: fc.Arbitrary<Record<string, unknown>> = fc.letrec<{
  value: unknown;
  object: Record<string, unknown>;
}>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, plain, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
  object: fc
    .record({ a: tie('value'), b: tie('value'), c: tie('value'), x: plain }, { requiredKeys: [] })
    .map((fields) => ({ ...fields })),
})).object;
