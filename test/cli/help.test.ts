import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { cli, quiet } from './in-process.ts';

const GUIDE = readFileSync(new URL('../../docs/command-line.md', import.meta.url), 'utf8');

/** Every command, as the words that name it. */
const commands = createProgram(quiet()).commands.flatMap((command) => [
  [command.name()],
  ...command.commands.map((inner) => [command.name(), inner.name()]),
]);

test.each(commands)('%s %s has a row in docs/command-line.md', (...words) => {
  const [name = '', inner] = words;
  const rows = GUIDE.split('\n').filter((line) => line.startsWith(`| \`email-platform ${name}`));
  expect(rows.some((row) => inner === undefined || new RegExp(`[ |]${inner}\\b`).test(row))).toBe(true);
});

describe('The help', () => {
  test.each([['--help'], ['-h'], ['help']])(
    '%s lists the commands and the exit codes, exit 0',
    async (word) => {
      const { code, out, err } = await cli([word]);
      expect([code, err]).toEqual([0, '']);
      expect(out).toContain('Usage: email-platform <command> [options]');
      for (const [name = ''] of commands) expect(out).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
      expect(out).toContain('Exit codes: 0 done, 1 failed, 2 wrong command line.');
    },
  );

  test.each(commands.filter(([name]) => name !== 'help'))('of %s %s has its options', async (...words) => {
    const asked = await cli(['help', ...words]);
    expect(asked).toMatchObject({ code: 0, err: '' });
    expect(asked.out).toContain(`Usage: email-platform ${words.join(' ')} `);
    expect(asked.out).toContain('--env-file <file>');
    expect(await cli([...words, '--help'])).toEqual(asked);
  });

  test.each([[], ...commands.filter(([name]) => name !== 'help')])(
    'of %s %s has examples that are valid',
    async (...words) => {
      const { out } = await cli([...words, '--help']);
      const [, lines = ''] = out.split('\nExamples:\n');
      const examples = [...lines.matchAll(/^ {2}email-platform (.*?) {2}/gm)].map(([, line = '']) => line);
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) {
        expect(example.startsWith(words.join(' '))).toBe(true);
        const isGroup = out.includes('\nCommands:\n');
        for (const [option] of isGroup ? [] : example.matchAll(/--[\w-]+/g))
          expect(out).toContain(`  ${option} `);
        // `--help` ends it before anything is done, and after the options were read.
        const asked = example.startsWith('help ') ? [] : ['--help'];
        expect((await cli([...example.split(' '), ...asked])).code).toBe(0);
      }
    },
  );

  test('of a command that is misspelt has the name that was probably meant, exit 2', async () => {
    const { code, err } = await cli(['help', 'emulatr']);
    expect([code, err.split('\n')[0]]).toEqual([2, "Unknown command 'emulatr' (Did you mean emulator?)"]);
    expect((await cli(['help', 'journal', 'setle'])).err).toContain("'setle' (Did you mean settle?)");
    const names = [...new Set(commands.map(([name]) => name))];
    expect((await cli(['help', 'x'])).err).toContain(`. The commands are: ${names.join(', ')}\n`);
  });

  test.each([[[]], [['journal']], [['templates']]])(
    'is shown on standard error without a command: %j, exit 2',
    async (args) => {
      const { code, out, err } = await cli(args);
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain(`Usage: ${['email-platform', ...args].join(' ')} <command>`);
    },
  );
});

describe('Colours', () => {
  const terminal = { out: true, err: true };
  const escape = '\u001B[';

  test('are for terminals', async () => {
    expect((await cli(['--help'], { isTerminal: terminal })).out).toContain(`${escape}1mUsage:`);
    expect((await cli(['serve'], { isTerminal: terminal })).err).toContain(`${escape}31m`);
    expect((await cli(['--help'], { isTerminal: { out: false, err: true } })).out).not.toContain(escape);
    expect((await cli(['serve'], { isTerminal: { out: true, err: false } })).err).not.toContain(escape);
  });

  test('are never there with NO_COLOR, unless it is empty', async () => {
    const look = async (NO_COLOR: string) => {
      const surroundings = { isTerminal: terminal, env: { NO_COLOR } };
      return (await cli(['emulator', '-h'], surroundings)).out + (await cli(['serve'], surroundings)).err;
    };
    expect(await look('1')).not.toContain(escape);
    expect(await look('')).toContain(escape);
  });
});
