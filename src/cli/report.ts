/** `email-platform report`: joins the reports of several runs, or compares a run with earlier ones. */
import { resolve } from 'node:path';
import { printable } from '../core/error-text.ts';
import { compareReports, joinReports } from '../testing/index.ts';
import { isChanged, linesOfChanges } from '../testing/report/compare/text.ts';
import type { Command } from './command.ts';
import { conclusionOf } from './emulator-report.ts';
import { Changes, Failure, messageOf } from './failure.ts';
import type { Surroundings } from './surroundings.ts';
import { jsonText } from './json-text.ts';
import { oneOf, text } from './values.ts';

/** Adds the command. */
export function reportCommand(program: Command, { out }: Surroundings): void {
  const command = program
    .command('report <files...>')
    .usage('<files...> --out <file> | <files...> --against <files...>')
    .description(
      'Joins the reports of several runs, such as those of the workers of a test runner, into one file; or shows which emails changed since earlier runs.',
    );
  const target = command.takes('--out <file>', 'the file to write', text);
  const against = command.takesMany('--against <files...>', 'compare with the reports of earlier runs', text);
  const summary = command.takes('--summary <file>', 'append what changed to a file, as Markdown', text);
  const isJson = command.allows('--json', 'print what changed as JSON');
  const hasExitCode = command.allows('--exit-code', 'exit with 3 if an email changed');
  const failOn = command.takes(
    '--fail-on <error|warn>',
    'exit with 1 if there are findings of this level, or a worse one; with --against, new ones',
    oneOf('--fail-on', ['error', 'warn']),
  );
  command.examples({
    'email-platform report report-1.html report-2.html --out report.html': 'one file of two workers',
    'email-platform report pr.html --against main.html --out changes.html': '~ changed, + new, - gone',
  });
  command.action(async (files: readonly string[]) => {
    const file = target();
    if (against().length === 0) {
      for (const [option, isSet] of [
        ['--summary', summary() !== undefined],
        ['--json', isJson()],
        ['--exit-code', hasExitCode()],
      ] as const)
        if (isSet) command.error(`${option} needs --against <file>`);
      out(
        conclusionOf(await done(joinReports(files, file ?? command.error('needs --out <file>'))), failOn()),
      );
      return;
    }
    const compared = [...files, ...against()].map((one) => resolve(one));
    if (file !== undefined && compared.includes(resolve(file)))
      command.error('--out names a report that is compared: give it a file of its own');
    const markdown = summary();
    const written = {
      ...(file !== undefined && { out: file }),
      ...(markdown !== undefined && { summary: markdown }),
    };
    const changes = await done(compareReports(against(), files, written));
    out(isJson() ? jsonText(changes) : `${linesOfChanges(changes).join('\n')}\n`);
    const worst = failOn();
    const isNew = changes.findings.added.some(({ level }) => worst === 'warn' || level === worst);
    if (worst !== undefined && isNew)
      throw new Failure('The earlier runs do not have all of these findings.');
    if (hasExitCode() && isChanged(changes)) throw new Changes();
  });
}

async function done<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    // A file's name may have a line break.
    throw new Failure(printable(messageOf(error)));
  }
}
