/** The whole command: what all commands have in common, and the list of them. */
import { VERSION } from '../version.ts';
import { coloursOf, hasColours } from './colours.ts';
import { Command } from './command.ts';
import { doctorCommand } from './doctor.ts';
import { emulatorCommand } from './emulator.ts';
import { addEnvFiles } from './env-file.ts';
import { journalCommand } from './journal.ts';
import { reportCommand } from './report.ts';
import type { Surroundings } from './surroundings.ts';
import { templatesCommand } from './templates.ts';
import { triggerCommand } from './trigger.ts';
import { text } from './values.ts';
import { whyCommand } from './why.ts';

/** Each adds a command, with its options and what it does. */
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
    .description('The emulator of the service, and what has to be done by hand.')
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
    'read environment variables from a file; those that are set already stay',
    text,
  );
  program.hook('preAction', () => addEnvFiles(env, envFiles()));
  for (const add of COMMANDS) add(program, surroundings);
  helpCommand(program);
  program.examples({
    'email-platform emulator --write-env .env.emulator': 'to try the client without an account',
    'email-platform journal status --sqlite mail.db': 'what a crash has left',
    'email-platform help journal settle': 'the options of a command',
  });
  return program.addHelpText(
    'after',
    '\nExit codes: 0 done, 1 failed, 2 wrong command line.\nemail-platform help <command> shows options and examples.',
  );
}

/** `help`, which finds the commands of commands, too. */
function helpCommand(program: Command): void {
  program
    .command('help [command...]')
    .description('Shows the help of a command.')
    .helpOption(false)
    .action((words: readonly string[]) => program.inside(words).help());
}
