import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { Failure, messageOf } from './failure.ts';

/** Variables of a file that have another value already. */
export interface UnusedVariables {
  readonly file: string;
  readonly names: readonly string[];
}

/**
 * Adds the variables of files. The last file with a variable decides its value. A variable that is set already stays.
 *
 * @returns the variables that are not used, by their files
 */
export function addEnvFiles(
  env: Record<string, string | undefined>,
  files: readonly string[],
): UnusedVariables[] {
  const added = new Map<string, { readonly file: string; readonly value: string | undefined }>();
  for (const file of files)
    for (const [name, value] of Object.entries(variablesIn(file))) added.set(name, { file, value });
  const unused = new Map<string, string[]>();
  for (const [name, { file, value }] of added) {
    env[name] ??= value;
    if (env[name] !== value) unused.set(file, [...(unused.get(file) ?? []), name]);
  }
  return [...unused].map(([file, names]) => ({ file, names: names.sort() }));
}

/** The warning about variables that are not used. Without their values, which may be secrets. */
export const unusedText = ({ file, names }: UnusedVariables): string =>
  names.length === 1
    ? `${names.join('')} of ${file} is not used: the shell has set it to another value\n`
    : `${names.join(', ')} of ${file} are not used: the shell has set them to other values\n`;

function variablesIn(file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Failure(`The file of --env-file cannot be read: ${messageOf(error)}`);
  }
}
