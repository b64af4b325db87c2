import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { Failure, messageOf } from './failure.ts';

/**
 * Adds the variables of files. The last file with a variable decides its value. A variable that is set already stays.
 */
export function addEnvFiles(env: Record<string, string | undefined>, files: readonly string[]): void {
  const added = Object.assign({}, ...files.map(variablesIn)) as NodeJS.Dict<string>;
  for (const [name, value] of Object.entries(added)) env[name] ??= value;
}

function variablesIn(file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Failure(`The file of --env-file cannot be read: ${messageOf(error)}`);
  }
}
