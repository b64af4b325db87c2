/** `email-platform templates`: generates types of variables, renders templates, and compares them with the service. */
import type { Command } from './command.ts';
import type { Surroundings } from './surroundings.ts';
import { checkCommand } from './templates-check.ts';
import { devCommand } from './templates-dev.ts';
import { planCommand } from './templates-plan.ts';
import { pullCommand } from './templates-pull.ts';
import { pushCommand } from './templates-push.ts';
import { renderCommand } from './templates-render.ts';
import { typesCommand } from './templates-types.ts';

/** Adds the command. */
export function templatesCommand(program: Command, surroundings: Surroundings): void {
  const templates = program
    .command('templates')
    .description(
      'Templates as files: types of their variables, a preview of the email, and push and pull with the service.',
    )
    .usage('<command> [options]')
    .helpCommand(false);
  devCommand(templates, surroundings);
  typesCommand(templates, surroundings);
  renderCommand(templates, surroundings);
  pullCommand(templates, surroundings);
  planCommand(templates, surroundings);
  pushCommand(templates, surroundings);
  checkCommand(templates, surroundings);
  templates.examples({
    'email-platform templates dev emails --open': 'while you write them',
    'email-platform templates types emails --out src/emails.ts': 'after each change of a template',
    'email-platform templates render emails/receipt --out receipt.html': 'a preview of the email',
    'email-platform templates pull emails --env-file .env': 'the templates of the account, as files',
    'email-platform templates plan emails --env-file .env': 'what a push would change',
  });
}
