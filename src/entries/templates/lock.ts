import { isRecord } from '../../core/record.ts';
import { templateError } from './errors.ts';
import { inside, lineOf, objectAt, writeText } from './files.ts';
import { TEMPLATE_PARTS, type TemplatePart } from './parts.ts';

/** The file that maps folders to templates of an account. */
export const LOCK_FILE = 'templates.lock.json';

/** The state of a template that files and service last had in common. */
export interface LockedTemplate {
  /** Its id; undefined while it is being created. */
  readonly id?: number;
  /** Its UUID; undefined while it is being created. */
  readonly uuid?: string;
  /** The hash of each part that files and service had in common; null for a missing body. */
  readonly parts?: Readonly<Partial<Record<TemplatePart, string | null>>>;
  /** Time of the last change in the service, as an ISO 8601 date-time. */
  readonly updated_at?: string;
  /** During the creation: the highest id in the account before it. */
  readonly createdAfter?: number;
}

/** The templates of each account, by the account's id and the name of the folder. */
export type TemplateLock = Readonly<Record<string, Readonly<Record<string, LockedTemplate>>>>;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const isId = (value: unknown) => value === undefined || (Number.isSafeInteger(value) && Number(value) >= 0);
const isText = (value: unknown) => value === undefined || typeof value === 'string';
const isParts = (value: unknown) =>
  value === undefined ||
  (isRecord(value) && TEMPLATE_PARTS.every((part) => value[part] === null || isText(value[part])));

/** True if a name is a folder of a template, or of a language in it: a path that stays inside on every system. */
const isFolder = (name: string) => {
  const steps = name.split('/');
  return steps.length <= 2 && steps.every(isStep);
};
const isStep = (name: string) => name !== '' && !name.startsWith('.') && !/[\\/:\0]/.test(name);

/** The problem of an entry; undefined if there is none. */
function problemOf(entry: unknown): string | undefined {
  if (!isRecord(entry)) return 'must be an object';
  const { id, uuid, parts, updated_at: updatedAt, createdAfter } = entry;
  if (!(uuid === undefined && id === undefined) && !(typeof uuid === 'string' && UUID.test(uuid)))
    return "needs the template's uuid";
  if (!isId(id) || !isId(createdAfter)) return 'has an id that is not a whole number';
  return isParts(parts) && isText(updatedAt)
    ? undefined
    : 'has a form that `templates push` does not write: pull again';
}

const LOCK_CONFLICT =
  'has a merge conflict of git: keep the lines of either side, and run pull, which finds the templates of the other';

/** Reads the lock of a folder of templates. Empty before the first push or pull. */
export async function readLock(folder: string): Promise<TemplateLock> {
  const file = await objectAt(inside(folder, LOCK_FILE), LOCK_CONFLICT);
  if (file === undefined) return {};
  for (const [account, templates] of Object.entries(file.fields)) {
    const fail = (field: string, message: string) => templateError(file.path, lineOf(file, field), message);
    if (!/^[1-9]\d*$/.test(account)) throw fail(account, `"${account}" is not the id of an account`);
    if (!isRecord(templates)) throw fail(account, `the templates of account ${account} must be an object`);
    const folders = new Map<unknown, string>();
    for (const [name, entry] of Object.entries(templates)) {
      const problem = isFolder(name) ? problemOf(entry) : 'is not the name of a folder';
      if (problem !== undefined) throw fail(name, `the entry of "${name}" ${problem}`);
      const { id } = entry as LockedTemplate;
      const other = id === undefined ? undefined : folders.get(id);
      if (other !== undefined) throw fail(name, `"${name}" and "${other}" are the same template, ${id}`);
      folders.set(id, name);
    }
  }
  return file.fields as TemplateLock;
}

/** The lock's text: sorted, with one line for each template, so that two branches seldom change the same line. */
export function lockText(lock: TemplateLock): string {
  const accounts = Object.keys(lock).sort((one, other) => Number(one) - Number(other));
  const written = accounts.map((account) => {
    const entries = Object.entries(lock[account] ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));
    const lines = entries.map(([name, entry]) => `    ${JSON.stringify(name)}: ${JSON.stringify(entry)}`);
    return lines.length === 0
      ? `  ${JSON.stringify(account)}: {}`
      : `  ${JSON.stringify(account)}: {\n${lines.join(',\n')}\n  }`;
  });
  return written.length === 0 ? '{}\n' : `{\n${written.join(',\n')}\n}\n`;
}

/** The entries of one account. `save` writes changes to the file. */
export class AccountLock {
  readonly #folder: string;
  readonly #account: string;
  readonly #lock: TemplateLock;
  #written: string;
  /** The entries, by the name of the folder. */
  readonly entries: Map<string, LockedTemplate>;

  constructor(folder: string, accountId: number, lock: TemplateLock) {
    this.#folder = folder;
    this.#account = String(accountId);
    this.#lock = lock;
    this.entries = new Map(Object.entries(lock[this.#account] ?? {}));
    this.#written = lockText(lock);
  }

  /** Writes the file if an entry has changed. */
  async save(): Promise<void> {
    const entries = Object.fromEntries(this.entries);
    const text = lockText({ ...this.#lock, [this.#account]: entries });
    if (text === this.#written) return;
    await writeText(inside(this.#folder, LOCK_FILE), text);
    this.#written = text;
  }
}
