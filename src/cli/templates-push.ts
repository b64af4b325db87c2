/** `email-platform templates push`: sends the files of templates to the service. */
import { pushTemplates, type TemplatePush, type TemplatePushOptions } from '../entries/templates/index.ts';
import type { Command } from './command.ts';
import { shortLine } from './short-line.ts';
import { progressOf } from './progress.ts';
import type { Surroundings } from './surroundings.ts';
import { failWith, linesText, syncCommand } from './templates-service.ts';

/** Adds the command. */
export const pushCommand = (templates: Command, surroundings: Surroundings): void =>
  syncCommand(templates, surroundings, {
    name: 'push',
    description:
      'Creates and changes templates in the service to match the files, without a question. If a template was changed on both sides, it changes nothing at all, unless --overwrite names the template.',
    changes: {
      overwrite:
        'replace a template that was changed in the service, or create it again if it was deleted there',
      delete: 'delete a template in the service whose folder is gone',
    },
    examples: {
      'email-platform templates push emails --env-file .env': 'after a look at the plan',
      'email-platform templates push emails --overwrite invite': 'the files are right, not the service',
      'email-platform templates push emails --delete old': 'the folder is gone, and the template goes',
    },
    run: (client, folder, options) => {
      const progress = progressOf(surroundings);
      const onProgress: TemplatePushOptions['onProgress'] = ({ done, total, folder: name }) =>
        progress.say(shortLine(`${done} of ${total}: ${name}`, 200));
      return pushTemplates(client, folder, { ...options, onProgress }).finally(() => progress.end());
    },
    textOf: pushText,
    judge: (result) => failWith(result.problems, remedyOf(result)),
  });

function pushText({ created, found, updated, deleted, problems }: TemplatePush, folder: string): string {
  const lines = [
    ...created.map((name) => `+ ${name}`),
    ...found.map((name) => `= ${name}`),
    ...updated.map((name) => `~ ${name}`),
    ...deleted.map((name) => `- ${name}`),
  ];
  if (created.length + found.length > 0)
    lines.push(
      `New UUIDs: generate the types again (email-platform templates types ${folder} --out <file>), and commit the lock`,
    );
  if (lines.length === 0 && problems.length === 0) lines.push('Nothing to push');
  return linesText(lines);
}

const remedyOf = ({ created, updated, deleted }: TemplatePush): string | undefined =>
  created.length + updated.length + deleted.length === 0
    ? 'Nothing was pushed: run plan for details.'
    : undefined;
