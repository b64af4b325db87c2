/** `email-platform templates dev`: a page that shows templates while they are written. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serveTemplatesOf } from '../testing/emulator/http/templates-door.ts';
import { createEmulator } from '../testing/index.ts';
import { textAt, writeText } from '../entries/templates/files.ts';
import { pathOfTemplate } from '../entries/templates/languages.ts';
import { watchTemplates, type TemplateFolder, type TemplateProblem } from '../entries/templates/index.ts';
import type { Command } from './command.ts';
import { Failure, messageOf } from './failure.ts';
import { edited } from './json-edit.ts';
import { offerPage } from './offer-page.ts';
import type { Surroundings } from './surroundings.ts';
import { linesOf, withProblems } from './templates-problems.ts';
import { isTypeScript, TYPES_EXTENSIONS, writtenTypes } from './templates-types.ts';
import { port, textThat } from './values.ts';

/** Adds the command. */
export function devCommand(templates: Command, surroundings: Surroundings): void {
  const { out, err, ended } = surroundings;
  const command = templates
    .command('dev <folder>')
    .description(
      'Opens a page that shows the templates of a folder, and shows each change of their files at once. Variables can be edited there, and saved in example.json. It needs no account and no network.',
    )
    .usage('<folder> [--out <file>] [--open]');
  const file = command.takes(
    '--out <file>',
    'also generate the file of `templates types` after each change',
    textThat('--out', isTypeScript, `a file with the extension ${TYPES_EXTENSIONS.join(', ')}`),
  );
  const portOption = command.takes('--port <number>', 'the port of the page; 0 picks a free port', port, 0);
  const isOpened = command.allows('--open', 'open the page in the browser; only on a terminal, never in CI');
  command.examples({
    'email-platform templates dev emails --open': 'while you write a template',
    'email-platform templates dev emails --out src/emails.ts': 'with the types of its variables',
  });
  command.action((folder: string) =>
    withProblems(async () => {
      let current: readonly TemplateFolder[] = [];
      let problems: readonly TemplateProblem[] = [];
      const path = file();
      const server = await serveTemplatesOf(createEmulator(), {
        port: portOption(),
        folder,
        read: () => ({ templates: current, problems }),
        save: async (template, example) => {
          const saved = pathOfTemplate(template);
          await saveExample(join(saved, 'example.json'), example);
          // The page shows it at once, before the watcher has read the file.
          current = current.map((one) => (pathOfTemplate(one) === saved ? { ...one, example } : one));
        },
      }).catch((error: unknown) => {
        throw new Failure(`The page could not start: ${messageOf(error)}`);
      });
      let writing = Promise.resolve();
      const watch = watchTemplates({ templates: { replace: (next) => void (current = next) } }, folder, {
        onError: (error) => err(`${linesOf(error.problems)}\n`),
        onChange: (change) => {
          ({ problems } = change);
          server.changed();
          if (path === undefined) return;
          writing = writing.then(() =>
            writtenTypes(folder, path).then(
              (isNew) => {
                if (isNew) out(`${path} was written\n`);
              },
              (error: unknown) => err(`${messageOf(error)}\n`),
            ),
          );
        },
      });
      out(`# The page of ${folder} (Ctrl-C ends it): ${server.browserUrl}\n`);
      offerPage(server.browserUrl, isOpened(), surroundings);
      await ended;
      watch.close();
      await writing;
      await server.close();
    }),
  );
}

/** Writes the variables into the example, and leaves the rest of its text as it is. Refuses a link. */
async function saveExample(path: string, example: Readonly<Record<string, unknown>>): Promise<void> {
  const isThere = (await textAt(path)) !== undefined;
  const before = isThere ? await readFile(path, 'utf8') : undefined;
  const mark = before?.startsWith('\ufeff') ? '\ufeff' : '';
  const text =
    before === undefined
      ? `${JSON.stringify(example, null, 2)}\n`
      : edited(before.slice(mark.length), example);
  await writeText(path, mark + text);
}
