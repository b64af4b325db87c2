import { mkdir, rename, rm, rmdir } from 'node:fs/promises';
import type { Template } from '../resources/templates/types.ts';
import { readSides } from './account.ts';
import type { TemplatesClient } from './client.ts';
import { commonParts, compared, partsChangedBy, recorded, twinsText, type Compared } from './compare.ts';
import { templateError, type TemplateProblem } from './errors.ts';
import { inside, kindAt, objectAt, writeText } from './files.ts';
import type { AccountLock } from './lock.ts';
import { folderNameOf } from './names.ts';
import {
  eachPart,
  hashesOf,
  hashOf,
  isSame,
  partsOfFiles,
  partsOfHosted,
  TEMPLATE_PARTS,
  type Parts,
  type TemplatePart,
} from './parts.ts';
import { checkNames } from './plan.ts';

/** Options of {@link pullTemplates}. */
export interface TemplatePullOptions {
  /** Folders of templates whose files are replaced by what the service has, also where they were edited. */
  readonly overwrite?: readonly string[] | undefined;
  /** Folders that are deleted, since their templates were deleted in the service. */
  readonly delete?: readonly string[] | undefined;
  /** Ends the call when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of a pull. */
export interface TemplatePull {
  /** The account. */
  readonly accountId: number;
  /** Folders that were made. */
  readonly created: readonly string[];
  /** Folders whose files were changed. */
  readonly updated: readonly string[];
  /** Folders that were deleted. */
  readonly deleted: readonly string[];
  /** Parts that were left alone, with the reason: such as files that were edited, and changed in the service too. */
  readonly problems: readonly TemplateProblem[];
}

/**
 * Writes the templates of an account into a folder: those that are in no folder yet, and each part that was changed in the
 * service alone. A file that was edited is only replaced if `overwrite` names its folder. One request, and one more where
 * the client has no `accountId`.
 *
 * @param client - The client; the account is its `accountId`, or else the only one that its token can see.
 * @param folder - The path of the folder, which is made if it is missing. Its `templates.lock.json` is written.
 * @throws {@link TemplateError} for files that cannot be read or written, `ConfigurationError` for an account that is
 * not clear, `AuthenticationError`, `PermissionDeniedError`, `RateLimitError`
 */
export async function pullTemplates(
  client: TemplatesClient,
  folder: string,
  options: TemplatePullOptions = {},
): Promise<TemplatePull> {
  const { accountId, lock, comparison } = await readSides(client, folder, options.signal, {
    mayBeMissing: true,
  });
  checkNames(folder, comparison, options);
  const pull = new Pull(folder, lock, options);
  const templates = withTakenOver(comparison.templates, comparison.unlocked);
  for (const template of templates) await pull.one(template);
  const taken = new Set(templates.map((one) => one.folder.toLowerCase()));
  const known = new Set(templates.map(({ hosted }) => hosted));
  for (const hosted of [...comparison.unlocked].sort((one, other) => one.id - other.id)) {
    if (known.has(hosted)) continue;
    const name = await freeName(folder, hosted, taken);
    taken.add(name);
    await pull.make(name, hosted);
  }
  await pull.publish();
  return { accountId, ...pull.done, problems: pull.problems };
}

/**
 * Gives folders that were never pushed the template of the account that has their name, if there is just one: the files may be
 * older than the lock. Parts that differ may be a change of either side, and so are left alone.
 */
function withTakenOver(templates: readonly Compared[], unlocked: readonly Template[]): Compared[] {
  const taken = new Set<Template>();
  return templates.map((template) => {
    const { folder, files, hosted, entry, twins } = template;
    if (files === undefined || hosted !== undefined || entry !== undefined || twins.length > 0)
      return template;
    const own = partsOfFiles(files);
    const named = unlocked.filter((one) => one.name === files.name && !taken.has(one));
    const equal = named.find((one) => isSame(partsOfHosted(one), own));
    const [first, ...others] = named;
    const found = equal ?? (others.length === 0 ? first : undefined);
    if (found === undefined) return template;
    taken.add(found);
    return compared(folder, files, found, recorded(found));
  });
}

/** A name for the folder of a template, which no other has, also where letters of both sizes are the same. */
async function freeName(folder: string, { id, name }: Template, taken: ReadonlySet<string>): Promise<string> {
  const own = folderNameOf(name, id);
  for (const one of [own, `${own}-${id}`, `template-${id}`]) {
    if (!taken.has(one) && (await kindAt(inside(folder, one))) === undefined) return one;
  }
  throw templateError(inside(folder, own), undefined, `there is no free name for template ${id}`);
}

class Pull {
  readonly problems: TemplateProblem[] = [];
  readonly done = { created: [] as string[], updated: [] as string[], deleted: [] as string[] };
  readonly #folder: string;
  readonly #lock: AccountLock;
  readonly #options: TemplatePullOptions;

  constructor(folder: string, lock: AccountLock, options: TemplatePullOptions) {
    this.#folder = folder;
    this.#lock = lock;
    this.#options = options;
  }

  /** Takes what the service has of one template. */
  async one(template: Compared): Promise<void> {
    const { folder, files, hosted, entry, twins } = template;
    const { entries } = this.#lock;
    if (twins.length > 0) this.#report(folder, twinsText(twins));
    else if (hosted === undefined) {
      if (files === undefined) entries.delete(folder);
      else if (entry?.id !== undefined) await this.#gone(folder);
    } else if (files === undefined) await this.make(folder, hosted);
    else await this.#merge(template, hosted, partsOfFiles(files));
  }

  /** Makes the folder of a template, under a name that is not read: {@link publish} gives it its own. */
  async make(name: string, hosted: Template): Promise<void> {
    const parts = partsOfHosted(hosted);
    const blank = FIELDS.filter((part) => (parts[part] ?? '').trim() === '');
    if (blank.length > 0) {
      this.#report(name, `template ${hosted.id} has no ${blank.join(', ')} in the service`);
      return;
    }
    const draft = this.#draftOf(name);
    try {
      await rm(draft, { recursive: true, force: true });
      await mkdir(draft, { recursive: true });
      for (const file of filesOf(TEMPLATE_PARTS)) await write(draft, file, parts);
    } catch (error) {
      throw templateError(draft, undefined, `cannot be written: ${(error as Error).message}`, error);
    }
    this.#lock.entries.set(name, recorded(hosted, hashesOf(parts)));
    this.done.created.push(name);
  }

  /**
   * Writes the lock, and then the names of the folders that were made. A process that is killed leaves no folder that is half
   * there, and none that is not in the lock: that would be a new template to the next push.
   */
  async publish(): Promise<void> {
    await this.#lock.save();
    for (const name of this.done.created) {
      const path = inside(this.#folder, name);
      await rename(this.#draftOf(name), path).catch((error: unknown) => {
        throw templateError(path, undefined, `cannot be written: ${(error as Error).message}`, error);
      });
    }
  }

  #draftOf = (name: string) => inside(this.#folder, `.${name}.draft`);

  async #merge(template: Compared, hosted: Template, own: Parts): Promise<void> {
    const { folder } = template;
    const isOverwritten = this.#options.overwrite?.includes(folder) === true;
    const changed = isOverwritten ? (['files', 'service', 'both'] as const) : (['service'] as const);
    const parts = partsChangedBy(template, ...changed);
    const theirs = partsOfHosted(hosted);
    const common = { ...commonParts(template) };
    const taken = eachPart((part) => (parts.includes(part) ? theirs : own)[part]);
    for (const file of filesOf(parts)) await write(inside(this.#folder, folder), file, taken);
    for (const part of parts) common[part] = hashOf(theirs[part]);
    this.#lock.entries.set(folder, recorded(hosted, common));
    if (parts.length > 0) this.done.updated.push(folder);
    const left = isOverwritten ? [] : partsChangedBy(template, 'both');
    if (left.length > 0)
      this.#report(
        folder,
        `${left.join(', ')} changed in the service since the last pull, and in the files: left alone`,
      );
  }

  async #gone(folder: string): Promise<void> {
    if (this.#options.delete?.includes(folder) !== true) {
      this.#report(
        folder,
        `was deleted in the service: pull --delete ${folder} deletes the folder, push --overwrite ${folder} creates the template again`,
      );
      return;
    }
    const path = inside(this.#folder, folder);
    for (const file of ['example.json', ...filesOf(TEMPLATE_PARTS)])
      await rm(inside(path, file), { force: true });
    // Other files in it stay, and so does the folder.
    await rmdir(path).catch(() => undefined);
    this.#lock.entries.delete(folder);
    await this.#lock.save();
    this.done.deleted.push(folder);
  }

  #report(folder: string, message: string): void {
    this.problems.push({ file: inside(this.#folder, folder), line: undefined, message });
  }
}

/** The parts that a template must have. */
const FIELDS = ['name', 'subject', 'category'] as const;

type FileName = 'template.json' | 'body.html' | 'body.txt';

/** The files that hold parts; `template.json` last, since a folder without it is not read. */
function filesOf(parts: readonly TemplatePart[]): FileName[] {
  const bodies = { html: 'body.html', text: 'body.txt' } as const;
  const files = parts.map((part) => (part === 'html' || part === 'text' ? bodies[part] : 'template.json'));
  return [...new Set<FileName>(files)].sort();
}

/** Writes a file with the parts that it holds. Other fields of `template.json` stay. */
async function write(folder: string, file: FileName, { html, text, ...fields }: Parts): Promise<void> {
  const path = inside(folder, file);
  if (file === 'template.json') {
    const before = await objectAt(path);
    await writeText(path, `${JSON.stringify({ ...before?.fields, ...fields }, null, 2)}\n`);
    return;
  }
  const body = file === 'body.html' ? html : text;
  if (body === null) await rm(path, { force: true });
  else await writeText(path, body);
}
