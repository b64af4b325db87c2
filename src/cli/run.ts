import { printableLines } from '../core/error-text.ts';
import { coloursOf } from './colours.ts';
import { exitCodeOfHelp, UsageError } from './command.ts';
import { Changes, messageOf } from './failure.ts';
import { createProgram } from './program.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * Runs a command and returns the exit code: 0 for success, 1 for a failure, 2 for an invalid command line, and 3 for
 * changes if an option requests it.
 */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<0 | 1 | 2 | 3> {
  const { err } = surroundings;
  const { red } = coloursOf(surroundings, 'err');
  try {
    await createProgram(surroundings).parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    const code = exitCodeOfHelp(error);
    if (code !== undefined) return code;
    if (error instanceof Changes) return 3;
    err(`${red(printableLines(messageOf(error)))}\n`);
    if (!(error instanceof UsageError)) return 1;
    err(`${error.usage}\n`);
    return 2;
  }
}
