import { lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { refuse, stringRule } from '../../core/rules.ts';
import { templateError } from './errors.ts';

/** The path of a file in a folder, in the same form on every system. */
export const inside = (folder: string, name: string): string => `${folder.replace(/[\\/]+$/, '')}/${name}`;

/** The path of the folder that a folder is in. */
export function folderAbove(path: string): string {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return at < 0 ? '.' : path.slice(0, Math.max(at, 1));
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** The kind of entry at a path; undefined if there is none. Refuses a link, because it leads out of the folder. */
export async function kindAt(path: string): Promise<'file' | 'folder' | undefined> {
  refuse('folder', stringRule(path) && "must be the path of a folder, such as 'emails'");
  const entry = await lstat(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw templateError(path, undefined, `cannot be read: ${(error as Error).message}`, error);
  });
  if (entry === undefined) return undefined;
  if (entry.isSymbolicLink()) throw templateError(path, undefined, 'is a link: templates are plain files');
  return entry.isDirectory() ? 'folder' : 'file';
}

/** The text of a file, with line ends converted to `\n`; undefined if there is no file. */
export async function textAt(path: string): Promise<string | undefined> {
  const kind = await kindAt(path);
  if (kind === undefined) return undefined;
  if (kind === 'folder') throw templateError(path, undefined, 'must be a file, but is a folder');
  try {
    // The decoder removes a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path)).replace(/\r\n?/g, '\n');
  } catch (error) {
    const why = error instanceof TypeError ? 'is not UTF-8' : `cannot be read: ${(error as Error).message}`;
    throw templateError(path, undefined, why, error);
  }
}

/** Writes a file in one step: if the process is killed, the earlier file stays. Creates its folder if it is missing. */
export async function writeText(path: string, text: string): Promise<void> {
  const [, folder = '.', name = path] = /^(.*)[\\/]([^\\/]+)$/.exec(path) ?? [];
  const draft = inside(folder, `.${name}.draft`);
  try {
    await mkdir(folder, { recursive: true });
    // Removes what is there and writes exclusively: a link at this name would lead the text to another file.
    await rm(draft, { recursive: true, force: true });
    await writeFile(draft, text, { flag: 'wx' });
    await rename(draft, path);
  } catch (error) {
    throw templateError(path, undefined, `cannot be written: ${(error as Error).message}`, error);
  }
}

/** The line of the first mark of a merge conflict of git; undefined if a text has none. */
export function conflictLine(text: string): number | undefined {
  const at = text.search(/^(<{7}|>{7}) /m);
  return at < 0 ? undefined : lineAt(text, at);
}

/** The problem of a file with a merge conflict. */
export const CONFLICT = 'has a merge conflict of git';

/**
 * Reads the object in a JSON file, with its text; undefined if there is no such file.
 *
 * @param inConflict - the message for a file with a merge conflict
 */
export async function objectAt(path: string, inConflict = CONFLICT): Promise<JsonFile | undefined> {
  const text = await textAt(path);
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const conflict = conflictLine(text);
    if (conflict !== undefined) throw templateError(path, conflict, inConflict, error);
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

/** The line with the first mention of a field. */
export function lineOf({ text }: JsonFile, field: string): number {
  const at = text.indexOf(JSON.stringify(field));
  return lineAt(text, Math.max(at, 0));
}

const lineAt = (text: string, position: number) => text.slice(0, position).split('\n').length;

/** The line of a JSON error: the position in Node's message, or the end of the text. */
function lineOfError(error: unknown, text: string): number {
  const position = /position (\d+)/.exec((error as Error).message)?.[1];
  return lineAt(text, position === undefined ? text.length : Number(position));
}
