/** `email-platform templates check`: checks that the hosted templates accept the variables that the code passes. */
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
    'Checks that the templates in the service still accept the variables that the code passes: shows which variable is new, gone or newly required there. It changes nothing.',
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
          `${templatesText(failed.size)} in the service would not render with the variables that the code passes: pull, generate the types, and compile to find the places`,
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
