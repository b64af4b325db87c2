import { mkdir, rename, rm, rmdir } from 'node:fs/promises';
import type { Template } from '../../resources/templates/types.ts';
import { readSides } from './account.ts';
import type { TemplatesClient } from './client.ts';
import {
  commonParts,
  conflictOf,
  deletedText,
  duplicatesText,
  partsChangedBy,
  recorded,
  takenOver,
  type Compared,
} from './compare.ts';
import { templateError, type TemplateProblem } from './errors.ts';
import { inside, kindAt, objectAt, writeText } from './files.ts';
import { fallbackOf } from '../../core/locale.ts';
import { languageOf, nameOfLanguage, templateOf, undeclaredText, type Languages } from './languages.ts';
import type { TemplateFolder } from './types.ts';
import type { AccountLock } from './lock.ts';
import { folderNameOf } from './names.ts';
import {
  eachPart,
  hashesOf,
  hashOf,
  partsOfFiles,
  partsOfHosted,
  TEMPLATE_PARTS,
  type Parts,
  type TemplatePart,
} from './parts.ts';
import { checkNames } from './plan.ts';
import { renameVariables, type TemplateVariableRename } from './renamed.ts';

/** Options of {@link pullTemplates}. */
export interface TemplatePullOptions {
  /**
   * Names of templates, or of their folders, with `*` for any text and `?` for one character. The others stay as they
   * are.
   *
   * @defaultValue all that `ignore` in `templates.config.json` does not name
   */
  readonly only?: readonly string[] | undefined;
  /** Folders of templates whose files are replaced by the service's state, also edited files. */
  readonly overwrite?: readonly string[] | undefined;
  /** Folders to delete because their templates were deleted in the service. */
  readonly delete?: readonly string[] | undefined;
  /** Ends the call when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of a pull. */
export interface TemplatePull {
  /** The account. */
  readonly accountId: number;
  /** Created folders. */
  readonly created: readonly string[];
  /** Folders whose templates were found in the account by their names. */
  readonly found: readonly string[];
  /** Folders with changed files. */
  readonly updated: readonly string[];
  /** Deleted folders. */
  readonly deleted: readonly string[];
  /** Variables that `example.json` and `optional` now have under the new name of the service. */
  readonly renamed: readonly TemplateVariableRename[];
  /**
   * Whether the lock has an entry of the account. An emulator with the usual account gets one only from a push: no other
   * emulator has these ids, and every emulator finds a template by the UUID that is made of its folder's name.
   */
  readonly isLocked: boolean;
  /** Unchanged parts with the reason, such as files that were edited and also changed in the service. */
  readonly problems: readonly TemplateProblem[];
}

/**
 * Writes the templates of an account into a folder: templates without a folder, and each part that only the service
 * changed. Replaces an edited file only if `overwrite` names its folder. It takes one request, and one more if the
 * client has no `accountId`.
 *
 * @param client - The client; its account is `accountId`, or the only one that its token can see.
 * @param folder - The path of the folder, which is created if it is missing. The pull writes its `templates.lock.json`.
 * @throws {@link TemplateError} for files that cannot be read or written, `ConfigurationError` for an account that is
 * not clear, `AuthenticationError`, `PermissionDeniedError`, `RateLimitError`
 */
export async function pullTemplates(
  client: TemplatesClient,
  folder: string,
  options: TemplatePullOptions = {},
): Promise<TemplatePull> {
  const { accountId, lock, comparison, isLocked, languages, all } = await readSides(client, folder, options, {
    mayBeMissing: true,
  });
  checkNames(folder, comparison, options);
  const pull = new Pull(folder, lock, options, languages);
  const { templates, unlocked } = takenOver(comparison, 'all');
  pull.know(all);
  for (const template of templates) await pull.one(template);
  const taken = new Set(templates.map((one) => one.folder.toLowerCase()));
  for (const hosted of [...unlocked].sort((one, other) => one.id - other.id)) {
    const name = await freeName(folder, hosted, taken);
    taken.add(name);
    await pull.make(name, hosted);
  }
  await pull.publish(isLocked);
  return { accountId, ...pull.done, isLocked, problems: pull.problems };
}

/** A free name for a template's folder, also on systems that ignore the case of letters. */
async function freeName(folder: string, { id, name }: Template, taken: ReadonlySet<string>): Promise<string> {
  const own = folderNameOf(name, id);
  for (const one of [own, `${own}-${id}`, `template-${id}`]) {
    if (!taken.has(one) && (await kindAt(inside(folder, one))) === undefined) return one;
  }
  throw templateError(inside(folder, own), undefined, `there is no free name for template ${id}`);
}

class Pull {
  readonly problems: TemplateProblem[] = [];
  readonly done = {
    created: [] as string[],
    found: [] as string[],
    updated: [] as string[],
    deleted: [] as string[],
    renamed: [] as TemplateVariableRename[],
  };
  readonly #folder: string;
  readonly #lock: AccountLock;
  readonly #options: TemplatePullOptions;
  readonly #languages: Languages;
  /** The parts of each folder after the pull, from which its languages take those that they lack. */
  readonly #parts = new Map<string, Parts>();

  constructor(folder: string, lock: AccountLock, options: TemplatePullOptions, languages: Languages) {
    this.#languages = languages;
    this.#folder = folder;
    this.#lock = lock;
    this.#options = options;
  }

  /** Takes the parts of the files, from which languages take those that they lack. */
  know(templates: readonly TemplateFolder[]): void {
    for (const one of templates) this.#parts.set(one.folder, partsOfFiles(one));
  }

  /** Pulls one template. */
  async one(template: Compared): Promise<void> {
    const { folder, files, hosted, entry, duplicates } = template;
    const { entries } = this.#lock;
    if (duplicates.length > 0) this.#report(folder, duplicatesText(duplicates));
    else if (hosted === undefined) {
      if (files === undefined) entries.delete(folder);
      else if (entry?.id !== undefined) await this.#gone(folder);
    } else if (files === undefined) await this.make(folder, hosted);
    else await this.#merge(template, hosted, partsOfFiles(files));
  }

  /** Creates a template's folder under a draft name, which is not read. {@link publish} renames it. */
  async make(name: string, hosted: Template): Promise<void> {
    const parts = partsOfHosted(hosted);
    const blank = FIELDS.filter((part) => (parts[part] ?? '').trim() === '');
    if (blank.length > 0) {
      this.#report(name, `template ${hosted.id} has no ${blank.join(', ')} in the service`);
      return;
    }
    const language = languageOf(name);
    const base = this.#baseOf(name);
    if (language !== undefined && !this.#languages.languages.includes(language)) {
      this.#report(name, undeclaredText(language));
      return;
    }
    if (language !== undefined && base === undefined) {
      this.#report(name, `is a language of ${templateOf(name)}, which has no folder`);
      return;
    }
    this.#parts.set(name, parts);
    const draft = this.#draftOf(name);
    try {
      await mkdir(this.#folder, { recursive: true });
      // Fails if a link takes the name meanwhile, which would lead out of the folder.
      await rm(draft, { recursive: true, force: true });
      await mkdir(draft);
      if (base === undefined) for (const file of filesOf(TEMPLATE_PARTS)) await write(draft, file, parts);
      else await writeLanguage(draft, this.#ownOf(name, parts, base), parts, base);
    } catch (error) {
      throw templateError(draft, undefined, `cannot be written: ${(error as Error).message}`, error);
    }
    this.#lock.entries.set(name, recorded(hosted, hashesOf(parts)));
    this.done.created.push(name);
  }

  /**
   * Writes the lock, and then renames the created folders. So a killed process leaves no incomplete folder, and no
   * folder outside the lock, which the next push would create as a new template.
   */
  async publish(isLocked: boolean): Promise<void> {
    if (isLocked) await this.#lock.save();
    for (const name of this.done.created) {
      const path = inside(this.#folder, name);
      await rename(this.#draftOf(name), path).catch((error: unknown) => {
        throw templateError(path, undefined, `cannot be written: ${(error as Error).message}`, error);
      });
    }
  }

  #draftOf = (name: string) => inside(this.#folder, `.${name.replace('/', '.')}.draft`);

  /** The parts that a language takes where it has none; undefined for a default language. */
  #baseOf(folder: string): Parts | undefined {
    const language = languageOf(folder);
    if (language === undefined) return undefined;
    const template = templateOf(folder);
    const others = [...this.#parts.keys()].flatMap((one) =>
      one !== folder && templateOf(one) === template ? (languageOf(one) ?? []) : [],
    );
    const fallback = fallbackOf(language, others);
    return this.#parts.get(fallback === undefined ? template : `${template}/${fallback}`);
  }

  /** The parts of a new folder of a language: those that differ from the language above. */
  #ownOf(folder: string, parts: Parts, base: Parts): TemplatePart[] {
    const { name } = this.#parts.get(templateOf(folder)) ?? base;
    const usual = nameOfLanguage(name ?? '', languageOf(folder) ?? '');
    const own = TEMPLATE_PARTS.filter((part) => parts[part] !== (part === 'name' ? usual : base[part]));
    // A folder without any part is no language.
    return own.length === 0 ? ['subject'] : own;
  }

  async #merge(template: Compared, hosted: Template, own: Parts): Promise<void> {
    const { folder, files } = template;
    const isOverwritten = this.#options.overwrite?.includes(folder) === true;
    const changed = isOverwritten ? (['files', 'service', 'both'] as const) : (['service'] as const);
    const parts = partsChangedBy(template, ...changed);
    const theirs = partsOfHosted(hosted);
    const common = { ...commonParts(template) };
    const taken = eachPart((part) => (parts.includes(part) ? theirs : own)[part]);
    // First, so that a killed process leaves the old text of the template: the next pull then begins again.
    if (files !== undefined && parts.length > 0)
      this.done.renamed.push(...(await renameVariables(files, taken)));
    const base = this.#baseOf(folder);
    const place = inside(this.#folder, folder);
    if (base === undefined) for (const file of filesOf(parts)) await write(place, file, taken);
    // A part that is the same in the folder above stays there.
    else
      await writeLanguage(
        place,
        parts.filter((part) => isOwn(files, part) || taken[part] !== base[part]),
        taken,
        base,
      );
    this.#parts.set(folder, taken);
    for (const part of parts) common[part] = hashOf(theirs[part]);
    if (template.isFound) this.done.found.push(folder);
    this.#lock.entries.set(folder, recorded(hosted, common));
    if (parts.length > 0) this.done.updated.push(folder);
    const conflict = isOverwritten ? undefined : conflictOf(template);
    if (conflict !== undefined) this.#report(folder, conflict);
  }

  async #gone(folder: string): Promise<void> {
    if (this.#options.delete?.includes(folder) !== true) {
      this.#report(folder, deletedText(folder));
      return;
    }
    const isOfIt = (one: string) => one !== folder && templateOf(one) === folder;
    const left = [...this.#parts.keys()].filter((one) => isOfIt(one) && !this.#options.delete?.includes(one));
    if (left.length > 0) {
      this.#report(folder, `has languages, which --delete must name, too: ${left.join(', ')}`);
      return;
    }
    const path = inside(this.#folder, folder);
    for (const file of ['example.json', ...filesOf(TEMPLATE_PARTS)])
      await rm(inside(path, file), { force: true });
    // Keeps the folder if it has other files.
    await rmdir(path).catch(() => undefined);
    if (languageOf(folder) !== undefined)
      await rmdir(inside(this.#folder, templateOf(folder))).catch(() => undefined);
    this.#lock.entries.delete(folder);
    await this.#lock.save();
    this.done.deleted.push(folder);
  }

  #report(folder: string, message: string): void {
    this.problems.push({ file: inside(this.#folder, folder), line: undefined, message });
  }
}

/** Whether a language has a part in its own folder. */
const isOwn = (files: TemplateFolder | undefined, part: TemplatePart) =>
  part === 'name' || files?.language?.taken[part] === undefined;

/** Writes parts of a language, and no others: those come from the language above. */
async function writeLanguage(
  folder: string,
  parts: readonly TemplatePart[],
  { html, text, ...fields }: Parts,
  base: Parts,
): Promise<void> {
  const bodies = { html, text };
  for (const part of ['html', 'text'] as const) {
    if (!parts.includes(part)) continue;
    // An empty file is no body, also where the language above has one.
    const body = bodies[part] ?? (base[part] === null ? null : '');
    const path = inside(folder, part === 'html' ? 'body.html' : 'body.txt');
    if (body === null) await rm(path, { force: true });
    else await writeText(path, body);
  }
  const changed = FIELDS.filter((part) => parts.includes(part)).map((part) => [part, fields[part]] as const);
  if (changed.length === 0) return;
  const path = inside(folder, 'template.json');
  const before = await objectAt(path);
  await writeText(
    path,
    `${JSON.stringify({ ...before?.fields, ...Object.fromEntries(changed) }, null, 2)}\n`,
  );
}

/** The required parts of a template. */
const FIELDS = ['name', 'subject', 'category'] as const;

type FileName = 'template.json' | 'body.html' | 'body.txt';

/** The files of parts; `template.json` is last, because a folder without it is not read. */
function filesOf(parts: readonly TemplatePart[]): FileName[] {
  const bodies = { html: 'body.html', text: 'body.txt' } as const;
  const files = parts.map((part) => (part === 'html' || part === 'text' ? bodies[part] : 'template.json'));
  return [...new Set<FileName>(files)].sort();
}

/** Writes the parts of a file. Other fields of `template.json` stay. */
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
