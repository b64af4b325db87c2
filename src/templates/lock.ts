import { templateError } from './errors.ts';
import { inside, lineOf, objectAt } from './files.ts';

/** The file that says which template of an account belongs to which folder. */
export const LOCK_FILE = 'templates.lock.json';

/** A template of an account, as it was seen last. */
export interface LockedTemplate {
  /** Its id; undefined while it is being created. */
  readonly id?: number;
  /** Its UUID; undefined while it is being created. */
  readonly uuid?: string;
}

/** The templates of each account, by the account's id and the name of the folder. */
export type TemplateLock = Readonly<Record<string, Readonly<Record<string, LockedTemplate>>>>;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Reads the lock of a folder of templates. There is none before the first push or pull. */
export async function readLock(folder: string): Promise<TemplateLock> {
  const file = await objectAt(inside(folder, LOCK_FILE));
  if (file === undefined) return {};
  for (const [account, templates] of Object.entries(file.fields)) {
    const fail = (field: string, message: string) => templateError(file.path, lineOf(file, field), message);
    if (!/^[1-9]\d*$/.test(account)) throw fail(account, `"${account}" is not the id of an account`);
    if (!isObject(templates)) throw fail(account, `the templates of account ${account} must be an object`);
    for (const [name, one] of Object.entries(templates)) {
      const uuid = isObject(one) ? one.uuid : null;
      if (uuid === undefined || (typeof uuid === 'string' && UUID.test(uuid))) continue;
      throw fail(name, `the entry of "${name}" needs the template's uuid`);
    }
  }
  return file.fields as TemplateLock;
}

/** A lock as text: sorted, with a line for each template, so that two branches seldom change the same line. */
export function lockText(lock: TemplateLock): string {
  const accounts = Object.keys(lock).sort((one, other) => Number(one) - Number(other));
  const written = accounts.map((account) => {
    const entries = Object.entries(lock[account] ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));
    const lines = entries.map(([name, entry]) => `    ${JSON.stringify(name)}: ${JSON.stringify(entry)}`);
    return `  ${JSON.stringify(account)}: {\n${lines.join(',\n')}\n  }`;
  });
  return written.length === 0 ? '{}\n' : `{\n${written.join(',\n')}\n}\n`;
}
