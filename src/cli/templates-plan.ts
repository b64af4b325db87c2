/** `email-platform templates plan`: shows what a push would change. */
import {
  planTemplates,
  type TemplateChange,
  type TemplatePartChange,
  type TemplatePlan,
} from '../templates/index.ts';
import type { Command } from './command.ts';
import { Changes, Failure } from './failure.ts';
import { printable } from './printable.ts';
import type { Surroundings } from './surroundings.ts';
import {
  deleteOption,
  jsonOption,
  overwriteOption,
  serviceCommand,
  templatesText,
  withClient,
} from './templates-service.ts';

const SHOWN_BYTES = 400;

/** Adds the command. */
export function planCommand(templates: Command, surroundings: Surroundings): void {
  const command = serviceCommand(
    templates,
    'plan',
    'Shows what push and pull would change. It changes nothing on either side.',
    '[--overwrite <template>] [--delete <template>] [--exit-code] [--json]',
  );
  const overwrite = overwriteOption(command, 'plan as push does with this option');
  const deleted = deleteOption(command, 'plan as push does with this option');
  const hasExitCode = command.allows('--exit-code', 'exit with 3 if there are changes');
  const isJson = jsonOption(command);
  command.examples({
    'email-platform templates plan emails --env-file .env':
      '+ new, ~ changed, < changed in the service, ! on both sides',
    'email-platform templates plan emails --exit-code': 'in CI',
  });
  command.action((folder: string) =>
    withClient(surroundings, async (client, signal) => {
      const options = { overwrite: overwrite(), delete: deleted(), signal };
      const plan = await planTemplates(client, folder, options);
      surroundings.out(isJson() ? `${JSON.stringify(plan)}\n` : planText(plan));
      const conflicts = plan.changes.filter(({ action }) => action === 'conflict');
      if (conflicts.length > 0)
        throw new Failure(
          `${templatesText(conflicts.length)} with ! would stop a push: push --overwrite <template> takes the files, pull --overwrite <template> takes the service`,
        );
      if (hasExitCode() && plan.changes.length > 0) throw new Changes();
    }),
  );
}

function planText({ changes, same, unlocked }: TemplatePlan): string {
  const lines = changes.flatMap(linesOf).map((line) => printable(line, SHOWN_BYTES));
  if (changes.length === 0) lines.push(`Nothing to push: ${templatesText(same)} with no difference`);
  if (unlocked.length > 0)
    lines.push(`${templatesText(unlocked.length)} of the account in no folder: pull writes them`);
  return `${lines.join('\n')}\n`;
}

const MARKS = { create: '+', update: '~', delete: '-', conflict: '!', none: '·' } as const;

function linesOf({ folder, action, push, pull, reason }: TemplateChange): string[] {
  const pulled =
    pull.length === 0 ? [] : [`< ${folder}: ${partsText(pull)}, changed in the service: pull takes it`];
  if (action === 'none') return reason === undefined ? pulled : [`${MARKS.none} ${folder}: ${reason}`];
  const texts = [
    ...(push.length === 0 || action === 'conflict' ? [] : [partsText(push)]),
    ...(reason ? [reason] : []),
  ];
  return [`${MARKS[action]} ${folder}${texts.length === 0 ? '' : `: ${texts.join('; ')}`}`, ...pulled];
}

const partsText = (parts: readonly TemplatePartChange[]): string =>
  parts
    .map(({ part, lines }) =>
      part === 'html' || part === 'text' ? `${part}, ${lines === 1 ? '1 line' : `${lines} lines`}` : part,
    )
    .join('; ');
