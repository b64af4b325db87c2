/** Shared by the commands of templates that call the service. */
import { portOf } from '../client/port.ts';
import type { EmailPlatform } from '../index.ts';
import { accountOf } from '../entries/templates/account-id.ts';
import { clientOf } from './client.ts';
import type { Command } from './command.ts';
import { Failure } from './failure.ts';
import type { Surroundings } from './surroundings.ts';
import { shortLine } from './short-line.ts';
import { linesOf, withProblems } from './templates-problems.ts';
import type { TemplateProblem } from '../entries/templates/index.ts';
import { jsonText } from './json-text.ts';
import { text } from './values.ts';

const ACCOUNT =
  'The account is EMAIL_PLATFORM_ACCOUNT_ID, or else the only one that EMAIL_PLATFORM_TOKEN can see.';

/** The requests of a command that compares a folder with an account. */
interface SyncOptions {
  readonly overwrite: readonly string[];
  readonly delete: readonly string[];
  readonly only: readonly string[];
  readonly signal: AbortSignal;
}

/** A command that compares a folder with an account. */
interface Sync<Result> {
  readonly name: string;
  readonly description: string;
  /** The words of `--overwrite` and `--delete`; left out by a command without them. */
  readonly changes?: { readonly overwrite: string; readonly delete: string };
  /** An option of this command alone: its name and its words. */
  readonly flag?: readonly [name: `--${string}`, words: string];
  readonly examples: Readonly<Record<string, string>>;
  readonly run: (client: EmailPlatform, folder: string, options: SyncOptions) => Promise<Result>;
  readonly textOf: (result: Result, folder: string) => string;
  /** Throws if the process ends with another code than 0. */
  readonly judge: (result: Result, isFlagged: boolean) => void;
}

/** Adds a command that compares a folder with an account: with its options, as JSON if wanted. */
export function syncCommand<Result>(
  templates: Command,
  surroundings: Surroundings,
  { name, description, changes, flag, examples, run, textOf, judge }: Sync<Result>,
): void {
  const usage = [
    ...(changes ? ['[--overwrite <template>]', '[--delete <template>]'] : []),
    ...(flag ? [`[${flag[0]}]`] : []),
    '[--only <template>] [--json]',
  ];
  const command = templates
    .command(`${name} <folder>`)
    .description(`${description} ${ACCOUNT}`)
    .usage(['<folder>', ...usage].join(' '));
  const many = (option: string, words: string | undefined) =>
    words === undefined ? () => [] : command.takesMany(`--${option} <template>`, words, text);
  const overwrite = many('overwrite', changes?.overwrite);
  const deleted = many('delete', changes?.delete);
  const isFlagged = flag ? command.allows(...flag) : () => false;
  const only = command.takesMany(...ONLY);
  const isJson = command.allows('--json', 'print JSON on one line');
  command.examples(examples);
  command.action((folder: string) =>
    withClient(surroundings, async (client, signal) => {
      const options = { overwrite: overwrite(), delete: deleted(), only: only(), signal };
      const result = await run(client, folder, options);
      surroundings.out(isJson() ? jsonText(result) : textOf(result, folder));
      judge(result, isFlagged());
    }),
  );
}

/** Lines with names of files and of the service, each safe for a terminal. */
export const linesText = (lines: readonly string[]): string =>
  lines.map((line) => `${shortLine(line, SHOWN_BYTES)}\n`).join('');

const SHOWN_BYTES = 600;

/** The option that leaves out templates. */
const ONLY = [
  '--only <template>',
  'act on these templates alone: names of templates or of their folders, with * for any text',
  text,
] as const;
export const onlyOption = (command: Command) => command.takesMany(...ONLY);

/** Runs a command with a client of one account, which it prints first. Aborts it when the process should end. */
function withClient(
  surroundings: Surroundings,
  work: (client: EmailPlatform, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  return withProblems(async () => {
    const abort = new AbortController();
    void surroundings.ended.then(() => abort.abort());
    const client = clientOf(surroundings);
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
