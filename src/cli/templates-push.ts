/** `email-platform templates push`: sends the files of templates to the service. */
import { pushTemplates, type TemplatePush } from '../entries/templates/index.ts';
import type { Command } from './command.ts';
import { shortLine } from './short-line.ts';
import { progressOf } from './progress.ts';
import type { Surroundings } from './surroundings.ts';
import {
  deleteOption,
  failWith,
  jsonOption,
  jsonText,
  linesText,
  onlyOption,
  overwriteOption,
  serviceCommand,
  withClient,
} from './templates-service.ts';

/** Adds the command. */
export function pushCommand(templates: Command, surroundings: Surroundings): void {
  const command = serviceCommand(
    templates,
    'push',
    'Creates and changes templates in the service to match the files, without a question. If a template was changed on both sides, it changes nothing at all, unless --overwrite names the template.',
    '[--overwrite <template>] [--delete <template>] [--only <template>] [--json]',
  );
  const overwrite = overwriteOption(
    command,
    'replace a template that was changed in the service, or create it again if it was deleted there',
  );
  const deleted = deleteOption(command, 'delete a template in the service whose folder is gone');
  const only = onlyOption(command);
  const isJson = jsonOption(command);
  command.examples({
    'email-platform templates push emails --env-file .env': 'after a look at the plan',
    'email-platform templates push emails --overwrite invite': 'the files are right, not the service',
    'email-platform templates push emails --delete old': 'the folder is gone, and the template goes',
  });
  command.action((folder: string) =>
    withClient(surroundings, async (client, signal) => {
      const progress = progressOf(surroundings);
      let result: TemplatePush;
      try {
        result = await pushTemplates(client, folder, {
          overwrite: overwrite(),
          delete: deleted(),
          only: only(),
          signal,
          onProgress: ({ done, total, folder: name }) =>
            progress.say(shortLine(`${done} of ${total}: ${name}`, 200)),
        });
      } finally {
        progress.end();
      }
      surroundings.out(isJson() ? jsonText(result) : pushText(result, folder));
      failWith(result.problems, remedyOf(result));
    }),
  );
}

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
