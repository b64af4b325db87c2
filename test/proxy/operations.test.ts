import { EmailPlatform } from 'email-platform';
import { format } from 'prettier';
import { expect, test, vi } from 'vitest';
import type * as Path from '../../src/core/path.ts';
import { operationTable } from '../support/operation-table.ts';

/** The endpoint whose path was filled in last. */
const filled = vi.hoisted(() => ({ endpoint: '' }));
vi.mock('../../src/core/path.ts', async (load) => {
  const path = await load<typeof Path>();
  const fillEndpoint: typeof Path.fillEndpoint = (endpoint, ...rest) => {
    filled.endpoint = endpoint;
    return path.fillEndpoint(endpoint, ...rest);
  };
  return { ...path, fillEndpoint };
});

const client = new EmailPlatform({ token: 't', hosts: { api: 'https://api.test' } });
const table = await operationTable(client, () => filled.endpoint);

test('the operations of the proxy are those of the methods', async () => {
  const rows = Object.entries(table).map(([name, lines]) => `${JSON.stringify(name)}: ${JSON.stringify(lines.join('; '))}`);
  const text = `// Written by test/proxy/operations.test.ts from the methods themselves:
// npm run test:unit -- test/proxy/operations.test.ts -u

/**
 * The endpoints of every operation. Each is its host (\`api\` if none is named), its HTTP method and its path; the names
 * of its query's parameters; the names of the body's only field, without and under an account, where they differ; and
 * \`raw\` if the response is not JSON. In the path, \`{account?}\` is \`{account}\` only where the call itself names the
 * account. See \`fillEndpoint\` for the rest.
 */
export const OPERATIONS = {${rows.join(',\n')}} as const;
`;
  const formatted = await format(text, { parser: 'typescript', printWidth: 110, singleQuote: true });
  await expect(formatted).toMatchFileSnapshot('../../src/proxy/operations.ts');
});
