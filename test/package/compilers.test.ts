import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { COMPILERS, OLDEST_VERSION, said, versionOf } from '../support/compilers.ts';
import { FIRST_LINE, WRONG_PROGRAMS, wrongFile } from '../support/wrong-programs.ts';
import { root } from '../support/packed.ts';

const alone = ['', '/testing', '/redis', '/proxy', '/webhooks', '/journal', '/nodemailer', '/templates'];
const withPeers = ['/schemas', '/bottleneck', '/opentelemetry', '/testing/msw'];

/** A program that imports these entries, and uses what it gets. */
const programOf = (entries: readonly string[]) => `${entries
  .map((entry, index) => `import * as e${index} from 'email-platform${entry}';`)
  .join('\n')}
export const all = [${entries.map((_, index) => `e${index}`).join(', ')}];
`;

const useOfTheClient = `import { EmailPlatform } from 'email-platform';
import { createEmulator, type Emulator } from 'email-platform/testing';
const emulator = createEmulator({ seed: 'demo' });
emulator.logs.add({ raw: new Uint8Array([1]) });
export const client = new EmailPlatform(emulator.clientOptions());
export const names = (found: readonly EmailPlatform.Campaign[]): string[] => found.map(({ name }) => name);
export const subjects = (sent: readonly Emulator.Message[]) => sent.map(({ subject }) => subject);
export const group: EmailPlatform.Contacts = client.contacts;
// @ts-expect-error: there is no such option
new EmailPlatform({ apiKey: 'x' });
// @ts-expect-error: in the namespace, a class is a type only
new EmailPlatform.Contacts();
`;

const common = {
  noEmit: true,
  strict: true,
  target: 'es2022',
  skipLibCheck: false,
  skipDefaultLibCheck: true,
};
const inPage = { lib: ['es2022', 'dom', 'dom.iterable'], types: [] };
const inNode = { lib: ['es2022'], types: ['node'], typeRoots: [join(root, 'node_modules/@types')] };
/** As projects are set up that were begun years ago. TypeScript 6 still has it, and 7 does not. */
const old = { module: 'commonjs', moduleResolution: 'node10' };

/** What a compiler says about a program in a folder. */
function saidOf(compiler: string, folder: string, program: string, options: object): Promise<string> {
  const file = `${compiler.replaceAll('.', '-')}-${Math.random().toString(36).slice(2)}.ts`;
  writeFileSync(join(folder, file), program);
  return said(compiler, folder, [file], { ...common, ...options });
}

test('the README names the oldest compiler', () => {
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(`TypeScript ${OLDEST_VERSION}`);
});

describe.each(COMPILERS)('%s, with every declaration checked,', (compiler) => {
  test.each([
    ['a page', inPage],
    ['Node', inNode],
    ['neither', { lib: ['es2022'], types: [] }],
  ])('compiles every entry in %s', async (_, environment) => {
    const program = programOf(alone) + useOfTheClient;
    expect(await saidOf(compiler, inject('consumer'), program, { module: 'nodenext', ...environment })).toBe(
      '',
    );
  });

  test('names the field of each common wrong program, in at most three lines', async () => {
    const output = await saidOf(compiler, inject('consumer'), wrongFile(), { module: 'nodenext', ...inNode });
    const errors = output.split(/\n(?=\S)/).map((error) => error.trimEnd());
    const lines = wrongFile().split('\n');
    const wrong = WRONG_PROGRAMS.flatMap(({ name, program, thrown }, index) => {
      if (thrown !== undefined) return [];
      const own = errors.find((error) => error.includes(`.ts(${FIRST_LINE + index + 1},`)) ?? '';
      // The place is marked in the program.
      const column = Number(/\(\d+,(\d+)\)/.exec(own)?.[1]);
      const named = `${own}\n${/^[\w'-]*/.exec((lines[FIRST_LINE + index] ?? '').slice(column - 1))?.[0] ?? ''}`;
      const isNamed = own.split('\n').length <= 3 && new RegExp(`(?<!\\w)${name}(?!\\w)`).test(named);
      return isNamed ? [] : [`${program}: ${own}`];
    });
    expect(wrong).toEqual([]);
  });

  test('compiles the entries that need a peer', async () => {
    // The peers' own declarations are not checked.
    const options = { module: 'nodenext', ...inNode, lib: inPage.lib, skipLibCheck: true };
    expect(await saidOf(compiler, inject('consumerWithPeers'), programOf(withPeers), options)).toBe('');
  });

  test.skipIf(versionOf(compiler) >= 7)('finds every entry in the way of old projects', async () => {
    const quiet = versionOf(compiler) >= 6 ? { ignoreDeprecations: '6.0' } : {};
    const options = { ...old, ...inPage, ...quiet };
    expect(await saidOf(compiler, inject('consumer'), programOf(alone) + useOfTheClient, options)).toBe('');
    const peersToo = { ...options, skipLibCheck: true };
    expect(await saidOf(compiler, inject('consumerWithPeers'), programOf(withPeers), peersToo)).toBe('');
  });
});
