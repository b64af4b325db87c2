import { execFile } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bundledProgram } from '../support/programs.ts';

const bundled = (path: string) => bundledProgram(fileURLToPath(new URL(path, import.meta.url)));
const program = bundled('programs/replaced-functions.ts');
/** In files of their own, so that the program imports them after the replacement, if it comes first. */
const entries = ['../../src/index.ts', '../../src/testing/index.ts'].map(
  (path) => pathToFileURL(bundled(path)).href,
);

const ALL = ['queueMicrotask', 'nextTick', 'setImmediate', 'timers', 'performance', 'Date'];
const CALLS = ['send', 'attach', 'list', 'read', 'wait', 'handler', 'text', 'request', 'listen', 'fetch'];
/** The calls that cannot end while a function does not run: their errors name it. */
const REFUSED: readonly (readonly [name: string, said: string, calls: readonly string[]])[] = [
  ['queueMicrotask', 'queueMicrotask', ['handler', 'text', 'request', 'listen', 'fetch']],
  ['nextTick', 'process.nextTick', ['listen', 'fetch']],
];

test.each([...ALL, ALL.join('+')].flatMap((names) => ['before', 'after'].map((when) => [names, when])))(
  'each call ends when this is replaced by what never calls back: %s, %s the import',
  async (names, when) => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, names, when, ...entries], {
      timeout: 120_000,
      killSignal: 'SIGKILL',
    });
    const ends = CALLS.map((call) => {
      const by = REFUSED.filter(([name, , calls]) => names.split('+').includes(name) && calls.includes(call));
      return `${call}: ${by.map(([, said]) => said).join(' and ') || 'ok'}`;
    });
    expect(stdout.split('\n')).toEqual(ends);
  },
);
