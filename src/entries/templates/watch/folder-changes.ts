import { watch, type FSWatcher } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { foldersIn, isVisible } from './watched-folder.ts';

/** Time without further changes before a report, in milliseconds: editors write a file in several steps. */
const QUIET_MS = 30;
/** The longest delay of a report while changes go on. */
const LATEST_MS = 150;

/** The levels of folders below the watched one: templates, and folders in them. */
const DEPTH = 2;

/** What to do with changes. */
export interface ChangeHandlers {
  /** @param changed - the names of the folders with changes; undefined if they are unknown */
  readonly onChange: (changed: ReadonlySet<string> | undefined) => void;
  /** The system refuses to watch a folder. */
  readonly onRefusal: (path: string, error: Error) => void;
}

interface Watched {
  readonly watcher: FSWatcher;
  /** Tells a folder from another one that took its name. */
  readonly identity: string;
  /** The name of the template that the folder belongs to; undefined for the folder of all templates, and the one around it. */
  readonly top: string | undefined;
}

/**
 * Reports changes in a folder of templates. Has a watcher for each folder in it, since a recursive one misses files of new
 * folders on Linux; and one for the folder around it, which sees when the whole folder is replaced. Follows no link, and
 * keeps no process alive.
 */
export class FolderChanges {
  readonly #folder: string;
  readonly #handlers: ChangeHandlers;
  readonly #watched = new Map<string, Watched>();
  #changed: Set<string> | undefined = new Set();
  #timer: NodeJS.Timeout | undefined;
  #since = 0;
  #isClosed = false;

  constructor(folder: string, handlers: ChangeHandlers) {
    this.#folder = resolve(folder);
    this.#handlers = handlers;
  }

  /**
   * Watches the folders that there are now. Call it at each report: files that are read afterwards are current, or another
   * report follows.
   *
   * @param changed - the folders with changes; undefined for all
   */
  async follow(changed: ReadonlySet<string> | undefined): Promise<void> {
    const names = await foldersIn(this.#folder).catch((): string[] => []);
    await this.#watch(dirname(this.#folder), undefined);
    await this.#watch(this.#folder, undefined);
    const known = new Set([...this.#watched.values()].map(({ top }) => top));
    for (const name of names)
      if (changed?.has(name) !== false || !known.has(name))
        await this.#watchTree(join(this.#folder, name), name, DEPTH);
    for (const [path, { top, watcher }] of this.#watched) {
      if (top === undefined || names.includes(top)) continue;
      watcher.close();
      this.#watched.delete(path);
    }
  }

  /** Ends all watching. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const { watcher } of this.#watched.values()) watcher.close();
    this.#watched.clear();
  }

  async #watchTree(path: string, top: string, depth: number): Promise<void> {
    if (depth === 0) return;
    await this.#watch(path, top);
    const names = await foldersIn(path).catch(() => []);
    for (const name of names) await this.#watchTree(join(path, name), top, depth - 1);
  }

  async #watch(path: string, top: string | undefined): Promise<void> {
    const entry = await lstat(path).catch(() => undefined);
    const before = this.#watched.get(path);
    const identity = entry?.isDirectory() === true ? `${entry.dev} ${entry.ino}` : undefined;
    if (this.#isClosed || (before !== undefined && before.identity === identity)) return;
    before?.watcher.close();
    this.#watched.delete(path);
    if (identity === undefined) return;
    try {
      const watcher = watch(path, { persistent: false });
      this.#watched.set(path, { watcher, identity, top });
      watcher.on('change', (_kind, name: string | Buffer | null) =>
        this.#seen(path, top, name === null ? undefined : String(name)),
      );
      // On Windows, the end of a folder is an error of its watcher.
      watcher.on('error', () => {
        if (this.#watched.get(path)?.watcher === watcher) this.#watched.delete(path);
        watcher.close();
        this.#report(top);
      });
    } catch (error) {
      // The folder was removed meanwhile, which is a change of the folder around it.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      this.#handlers.onRefusal(path, error as Error);
    }
  }

  #seen(path: string, top: string | undefined, name: string | undefined): void {
    if (name === undefined) this.#report(top);
    else if (path === dirname(this.#folder)) {
      if (name === basename(this.#folder)) this.#report(undefined);
    } else if (isVisible(name)) this.#report(top ?? name);
  }

  #report(name: string | undefined): void {
    if (this.#isClosed) return;
    const now = performance.now();
    if (name === undefined) this.#changed = undefined;
    else this.#changed?.add(name);
    if (this.#timer === undefined) this.#since = now;
    clearTimeout(this.#timer);
    const due = Math.min(now + QUIET_MS, this.#since + LATEST_MS);
    this.#timer = setTimeout(
      () => {
        const changed = this.#changed;
        this.#timer = undefined;
        this.#changed = new Set();
        this.#handlers.onChange(changed);
      },
      Math.max(due - now, 0),
    );
    this.#timer.unref();
  }
}
