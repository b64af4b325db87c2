/** Shared by the commands of templates that call the service. */
import { portOf } from '../client/port.ts';
import { EmailPlatform } from '../index.ts';
import { accountOf } from '../entries/templates/account-id.ts';
import type { Command } from './command.ts';
import { Failure } from './failure.ts';
import type { Surroundings } from './surroundings.ts';
import { shortLine } from './short-line.ts';
import { linesOf, withProblems } from './templates-problems.ts';
import type { TemplateProblem } from '../entries/templates/index.ts';
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

/** A result as JSON, in which the characters that a terminal obeys are escaped. */
export const jsonText = (result: unknown): string =>
  `${JSON.stringify(result).replace(
    /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )}\n`;

/** Lines with names of files and of the service, each safe for a terminal. */
export const linesText = (lines: readonly string[]): string =>
  lines.map((line) => `${shortLine(line, SHOWN_BYTES)}\n`).join('');

const SHOWN_BYTES = 600;

/** The option that leaves out templates. */
export const onlyOption = (command: Command) =>
  command.takesMany(
    '--only <template>',
    'act on these templates alone: names of templates or of their folders, with * for any text',
    text,
  );

/** The options that name templates. */
export const overwriteOption = (command: Command, words: string) =>
  command.takesMany('--overwrite <template>', words, text);
export const deleteOption = (command: Command, words: string) =>
  command.takesMany('--delete <template>', words, text);

/** Runs a command with a client of one account, which it prints first. Aborts it when the process should end. */
export function withClient(
  surroundings: Surroundings,
  work: (client: EmailPlatform, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  return withProblems(async () => {
    const abort = new AbortController();
    void surroundings.ended.then(() => abort.abort());
    const client = surroundings.client?.() ?? new EmailPlatform();
    const accountId = await accountOf(client, abort.signal);
    const { api } = portOf(client)?.hosts ?? {};
    surroundings.err(`Account ${accountId}${api === undefined ? '' : ` at ${new URL(api).host}`}\n`);
    await work(client.withOptions({ accountId }), abort.signal);
  });
}

/** Fails with the problems, if there are any. */
export function failWith(problems: readonly TemplateProblem[], remedy?: string): void {
  if (problems.length > 0)
    throw new Failure([linesOf(problems), ...(remedy === undefined ? [] : [remedy])].join('\n'));
}

/** A number of templates. */
export const templatesText = (count: number): string => (count === 1 ? '1 template' : `${count} templates`);
