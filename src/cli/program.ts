/** The program: its common options, and the list of its commands. */
import { printableLines } from '../core/error-text.ts';
import { VERSION } from '../version.ts';
import { coloursOf, hasColours } from './colours.ts';
import { Command } from './command.ts';
import { doctorCommand } from './doctor.ts';
import { emulatorCommand } from './emulator.ts';
import { addEnvFiles, unusedText } from './env-file.ts';
import { journalCommand } from './journal.ts';
import { reportCommand } from './report.ts';
import type { Surroundings } from './surroundings.ts';
import { templatesCommand } from './templates.ts';
import { triggerCommand } from './trigger.ts';
import { text } from './values.ts';
import { whyCommand } from './why.ts';

/** The functions that add the commands. */
const COMMANDS: readonly ((program: Command, surroundings: Surroundings) => void)[] = [
  emulatorCommand,
  journalCommand,
  templatesCommand,
  triggerCommand,
  reportCommand,
  whyCommand,
  doctorCommand,
];

/** The command line, ready to be parsed. */
export function createProgram(surroundings: Surroundings): Command {
  const { out, err, env } = surroundings;
  const program = new Command('email-platform');
  program
    .description('Runs the emulator of the service, and tools for keys, templates, webhooks and delivery.')
    .usage('<command> [options]')
    .version(VERSION, '-v, --version', 'show the version')
    .helpOption('-h, --help', 'show the help of a command')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: out,
      writeErr: err,
      getOutHasColors: () => hasColours(surroundings, 'out'),
      getErrHasColors: () => hasColours(surroundings, 'err'),
    })
    .configureHelp({ showGlobalOptions: true, styleTitle: coloursOf(surroundings, 'out').bold });
  const envFiles = program.takesMany(
    '--env-file <file>',
    'read environment variables from a file; variables that are already set keep their values',
    text,
  );
  program.hook('preAction', () => {
    for (const unused of addEnvFiles(env, envFiles())) err(printableLines(unusedText(unused)));
  });
  for (const add of COMMANDS) add(program, surroundings);
  helpCommand(program);
  program.examples({
    'email-platform emulator --write-env .env.emulator': 'to try the client without an account',
    'email-platform journal status --sqlite mail.db': 'the open keys, such as after a crash',
    'email-platform help journal settle': 'the options of a command',
  });
  return program.addHelpText(
    'after',
    '\nExit codes: 0 done, 1 failed, 2 wrong command line.\nemail-platform help <command> shows options and examples.',
  );
}

/** Adds `help`, which also finds commands inside commands. */
function helpCommand(program: Command): void {
  program
    .command('help [command...]')
    .description('Shows the help of a command.')
    .helpOption(false)
    .action((words: readonly string[]) => program.inside(words).help());
}
