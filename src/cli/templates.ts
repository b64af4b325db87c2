/** `email-platform templates`: types of the variables of templates, and rendering one. */
import type { Command } from './command.ts';
import type { Surroundings } from './surroundings.ts';
import { renderCommand } from './templates-render.ts';
import { typesCommand } from './templates-types.ts';

/** Adds the command. */
export function templatesCommand(program: Command, surroundings: Surroundings): void {
  const templates = program
    .command('templates')
    .description('Templates as files: types of their variables, and a look at the email.')
    .usage('<command> [options]')
    .helpCommand(false);
  typesCommand(templates, surroundings);
  renderCommand(templates, surroundings);
  templates.examples({
    'email-platform templates types emails --out src/emails.ts': 'after each change of a template',
    'email-platform templates render emails/receipt --out receipt.html': 'a look at the email',
  });
}
