import { EmailPlatform } from 'email-platform';
import { format } from 'prettier';
import { expect, test } from 'vitest';
import { endpoints } from '../../src/resources/endpoints.ts';
import { methodDocs } from '../support/method-docs.ts';
import { resourceMethods } from '../support/resource-methods.ts';

const client = new EmailPlatform({ token: 't', hosts: { api: 'https://api.test' } });
const docs = methodDocs();

/** The first sentence of what a method does, without links. */
const summaryOf = (text: string) =>
  (/^.*?[.;:](?= |$)/.exec(text)?.[0] ?? text)
    .replace(/\{@link (?:\w+\.)?([\w.]+)\}/g, '`$1`')
    .replace(/[;:]$/, '.');

test('docs/methods.md lists every method with what it does and what it calls', async () => {
  const areas = new Map<string, string[]>();
  for (const { name, resource, run } of resourceMethods(client)) {
    const area = name.slice(0, name.indexOf('.'));
    const { text } = docs.get(`${resource.constructor.name}.${run.name}`) ?? { text: '' };
    expect(text, `${name} has a docstring`).not.toBe('');
    const called = endpoints().filter(({ operation }) => operation === name);
    const templates = [...new Set(called.map(({ template }) => `\`${template}\``))];
    const row = `| \`${name}\` | ${summaryOf(text)} | ${templates.join(', ')} |`;
    areas.set(area, [...(areas.get(area) ?? []), row]);
  }
  const sections = [...areas].map(
    ([area, rows]) =>
      `## ${area}\n\n| Method | What it does | Calls |\n| --- | --- | --- |\n${rows.join('\n')}\n`,
  );
  const page = `# Methods

<!-- Written by test/docs/methods.test.ts from the methods themselves: npm run test:unit -- test/docs/methods.test.ts -u -->

Every method of a client, by area. In the paths, \`{account}\` is \`/api\`, or \`/api/accounts/{account_id}\` when an
account is set; \`{account?}\` is the same, but only the call's own \`accountId\` counts. A name with a bar is a segment
that is called differently under an account. Methods without a path call others. For hosts, rate limit pools and retries
see [Endpoints](endpoints.md).

${sections.join('\n')}`;
  const formatted = await format(page, { parser: 'markdown', printWidth: 110, proseWrap: 'preserve' });
  await expect(formatted).toMatchFileSnapshot('../../docs/methods.md');
});
