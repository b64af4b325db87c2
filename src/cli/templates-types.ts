/** `email-platform templates types`: generates the file with a function for each template. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname, relative } from 'node:path';
import { readTemplates, templateTypes } from '../templates/index.ts';
import type { Command } from './command.ts';
import { Failure } from './failure.ts';
import type { Surroundings } from './surroundings.ts';
import { withProblems } from './templates-problems.ts';
import { textThat } from './values.ts';

const EXTENSIONS = ['.ts', '.mts', '.cts'];
const isTypeScript = (file: string) => EXTENSIONS.includes(extname(file)) && !/\.d\.[mc]?ts$/.test(file);

/** Adds the command. */
export function typesCommand(templates: Command, { out }: Surroundings): void {
  const command = templates
    .command('types <folder>')
    .description(
      'Generates a TypeScript file with a function for each template of a folder, whose variables the compiler checks. It needs no account and no network.',
    )
    .usage('<folder> --out <file> [--check]');
  const file = command.takes(
    '--out <file>',
    `the file, with the extension ${EXTENSIONS.join(', ')}; commit it`,
    textThat('--out', isTypeScript, `a file with the extension ${EXTENSIONS.join(', ')}`),
  );
  const isChecked = command.allows('--check', 'write nothing, and exit with 1 if the file is stale');
  command.examples({
    'email-platform templates types emails --out src/emails.ts': 'after each change of a template',
    'email-platform templates types emails --out src/emails.ts --check': 'in CI',
  });
  command.action((folder: string) =>
    withProblems(async () => {
      const path = file() ?? command.error('needs --out <file>');
      const read = await readTemplates(folder);
      if (read.length === 0)
        throw new Failure(`${folder} has no templates: each is a folder with template.json`);
      const text = templateTypes(read, {
        from: fromFile(path, folder),
        isCommonJs: extname(path) === '.cts',
      });
      const before = textOf(path);
      if (isChecked() && before !== text)
        throw new Failure(
          `${path} is ${before === undefined ? 'missing' : 'stale'}: npx email-platform templates types ${folder} --out ${path}`,
        );
      if (before !== text) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      }
      out(`${path}: ${read.length === 1 ? '1 template' : `${read.length} templates`}\n`);
    }),
  );
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
