import { readdir } from 'node:fs/promises';
import { readFamily, type ReadTemplate } from '../checked.ts';
import { readConfig, type TemplatesConfig } from '../config.ts';
import { TemplateError, templateError, type TemplateProblem } from '../errors.ts';
import { inside, kindAt } from '../files.ts';
import { namesOfFolder } from '../languages.ts';
import { readLock } from '../lock.ts';
import { lockedIn } from '../read-files.ts';
import { readLanguages } from '../read.ts';
import { Selection } from '../selection.ts';
import type { TemplateFolder } from '../types.ts';
import type { ReadFamilies } from '../types-file.ts';

/** A template while it is written. */
interface WatchedTemplate {
  /**
   * The template, and its other languages, each as it was when it last could be rendered, or first could be read; empty if
   * that was never.
   */
  readonly languages: readonly TemplateFolder[];
  /** The languages as they are now; empty if they cannot be read. */
  readonly now: readonly ReadTemplate[];
  /** The reasons why the service could not render it now. */
  readonly problems: readonly TemplateProblem[];
}

/** The templates of a folder, read again piece by piece. A broken template keeps its last good version. */
export class WatchedFolder {
  readonly #folder: string;
  readonly #read = new Map<string, WatchedTemplate>();
  /** The settings at the last read, by which all templates were read; undefined if that read failed. */
  #settings: string | undefined;
  /** The templates and their languages, sorted by their folders. */
  templates: readonly TemplateFolder[] = [];
  /** The problems of the templates, of the folder itself, and of the settings in it, for which all templates stay. */
  problems: readonly TemplateProblem[] = [];
  /** The templates as they are now, for their types; undefined if the folder or the settings in it cannot be read. */
  now: ReadFamilies | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Reads the changed templates again, and the list of templates.
   *
   * @param changed - the names of folders with changes; undefined for all
   */
  async read(changed: ReadonlySet<string> | undefined): Promise<void> {
    try {
      this.problems = await this.#readAll(changed);
    } catch (error) {
      this.#settings = undefined;
      this.now = undefined;
      if (!(error instanceof TemplateError)) throw error;
      this.problems = error.problems;
    }
  }

  async #readAll(changed: ReadonlySet<string> | undefined): Promise<TemplateProblem[]> {
    const { folders: names, links } = await entriesIn(this.#folder);
    const config = await readConfig(this.#folder);
    const settings = JSON.stringify([config.languages, config.default]);
    const isAll = changed === undefined || settings !== this.#settings;
    const selection = new Selection(this.#folder, config.ignore, []);
    const lock = await readLock(this.#folder);
    const templates: TemplateFolder[] = [];
    const families: ReadTemplate[][] = [];
    const problems = links
      .filter((name) => selection.has(name.normalize('NFC')))
      .map((name) => problemOf(inside(this.#folder, name), 'is a link: templates are plain files'));
    const unreadable = [...problems];
    for (const name of names) {
      const before = this.#read.get(name);
      const isKnown = before !== undefined && !isAll && !changed.has(name);
      const read = isKnown ? before : await this.#readOne(name, config, before?.languages ?? []);
      if (read === undefined) {
        this.#read.delete(name);
        continue;
      }
      this.#read.set(name, read);
      const isChosen = ({ folder, name: called, language }: TemplateFolder) =>
        selection.has(...namesOfFolder(folder), language?.of ?? called, called);
      const chosen = read.languages.filter(isChosen);
      if (read.languages.length > 0 ? chosen.length === 0 : !selection.has(name.normalize('NFC'))) continue;
      const locked = (one: TemplateFolder) => ({ ...one, ...lockedIn(lock, one.folder) });
      templates.push(...chosen.map(locked));
      problems.push(...read.problems);
      const now = read.now.filter(({ files }) => isChosen(files));
      families.push(now.map((one) => ({ ...one, files: locked(one.files) })));
      if (read.now.length === 0) unreadable.push(...read.problems);
    }
    for (const name of this.#read.keys()) if (!names.includes(name)) this.#read.delete(name);
    this.templates = templates;
    this.now = { families, problems: unreadable };
    this.#settings = settings;
    return problems;
  }

  /** Reads a template with its languages; undefined for a folder that is empty or gone. */
  async #readOne(
    name: string,
    config: TemplatesConfig,
    good: readonly TemplateFolder[],
  ): Promise<WatchedTemplate | undefined> {
    const path = inside(this.#folder, name);
    try {
      const now = readFamily(await readLanguages(path, name.normalize('NFC'), config, {}));
      const languages = now.map(({ files, isBroken }) => {
        const before = good.find(({ folder }) => folder === files.folder);
        return isBroken && before ? { ...before, example: files.example } : files;
      });
      // As for rendering, an example that does not fit is no obstacle.
      return { languages, now, problems: now.flatMap((one) => (one.isBroken ? one.problems : [])) };
    } catch (error) {
      // A folder may be removed while it is read.
      const entries = await readdir(path).catch(() => []);
      if (entries.length === 0) return undefined;
      if (error instanceof TemplateError) return { languages: good, now: [], problems: error.problems };
      const problems = [problemOf(path, `cannot be read: ${(error as Error).message}`)];
      return { languages: good, now: [], problems };
    }
  }
}

const problemOf = (file: string, message: string): TemplateProblem => ({ file, line: undefined, message });

/**
 * The names of folders in a folder, sorted. Leaves out hidden ones, packages and links.
 *
 * @throws `TemplateError` if there is no such folder
 */
export const foldersIn = async (folder: string): Promise<string[]> => (await entriesIn(folder)).folders;

async function entriesIn(folder: string) {
  if ((await kindAt(folder)) !== 'folder') throw templateError(folder, undefined, 'there is no such folder');
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw templateError(folder, undefined, `cannot be read: ${(error as Error).message}`, error);
  });
  const visible = entries.filter(({ name }) => isVisible(name));
  const namesOf = (some: typeof visible) => some.map(({ name }) => name).sort();
  return {
    folders: namesOf(visible.filter((entry) => entry.isDirectory())),
    links: namesOf(visible.filter((entry) => entry.isSymbolicLink())),
  };
}

/** Whether a name counts: not that of a hidden file, such as an editor's, or of the folder for packages. */
export const isVisible = (name: string): boolean => !name.startsWith('.') && name !== 'node_modules';
