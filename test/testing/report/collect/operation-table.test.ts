import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { operationNames } from '../../../../src/testing/report/collect/operation-of.ts';
// @ts-expect-error -- a script
import { FILE, operationTable } from '../../../../.ci/operation-names.mjs';

test('the table of methods is what `npm run operations` writes', async () => {
  expect(await readFile(FILE as string, 'utf8')).toBe(await (operationTable as () => Promise<string>)());
});

test.each([
  ['POST', 'send', '/api/send', 'sending.send'],
  ['GET', 'api', '/api/contacts/lists', 'contacts.lists.list'],
  ['GET', 'api', '/api/accounts/7/templates/3', 'templates.paginated.get'],
  ['GET', 'api', '/api/no/such/path', null],
])('%s %s %s is %s', (method, host, path, operation) => {
  expect(operationNames()(method, host, path)).toBe(operation);
});
