/** `email-platform templates dev`: a page that shows templates while they are written. */
import { printableLines } from '../core/error-text.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../core/record.ts';
import { tried } from '../core/tried.ts';
import type { TemplateConflict } from '../testing/report/data/template-data.ts';
import { serveTemplatesOf, type TemplateSource } from '../testing/emulator/http/templates-door.ts';
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
  command.action((folder: string) => {
    const options = { folder, path: file(), port: portOption(), isOpened: isOpened() };
    return surroundings.thread?.(options) ?? dev(options, surroundings);
  });
}

/** The command's options. */
export interface DevOptions {
  readonly folder: string;
  /** The file of the types. */
  readonly path: string | undefined;
  readonly port: number;
  readonly isOpened: boolean;
}

/** Shows the page until the program should end. */
export async function dev(
  { folder, path, port: number, isOpened }: DevOptions,
  surroundings: Surroundings,
): Promise<void> {
  const { out, err, ended } = surroundings;
  await withProblems(async () => {
    let current: readonly TemplateFolder[] = [];
    let problems: readonly TemplateProblem[] = [];
    let saving: Promise<unknown> = Promise.resolve();
    const save: TemplateSource['save'] = async (template, before, example) => {
      const saved = pathOfTemplate(template);
      const conflict = await saveExample(join(saved, 'example.json'), before, example);
      // The page shows it at once, before the watcher has read the file.
      if (conflict === undefined)
        current = current.map((one) => (pathOfTemplate(one) === saved ? { ...one, example } : one));
      return conflict;
    };
    const server = await serveTemplatesOf(createEmulator(), {
      port: number,
      folder,
      read: () => ({ templates: current, problems }),
      save: (...given) => {
        // One after the other: each compares the file that the one before it has written.
        const saved = saving.then(() => save(...given));
        saving = saved.catch(() => undefined);
        return saved;
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
          writtenTypes(folder, path, change.read).then(
            ({ isNew, left }) => {
              const others = left.length === 0 ? '' : ` without ${printableLines(left.join(', '))}`;
              if (isNew || others !== '') out(`${path} ${isNew ? 'was written' : 'stays'}${others}\n`);
            },
            (error: unknown) => err(`${printableLines(messageOf(error))}\n`),
          ),
        );
      },
    });
    out(`# The page of ${folder} (Ctrl-C ends it): ${server.browserUrl}\n`);
    offerPage(server.browserUrl, isOpened, surroundings);
    await ended;
    watch.close();
    await writing;
    await server.close();
  });
}

/**
 * Writes the variables into the example, and leaves the rest of its text as it is. Returns a file that does not have the
 * values `before`. Refuses a link.
 */
async function saveExample(
  path: string,
  before: unknown,
  example: Readonly<Record<string, unknown>>,
): Promise<TemplateConflict | undefined> {
  const isThere = (await textAt(path)) !== undefined;
  const whole = isThere ? await readFile(path, 'utf8') : '';
  const mark = whole.startsWith('\ufeff') ? '\ufeff' : '';
  const text = whole.slice(mark.length);
  const now = isThere ? tried(() => JSON.parse(text) as unknown) : {};
  if (!isRecord(now))
    return { error: 'example.json is not a JSON object: correct it first', text, example: null };
  if (JSON.stringify(now) !== JSON.stringify(before)) {
    const error = 'example.json has changed: look at both versions, and save again';
    return { error, text: isThere ? text : null, example: now };
  }
  await writeText(path, mark + (isThere ? edited(text, example) : `${JSON.stringify(example, null, 2)}\n`));
  return undefined;
}
