import { EmailPlatform } from 'email-platform';
import { format } from 'oxfmt';
import { expect, test } from 'vitest';
import { surface, sourceOf } from '../spec/surface.ts';
import { addressOf, declaredEndpoints, FROM_ADDRESSES } from '../support/declared-endpoints.ts';
import { methodDocs } from '../support/method-docs.ts';
import { resourceMethods, type ResourceMethod } from '../support/resource-methods.ts';

const client = new EmailPlatform({ token: 't', hosts: { api: 'https://api.test' } });
const endpoints = declaredEndpoints();
const docs = methodDocs();

const code = (text: string) => `\`${text}\``;
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** A docstring's text as a guide has it. */
const withoutLinks = (text: string) => text.replace(/\{@link (?:\w+\.)?([\w.]+)\}/g, '`$1`');

/** The first sentence of what a method does. */
const summaryOf = (text: string) =>
  withoutLinks(/^.*?[.;:](?= |$)/.exec(text)?.[0] ?? text).replace(/[;:]$/, '.');

/** A method in the table: a line for each of its endpoints. */
function linesOf({ name, resource, run }: ResourceMethod): string[] {
  const { text } = docs.get(`${resource.constructor.name}.${run.name}`) ?? { text: '' };
  expect(text, `${name} has a docstring`).not.toBe('');
  const signed = FROM_ADDRESSES.get(name);
  const called = endpoints
    .filter(({ method }) => method === name)
    .map((endpoint) => {
      const { verb, host, path, accountPath, pool, isRepeatable } = endpoint;
      return [
        code(`${verb} ${path}`),
        accountPath === path ? '' : code(accountPath),
        host,
        pool === undefined ? '' : code(pool),
        isRepeatable ? 'yes' : 'no',
        sourceOf(surface.find((row) => addressOf(row) === addressOf(endpoint))),
      ];
    });
  const none =
    signed === undefined ? Array<string>(6).fill('') : ['a signed address', '', signed, '', 'yes', ''];
  return (called.length > 0 ? called : [none]).map((cells, index) =>
    row([...(index === 0 ? [code(name), summaryOf(text)] : ['', '']), ...cells]),
  );
}

const HEADER = [
  'Method',
  'What it does',
  'Endpoint',
  'Path under an account',
  'Host',
  'Pool',
  'Repeatable',
  'Source',
];

/** A section of the page: the groups of methods in an area, and its methods. */
function sectionOf(area: string, methods: readonly ResourceMethod[]): string {
  const groups = new Map(
    methods.map(({ name, resource }) => [name.replace(/\.\w+$/, ''), resource.constructor.name] as const),
  );
  const list = [...groups].map(
    ([group, owner]) =>
      `- \`client.${group}\` (\`EmailPlatform.${owner}\`): ${withoutLinks(docs.get(owner)?.text ?? '')}`,
  );
  const table = [row(HEADER), row(HEADER.map(() => '---')), ...methods.flatMap(linesOf)];
  return `## ${area}\n\n${list.join('\n')}\n\n${table.join('\n')}\n`;
}

test('docs/methods.md lists every method with what it does and which endpoints it calls', async () => {
  const areas = new Map<string, ResourceMethod[]>();
  for (const method of resourceMethods(client)) {
    const area = method.name.slice(0, method.name.indexOf('.'));
    areas.set(area, [...(areas.get(area) ?? []), method]);
  }
  const page = `# Methods

<!-- Written by a test from the methods and the declared endpoints. -->

Every method of a client, by area: what it does, and which of the service's endpoints it calls. A method without an
endpoint calls others. What the columns say is in [Endpoints](trust/endpoints.md).

${[...areas].map(([area, methods]) => sectionOf(area, methods)).join('\n')}`;
  const { code: formatted } = await format('page.md', page);
  await expect(formatted).toMatchFileSnapshot('../../docs/methods.md');
});
