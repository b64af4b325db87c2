import { EmailPlatform } from 'email-platform';
import { format } from 'prettier';
import { afterAll, expect, test, vi } from 'vitest';
import type * as Path from '../../src/core/path.ts';
import { operationTable } from '../support/operation-table.ts';

/** The endpoint whose path was filled in last. */
const filled = vi.hoisted(() => {
  // Another file may have loaded the modules already.
  vi.resetModules();
  return { endpoint: '' };
});
vi.mock('../../src/core/path.ts', async (load) => {
  const path = await load<typeof Path>();
  const fillEndpoint: typeof Path.fillEndpoint = (endpoint, ...rest) => {
    filled.endpoint = endpoint;
    return path.fillEndpoint(endpoint, ...rest);
  };
  return { ...path, fillEndpoint };
});

afterAll(() => {
  vi.doUnmock('../../src/core/path.ts');
  vi.resetModules();
});

const client = new EmailPlatform({ token: 't', hosts: { api: 'https://api.test' } });
const table = await operationTable(client, () => filled.endpoint);

test('the operations of the proxy are those of the methods', async () => {
  const text = `// Written by test/proxy/operations.test.ts from the methods themselves:
// npm run test:unit -- test/proxy/operations.test.ts -u

/**
 * The endpoints of every operation, by resource. Under \`''\` is what all paths of the resource begin with; the rest
 * is appended to it. Each endpoint is its host (\`api\` if none is named), its HTTP method and its path; the names of its
 * query's parameters; the names of the body's only field, without and under an account, where they differ; and \`raw\` if
 * the response is not JSON. In the path, \`{account?}\` is \`{account}\` only where the call itself names the account. For
 * the rest of a path see \`fillEndpoint\`.
 */
export const OPERATIONS = ${JSON.stringify(table)} as const;
`;
  const formatted = await format(text, { parser: 'typescript', printWidth: 110, singleQuote: true });
  await expect(formatted).toMatchFileSnapshot('../../src/proxy/operations.ts');
});

test('every argument is a whole segment of its path', () => {
  const paths = Object.values(table).flatMap(({ '': base = '', ...rows }) =>
    Object.values(rows).flatMap((lines) =>
      lines.split('; ').map((line) => base + line.replace(/^.*?[A-Z]+/, '')),
    ),
  );
  expect(paths.length).toBeGreaterThan(50);
  const segments = paths.flatMap((path) => path.replace(/[ ?][^}]*$/, '').split('/'));
  expect(segments.filter((segment) => !/^(\{[\w:|?]+\}|[\w.-]*)$/.test(segment))).toEqual([]);
});
