import { lstat, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { templateError } from './errors.ts';

/** The path of a file in a folder, as messages write it on every system. */
export const inside = (folder: string, name: string): string => `${folder.replace(/[\\/]+$/, '')}/${name}`;

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** The entry at a path; undefined if there is none. A link is refused: it leads out of the folder. */
export async function kindAt(path: string): Promise<'file' | 'folder' | undefined> {
  const found = await lstat(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw templateError(path, undefined, `cannot be read: ${(error as Error).message}`, error);
  });
  if (found === undefined) return undefined;
  if (found.isSymbolicLink()) throw templateError(path, undefined, 'is a link: templates are plain files');
  return found.isDirectory() ? 'folder' : 'file';
}

/** The text of a file, with `\n` at the end of lines, whatever the system writes; undefined if there is none. */
export async function textAt(path: string): Promise<string | undefined> {
  const kind = await kindAt(path);
  if (kind === undefined) return undefined;
  if (kind === 'folder') throw templateError(path, undefined, 'is a folder, and should be a file');
  try {
    // A byte order mark is left out.
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path)).replace(/\r\n?/g, '\n');
  } catch (error) {
    const why = error instanceof TypeError ? 'is not UTF-8' : `cannot be read: ${(error as Error).message}`;
    throw templateError(path, undefined, why, error);
  }
}

/** Writes a file as a whole: a process that is killed leaves the one before. Its folder is made if it is missing. */
export async function writeText(path: string, text: string): Promise<void> {
  const [, folder = '.', name = path] = /^(.*)[\\/]([^\\/]+)$/.exec(path) ?? [];
  const draft = inside(folder, `.${name}.draft`);
  try {
    await writeFile(draft, text).catch(async (error: unknown) => {
      if (!isMissing(error)) throw error;
      await mkdir(folder, { recursive: true });
      await writeFile(draft, text);
    });
    await rename(draft, path);
  } catch (error) {
    throw templateError(path, undefined, `cannot be written: ${(error as Error).message}`, error);
  }
}

/** An object in a file of JSON, with its text; undefined if there is no such file. */
export async function objectAt(path: string): Promise<JsonFile | undefined> {
  const text = await textAt(path);
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw templateError(path, lineOfError(error, text), 'is not JSON', error);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw templateError(path, 1, 'must be a JSON object');
  return { path, text, fields: value as Readonly<Record<string, unknown>> };
}

/** A file of JSON. */
export interface JsonFile {
  readonly path: string;
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The line on which a field is named first. */
export function lineOf({ text }: JsonFile, field: string): number {
  const at = text.indexOf(JSON.stringify(field));
  return lineAt(text, Math.max(at, 0));
}

const lineAt = (text: string, position: number) => text.slice(0, position).split('\n').length;

/** Node says the position of what it did not expect, or that the text ends. */
function lineOfError(error: unknown, text: string): number {
  const position = /position (\d+)/.exec((error as Error).message)?.[1];
  return lineAt(text, position === undefined ? text.length : Number(position));
}
