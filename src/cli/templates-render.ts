/** `email-platform templates render`: renders an email from its template. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { readTemplate, renderTemplate } from '../entries/templates/index.ts';
import type { Command } from './command.ts';
import { Failure, messageOf } from './failure.ts';
import type { Surroundings } from './surroundings.ts';
import { linesText } from './templates-service.ts';
import { withProblems } from './templates-problems.ts';
import { text } from './values.ts';

const EXAMPLE = 'example.json';

/** Adds the command. */
export function renderCommand(templates: Command, { out, err, isTerminal }: Surroundings): void {
  const command = templates
    .command('render <template>')
    .description(
      'Renders a template as the service does: its HTML, or its text without HTML. The subject, missing variables and unused variables are on standard error.',
    )
    .usage('<folder of the template> [--data <file>] [--out <file>]');
  const data = command.takes(
    '--data <file>',
    'the variables, as JSON; looked up here, and then in the folder of the template',
    text,
    EXAMPLE,
  );
  const isNamed = () => command.getOptionValueSource('data') === 'cli';
  const file = command.takes(
    '--out <file>',
    'write the email into a file instead of standard output: a file .txt is its text',
    text,
  );
  command.examples({
    'email-platform templates render emails/receipt --data example.json --out receipt.html':
      'with the example of the template',
    'email-platform templates render emails/receipt --out receipt.txt': 'the plain text',
  });
  command.action((folder: string) =>
    withProblems(async () => {
      const template = await readTemplate(folder);
      const {
        subject,
        html,
        text: plain,
        missing,
        unused,
      } = renderTemplate(template, variablesIn(data(), folder, template.folder.includes('/'), isNamed()));
      const path = file();
      const isText = path !== undefined && extname(path) === '.txt';
      const body = isText ? plain : (html ?? plain);
      if (body === null)
        throw new Failure(`${folder} has no ${isText ? 'body.txt' : 'body.html and no body.txt'}`);
      if (path === undefined) out(isTerminal.out ? inTerminal(body) : body);
      else {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, body);
      }
      err(
        linesText([
          `Subject: ${subject}`,
          ...(missing.length > 0 ? [`Missing: ${missing.join(', ')}`] : []),
          ...(unused.length > 0 ? [`Unused: ${unused.join(', ')}`] : []),
        ]),
      );
    }),
  );
}

/** A body without the characters that a terminal obeys, but with its lines. */
const inTerminal = (body: string) => body.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, '');

function variablesIn(
  file: string,
  folder: string,
  isLanguage: boolean,
  isNamed: boolean,
): Readonly<Record<string, unknown>> {
  // The languages of a template share the example in the folder above.
  const places = [file, join(folder, file), ...(isLanguage ? [join(folder, '..', file)] : [])];
  const path = places.find((one) => existsSync(one));
  // A template without variables needs no example.
  if (path === undefined && !isNamed) return {};
  if (path === undefined) throw new Failure(`There is no ${file}: looked here and in ${folder}`);
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(path, 'utf8').replace(/^\ufeff/, ''));
  } catch (error) {
    throw new Failure(`${path} is not JSON: ${messageOf(error)}`);
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw new Failure(`${path} must be a JSON object`);
  return read as Readonly<Record<string, unknown>>;
}
