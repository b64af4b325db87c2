/** `email-platform templates pull`: writes the templates of the service into files. */
import { pullTemplates, type TemplatePull } from '../entries/templates/index.ts';
import type { Command } from './command.ts';
import type { Surroundings } from './surroundings.ts';
import { failWith, linesText, syncCommand } from './templates-service.ts';

/** Adds the command. */
export const pullCommand = (templates: Command, surroundings: Surroundings): void =>
  syncCommand(templates, surroundings, {
    name: 'pull',
    description:
      'Writes every template of the account into its own folder. Edited files stay, unless --overwrite names their template.',
    changes: {
      overwrite: 'replace the files of a template, also edited ones',
      delete: 'delete a folder whose template was deleted in the service',
    },
    examples: {
      'email-platform templates pull emails --env-file .env':
        'the first time, and after changes in the web editor',
      'email-platform templates pull emails --overwrite invite': 'the service is right, not the files',
    },
    run: pullTemplates,
    textOf: pullText,
    judge: ({ problems }) => failWith(problems),
  });

function pullText(result: TemplatePull, folder: string): string {
  const { accountId, created, found, updated, deleted, renamed, isLocked, problems } = result;
  const lines = [
    ...created.map((name) => `+ ${folder}/${name}`),
    ...(isLocked ? found : []).map((name) => `= ${folder}/${name}`),
    ...updated.map((name) => `~ ${folder}/${name}`),
    ...deleted.map((name) => `- ${folder}/${name}`),
    ...renamed.map(({ folder: name, from, to }) => `~ ${folder}/${name}/example.json: ${from} is now ${to}`),
  ];
  if (lines.length > 0)
    lines.push(`Generate the types again: email-platform templates types ${folder} --out <file>`);
  if (lines.length === 0 && problems.length === 0) lines.push('Nothing to pull');
  if (created.length > 0 && !isLocked)
    lines.push(
      `The lock has no line for ${accountId}, the account of every emulator: emulator --account-id <number> plays another`,
    );
  return linesText(lines);
}
