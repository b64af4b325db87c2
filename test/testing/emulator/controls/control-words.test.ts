import { format } from 'oxfmt';
import { expect, test } from 'vitest';
import { controlWords } from '../../tools/control-words.ts';

const TEST = 'test/testing/emulator/controls/control-words.test.ts';
const WORDS = new URL('../../../../src/testing/emulator/control-api/control-words.ts', import.meta.url);

test('the words of each control are the first sentence of its docstring', async () => {
  const words = controlWords();
  expect([...words].filter(([, sentence]) => sentence === '').map(([name]) => name)).toEqual([]);
  const rows = [...words].map(([name, sentence]) => `${JSON.stringify(name)}: ${JSON.stringify(sentence)},`);
  const text = `// Written by ${TEST} from the docstrings: npm run test:unit -- ${TEST} -u

/** The effect of each control, by its name. */
export const CONTROL_WORDS: Readonly<Record<string, string>> = {
${rows.join('\n')}
};
`;
  const { code } = await format(WORDS.pathname, text, { singleQuote: true, printWidth: 110 });
  await expect(code).toMatchFileSnapshot(WORDS.pathname);
});
