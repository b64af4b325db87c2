/**
 * Writes the table of the client's methods by the lines of their requests, which a report of the emulator shows. The emulator
 * imports nothing of the client, so that the table is a file: `npm run operations`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format } from 'oxfmt';
import { endpoints } from '../src/resources/endpoints.ts';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
export const FILE = at('src/testing/report/collect/operation-table.ts');

/** The text of the file. */
export async function operationTable() {
  const methods = new Map();
  for (const { operation, template, host = 'api' } of endpoints()) {
    const [method, path] = template.replace('{account?}', '{account}').split(' ');
    const line = `${method} ${host} ${path.replace(/\{(?!account\})\w+(:\w+)?\}/g, '{}')}`;
    methods.set(line, new Set([...(methods.get(line) ?? []), operation]));
  }
  const nameOf = (line) => {
    const [name, ...others] = methods.get(line) ?? [];
    return others.length === 0 ? name : null;
  };
  const lines = [...methods.keys()]
    .sort()
    .map((line) => `'${line}': ${nameOf(line) === null ? 'null' : `'${nameOf(line)}'`},`);
  const text = `// Written by .ci/operation-names.mjs from the declared endpoints: npm run operations

/**
 * The client's method by the line of a request; null where several methods have that line. \`{account}\` stands for \`/api\`
 * and for \`/api/accounts/{}\`. \`{sandboxes|inboxes}\` is \`sandboxes\` after \`/api\`, and \`inboxes\` after the account.
 */
export const OPERATIONS: Readonly<Record<string, string | null>> = {
${lines.join('\n')}
};
`;
  const { singleQuote, printWidth } = JSON.parse(readFileSync(at('.oxfmtrc.json'), 'utf8'));
  return (await format(FILE, text, { singleQuote, printWidth })).code;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(FILE, await operationTable());
