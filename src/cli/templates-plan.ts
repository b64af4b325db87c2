/** `email-platform templates plan`: shows what a push would change. */
import {
  planTemplates,
  type TemplateChange,
  type TemplatePartChange,
  type TemplatePlan,
  type TemplateProblem,
} from '../entries/templates/index.ts';
import type { Command } from './command.ts';
import { Changes, Failure } from './failure.ts';
import { problemText } from '../entries/templates/errors.ts';
import type { Surroundings } from './surroundings.ts';
import { linesText, syncCommand, templatesText } from './templates-service.ts';

/** Adds the command. */
export const planCommand = (templates: Command, surroundings: Surroundings): void =>
  syncCommand(templates, surroundings, {
    name: 'plan',
    description: 'Shows what push and pull would change. It changes nothing on either side.',
    changes: {
      overwrite: 'plan as push does with this option',
      delete: 'plan as push does with this option',
    },
    flag: ['--exit-code', 'exit with 3 if there are changes'],
    examples: {
      'email-platform templates plan emails --env-file .env':
        '+ new, ~ changed, < changed in the service, ! on both sides',
      'email-platform templates plan emails --exit-code': 'in CI',
    },
    run: planTemplates,
    textOf: planText,
    judge: ({ changes }, hasExitCode) => {
      const stops = changes.filter(({ action }) => action === 'conflict' || action === 'invalid');
      if (stops.length > 0)
        throw new Failure(`${templatesText(stops.length)} with ! would stop a push: nothing would be pushed`);
      if (hasExitCode && changes.length > 0) throw new Changes();
    },
  });

function planText({ changes, same, unlocked }: TemplatePlan): string {
  const told = new Set<TemplateProblem>();
  const lines = changes.flatMap((change) => linesOf(change, told));
  if (changes.length === 0) lines.push(`Nothing to push: ${templatesText(same)} with no difference`);
  const others = unlocked.map(({ id, name, reason }) => `${MARKS.none} "${name}" (${id}): ${reason}`);
  return linesText([...lines, ...others]);
}

const MARKS = { create: '+', update: '~', delete: '-', conflict: '!', invalid: '!', none: '·' } as const;

/** @param told - the problems that were printed: the languages of a template share theirs */
function linesOf(
  { folder, action, push, pull, reason, problems }: TemplateChange,
  told: Set<TemplateProblem>,
): string[] {
  const pulled =
    pull.length === 0 ? [] : [`< ${folder}: ${partsText(pull)}, changed in the service: pull takes it`];
  if (action === 'invalid') {
    const more = problems.filter((problem) => !told.has(problem));
    for (const problem of more) told.add(problem);
    const texts = more.length === 0 ? ['see its other language'] : more.map(problemText);
    return texts.map((text) => `${MARKS.invalid} ${folder}: ${text}`);
  }
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
