/** `email-platform report`: joins the reports of several runs. */
import { joinReports } from '../testing/index.ts';
import type { Command } from './command.ts';
import { conclusionOf } from './emulator-report.ts';
import { Failure, messageOf } from './failure.ts';
import type { Surroundings } from './surroundings.ts';
import { oneOf, text } from './values.ts';

/** Adds the command. */
export function reportCommand(program: Command, { out }: Surroundings): void {
  const command = program
    .command('report <files...>')
    .usage('<files...> --out <file>')
    .description(
      'Joins the reports of several runs, such as those of the workers of a test runner, into one file.',
    );
  const target = command.takes('--out <file>', 'the file to write', text);
  const failOn = command.takes(
    '--fail-on <error|warn>',
    'exit with 1 if there are findings of this level, or a worse one',
    oneOf('--fail-on', ['error', 'warn']),
  );
  command.examples({
    'email-platform report mails-1.html mails-2.html --out mails.html': 'one file of two workers',
  });
  command.action(async (files: readonly string[]) => {
    const file = target() ?? command.error('needs --out <file>');
    out(conclusionOf(await joinedTo(files, file), failOn()));
  });
}

async function joinedTo(files: readonly string[], file: string) {
  try {
    return await joinReports(files, file);
  } catch (error) {
    throw new Failure(messageOf(error));
  }
}
