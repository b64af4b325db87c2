import { readdir } from 'node:fs/promises';
import { readConfig } from './config.ts';
import { TemplateError, templateError, type TemplateProblem } from './errors.ts';
import { inside, kindAt } from './files.ts';
import { readLock } from './lock.ts';
import { readTemplate } from './read.ts';
import { Selection } from './selection.ts';
import type { TemplateFolder } from './types.ts';
import { readVariables } from './variables.ts';

/** A template while it is written. */
export interface WatchedTemplate {
  /** The name of its folder. */
  readonly folder: string;
  /** The template as it was when it last could be rendered, or first could be read; undefined if it never could. */
  readonly template: TemplateFolder | undefined;
  /** The reasons why the service could not render it now. */
  readonly problems: readonly TemplateProblem[];
}

/** The templates of a folder, read again piece by piece. A broken template keeps its last good version. */
export class WatchedFolder {
  readonly #folder: string;
  readonly #read = new Map<string, WatchedTemplate>();
  /** The templates, sorted by their folders. */
  templates: readonly WatchedTemplate[] = [];
  /** The problem of the folder itself, or of the settings in it. Meanwhile, all templates stay. */
  problems: readonly TemplateProblem[] = [];

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
      if (!(error instanceof TemplateError)) throw error;
      this.problems = error.problems;
    }
  }

  /** Returns the problems of links, which are not followed. */
  async #readAll(changed: ReadonlySet<string> | undefined): Promise<TemplateProblem[]> {
    const { folders: names, links } = await entriesIn(this.#folder);
    const { ignore } = await readConfig(this.#folder);
    const selection = new Selection(this.#folder, ignore, []);
    const lock = await readLock(this.#folder);
    const uuidsOf = (folder: string) =>
      Object.fromEntries(
        Object.entries(lock).flatMap(([account, templates]) => {
          const uuid = Object.hasOwn(templates, folder) ? templates[folder]?.uuid : undefined;
          return uuid === undefined ? [] : [[account, uuid]];
        }),
      );
    const shown: WatchedTemplate[] = [];
    for (const name of names) {
      const before = this.#read.get(name);
      const isKnown = before !== undefined && changed?.has(name) === false;
      const read = isKnown ? before : await this.#readOne(name, before?.template);
      if (read === undefined) this.#read.delete(name);
      else this.#read.set(name, read);
      if (read === undefined || !selection.has(read.folder, read.template?.name ?? read.folder)) continue;
      const { template } = read;
      shown.push({ ...read, template: template && { ...template, uuids: uuidsOf(read.folder) } });
    }
    for (const name of this.#read.keys()) if (!names.includes(name)) this.#read.delete(name);
    this.templates = shown;
    const isRead = (name: string) => selection.has(name.normalize('NFC'));
    return links.filter(isRead).map((name) => ({
      file: inside(this.#folder, name),
      line: undefined,
      message: 'is a link: templates are plain files',
    }));
  }

  /** Reads a template; undefined for a folder that is empty or gone. */
  async #readOne(name: string, good: TemplateFolder | undefined): Promise<WatchedTemplate | undefined> {
    const path = inside(this.#folder, name);
    const folder = name.normalize('NFC');
    try {
      const template = await readTemplate(path);
      // As for rendering, an example that does not fit is no obstacle.
      const { problems } = readVariables({ ...template, example: undefined, optional: [] });
      return { folder, template: problems.length === 0 ? template : (good ?? template), problems };
    } catch (error) {
      // A folder may be removed while it is read.
      const entries = await readdir(path).catch(() => []);
      if (entries.length === 0) return undefined;
      if (error instanceof TemplateError) return { folder, template: good, problems: error.problems };
      const problem = { file: path, line: undefined, message: `cannot be read: ${(error as Error).message}` };
      return { folder, template: good, problems: [problem] };
    }
  }
}

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
