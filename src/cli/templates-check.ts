/** `email-platform templates check`: checks that the hosted templates accept the variables that the code passes. */
import { checkTemplates, type TemplateCheck, type TemplateFinding } from '../entries/templates/index.ts';
import type { Command } from './command.ts';
import { Failure } from './failure.ts';
import type { Surroundings } from './surroundings.ts';
import { linesText, syncCommand, templatesText } from './templates-service.ts';

/** Adds the command. */
export const checkCommand = (templates: Command, surroundings: Surroundings): void =>
  syncCommand(templates, surroundings, {
    name: 'check',
    description:
      'Checks that the templates in the service still accept the variables that the code passes: shows which variable is new, gone or newly required there. It changes nothing.',
    examples: { 'email-platform templates check emails': 'in CI, and before a deployment' },
    run: (client, folder, { only, signal }) => checkTemplates(client, folder, { only, signal }),
    textOf: checkText,
    judge: (check) => {
      const failure = failureText(check);
      if (failure !== undefined) throw new Failure(failure);
    },
  });

/** The reason for exit code 1, and the remedy: one for each kind of failure. */
function failureText({ findings }: TemplateCheck): string | undefined {
  const failed = (...kinds: readonly TemplateFinding['kind'][]) =>
    new Set(findings.filter((one) => one.isFailure && kinds.includes(one.kind)).map(({ folder }) => folder))
      .size;
  const [differing, broken, deleted, unpushed] = [
    failed('new', 'gone', 'required'),
    failed('broken'),
    failed('deleted'),
    failed('unpushed'),
  ];
  const texts = [
    ...(differing === 0
      ? []
      : [
          `${templatesText(differing)} in the service would not render with the variables that the code passes: pull, generate the types, and compile to find the places`,
        ]),
    ...(broken === 0
      ? []
      : [`${templatesText(broken)} cannot be rendered: emails with ${itOf(broken)} are refused`]),
    ...(deleted === 0
      ? []
      : [`${templatesText(deleted)} not in the service: emails with ${itOf(deleted)} are refused`]),
    ...(unpushed === 0
      ? []
      : [`${templatesText(unpushed)} never pushed to the account: push, and generate the types again`]),
  ];
  return texts.length === 0 ? undefined : texts.join('\n');
}

const itOf = (count: number) => (count === 1 ? 'it' : 'them');

function checkText({ checked, findings }: TemplateCheck): string {
  const lines = findings.map(
    ({ folder, message, isFailure }) => `${isFailure ? '✗' : '·'} ${folder}: ${message}`,
  );
  if (findings.every(({ isFailure }) => !isFailure)) lines.push(`${templatesText(checked)} checked`);
  return linesText(lines);
}
