import type { TemplateProblem } from '../errors.ts';
import { FolderChanges } from './folder-changes.ts';
import { WatchedFolder } from './watched-folder.ts';

/** What to do with the templates of a watched folder. */
export interface WatchHandlers {
  /** Takes the templates after each read. The next read waits for it. */
  readonly onRead: (folder: WatchedFolder) => void | Promise<void>;
}

/** Reads a folder of templates at once, and again after each change. Returns a function that ends it. */
export function follow(path: string, { onRead }: WatchHandlers): () => void {
  const folder = new WatchedFolder(path);
  /** The folders that changed since the last read; undefined for all. */
  let waiting: Set<string> | undefined;
  let isWaiting = true;
  let isReading = false;
  let isEnded = false;
  const isOver = () => isEnded;
  /** The problems of folders that the system refuses to watch. */
  const refusals: TemplateProblem[] = [];

  const read = async () => {
    if (isReading) return;
    isReading = true;
    try {
      while (isWaiting && !isOver()) {
        const changed = waiting;
        isWaiting = false;
        waiting = new Set();
        refusals.length = 0;
        await changes.follow(changed);
        await folder.read(changed);
        folder.problems = [...folder.problems, ...refusals];
        if (!isOver()) await onRead(folder);
      }
    } finally {
      isReading = false;
    }
  };
  const changes = new FolderChanges(path, {
    onChange: (changed) => {
      if (changed === undefined) waiting = undefined;
      else for (const name of changed) waiting?.add(name);
      isWaiting = true;
      void read();
    },
    onRefusal: (file, { message }) => {
      // Further folders have the same problem: the system's limit of watchers.
      if (refusals.length === 0)
        refusals.push({ file, line: undefined, message: `cannot be watched: ${message}` });
    },
  });
  void read();
  return () => {
    isEnded = true;
    changes.close();
  };
}
