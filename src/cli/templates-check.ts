/** `email-platform templates check`: whether the hosted templates take what the code passes. */
import { checkTemplates, type TemplateCheck } from '../templates/index.ts';
import type { Command } from './command.ts';
import { Failure } from './failure.ts';
import { printable } from './printable.ts';
import type { Surroundings } from './surroundings.ts';
import { jsonOption, serviceCommand, templatesText, withClient } from './templates-service.ts';

const SHOWN_BYTES = 400;

/** Adds the command. */
export function checkCommand(templates: Command, surroundings: Surroundings): void {
  const command = serviceCommand(
    templates,
    'check',
    'Says whether the templates in the service still take what the code passes: which variable is new, gone or became required there. It changes nothing.',
    '[--json]',
  );
  const isJson = jsonOption(command);
  command.examples({
    'email-platform templates check emails': 'in CI, and before a deployment',
  });
  command.action((folder: string) =>
    withClient(surroundings, async (client, signal) => {
      const check = await checkTemplates(client, folder, { signal });
      surroundings.out(isJson() ? `${JSON.stringify(check)}\n` : checkText(check));
      const failed = new Set(check.findings.flatMap((one) => (one.isFailure ? [one.folder] : [])));
      if (failed.size > 0)
        throw new Failure(
          `${templatesText(failed.size)} in the service would not render what the code passes: pull, generate the types, and let the compiler say where`,
        );
    }),
  );
}

function checkText({ checked, findings }: TemplateCheck): string {
  const lines = findings.map(({ folder, message, isFailure }) =>
    printable(`${isFailure ? '✗' : '·'} ${folder}: ${message}`, SHOWN_BYTES),
  );
  if (findings.every(({ isFailure }) => !isFailure)) lines.push(`${templatesText(checked)} checked`);
  return `${lines.join('\n')}\n`;
}
