/** Shared by the commands of templates that call the service. */
import { EmailPlatform } from '../index.ts';
import type { Command } from './command.ts';
import { Failure } from './failure.ts';
import type { Surroundings } from './surroundings.ts';
import { linesOf, withProblems } from './templates-problems.ts';
import type { TemplateProblem } from '../templates/index.ts';
import { text } from './values.ts';

const ACCOUNT =
  'The account is EMAIL_PLATFORM_ACCOUNT_ID, or else the only one that EMAIL_PLATFORM_TOKEN can see.';

/** A command that compares a folder with an account. */
export function serviceCommand(
  templates: Command,
  name: string,
  description: string,
  usage: string,
): Command {
  return templates
    .command(`${name} <folder>`)
    .description(`${description} ${ACCOUNT}`)
    .usage(`<folder> ${usage}`);
}

/** The option for results as JSON. */
export const jsonOption = (command: Command) => command.allows('--json', 'print JSON on one line');

/** The options that name templates. */
export const overwriteOption = (command: Command, words: string) =>
  command.takesMany('--overwrite <template>', words, text);
export const deleteOption = (command: Command, words: string) =>
  command.takesMany('--delete <template>', words, text);

/** Runs a command with a client. Aborts it when the process should end. */
export function withClient(
  surroundings: Surroundings,
  work: (client: EmailPlatform, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  return withProblems(async () => {
    const abort = new AbortController();
    void surroundings.ended.then(() => abort.abort());
    await work(surroundings.client?.() ?? new EmailPlatform(), abort.signal);
  });
}

/** Fails with the problems, if there are any. */
export function failWith(problems: readonly TemplateProblem[], remedy?: string): void {
  if (problems.length > 0)
    throw new Failure([linesOf(problems), ...(remedy === undefined ? [] : [remedy])].join('\n'));
}

/** A number of templates. */
export const templatesText = (count: number): string => (count === 1 ? '1 template' : `${count} templates`);
