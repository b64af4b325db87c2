/** `email-platform templates types`: generates the file with a function for each template. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname, relative } from 'node:path';
import { typesOfFolder, type TemplateWatchChange } from '../entries/templates/index.ts';
import type { Command } from './command.ts';
import { Failure } from './failure.ts';
import type { Surroundings } from './surroundings.ts';
import { linesOf, withProblems } from './templates-problems.ts';
import { onlyOption, templatesText } from './templates-service.ts';
import { textThat } from './values.ts';

export const TYPES_EXTENSIONS = ['.ts', '.mts', '.cts'];
export const isTypeScript = (file: string): boolean =>
  TYPES_EXTENSIONS.includes(extname(file)) && !/\.d\.[mc]?ts$/.test(file);

/** Adds the command. */
export function typesCommand(templates: Command, { out, err }: Surroundings): void {
  const command = templates
    .command('types <folder>')
    .description(
      'Generates a TypeScript file with a function for each template of a folder, whose variables the compiler checks. It needs no account and no network.',
    )
    .usage('<folder> --out <file> [--only <template>] [--check]');
  const file = command.takes(
    '--out <file>',
    `the file, with the extension ${TYPES_EXTENSIONS.join(', ')}; commit it`,
    textThat('--out', isTypeScript, `a file with the extension ${TYPES_EXTENSIONS.join(', ')}`),
  );
  const only = onlyOption(command);
  const isChecked = command.allows('--check', 'write nothing, and exit with 1 if the file is stale');
  command.examples({
    'email-platform templates types emails --out src/emails.ts': 'after each change of a template',
    'email-platform templates types emails --out src/emails.ts --check': 'in CI',
  });
  command.action((folder: string) =>
    withProblems(async () => {
      const path = file() ?? command.error('needs --out <file>');
      const { text, count, problems, notes } = await typesOfFolder(folder, {
        only: only(),
        from: fromFile(path, folder),
        isCommonJs: extname(path) === '.cts',
      });
      if (count === 0 && problems.length === 0)
        throw new Failure(`${folder} has no templates: each is a folder with template.json`);
      const before = textOf(path);
      // One template with a problem does not keep the others from their types.
      const isUsable = count > 0 && before !== text;
      if (isUsable && !isChecked()) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      }
      const stale = `${path} is ${before === undefined ? 'missing' : 'stale'}: npx email-platform templates types ${folder} --out ${path}`;
      const failures = [
        ...(problems.length === 0 ? [] : [linesOf(problems)]),
        ...(isUsable && isChecked() ? [stale] : []),
      ];
      const others = problems.length === 0 ? '' : ', without those with errors';
      if (count > 0 && !isChecked()) out(`${path}: ${templatesText(count)}${others}\n`);
      if (notes.length > 0) err(`${linesOf(notes)}\n`);
      if (failures.length > 0) throw new Failure(failures.join('\n'));
      if (isChecked()) out(`${path}: ${templatesText(count)}\n`);
    }),
  );
}

/**
 * Generates the file with the templates that have no problem, which a watch may have read. Returns whether it changed, and the
 * folders of the others.
 */
export async function writtenTypes(
  folder: string,
  path: string,
  read?: TemplateWatchChange['read'],
): Promise<{ isNew: boolean; left: readonly string[] }> {
  const isCommonJs = extname(path) === '.cts';
  const options = { from: fromFile(path, folder), isCommonJs, read };
  const { text, count, problems } = await typesOfFolder(folder, options);
  if (count === 0) return { isNew: false, left: [] };
  const left = [...new Set(problems.map(({ file }) => relative(folder, file).split(/[\\/]/, 1).join('')))];
  if (textOf(path) === text) return { isNew: false, left };
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return { isNew: true, left };
}

/**
 * The text of the generated file; undefined if there is none. Git may have changed its line ends to those of Windows.
 */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The path of a folder, relative to a file, so that it does not depend on the current folder. */
function fromFile(file: string, folder: string): string {
  const path = relative(dirname(file), folder).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}
