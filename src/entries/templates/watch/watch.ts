import { TemplateError, templateError, type TemplateProblem } from '../errors.ts';
import { follow } from './template-watch.ts';
import type { TemplateFolder } from '../types.ts';
import type { ReadFamilies } from '../types-file.ts';

/** The part of an emulator that takes templates: one of this process, or a connected one. */
export interface WatchingEmulator {
  /** Its templates. */
  readonly templates: {
    /** Replaces the templates from folders. */
    replace(templates: readonly TemplateFolder[]): void | Promise<void>;
  };
}

/** Options of {@link watchTemplates}. */
export interface TemplateWatchOptions {
  /**
   * Called when templates are broken, once for the same problems. The emulator keeps the last good version of each; once it
   * is fixed, the emulator has it again.
   */
  readonly onError: (error: TemplateError) => void;
  /** Called after a read with another result than the one before, when the emulator has its templates. */
  readonly onChange?: (change: TemplateWatchChange) => void;
}

/** A change in the folder of {@link watchTemplates}. */
export interface TemplateWatchChange {
  /** The names of the folders whose templates are new, changed or gone. */
  readonly folders: readonly string[];
  /** All problems that there are now; empty as soon as they are fixed. */
  readonly problems: readonly TemplateProblem[];
  /** @internal The templates as they are now, for `typesOfFolder`; undefined if the folder cannot be read. */
  readonly read?: ReadFamilies | undefined;
}

/** A running {@link watchTemplates}. */
export interface TemplateWatch {
  /** Ends it. The emulator keeps its templates. */
  close(): void;
}

/**
 * Keeps the templates of an emulator as they are in a folder: reads it at once, and again after each change. It keeps no
 * process alive.
 *
 * @param emulator - What `createEmulator` or `connectEmulator` of `email-platform/testing` returned.
 * @param folder - The path of the folder.
 * @example
 * ```ts
 * const emulator = createEmulator({ templates: await readTemplates('emails') });
 * const watch = watchTemplates(emulator, 'emails', { onError: console.error });
 * ```
 * @throws `TypeError` for a wrong argument
 */
export function watchTemplates(
  emulator: WatchingEmulator,
  folder: string,
  options: TemplateWatchOptions,
): TemplateWatch {
  checkArguments(emulator, folder, options);
  const { onError, onChange } = options;
  let given = new Map<string, string>();
  let reported = '[]';

  const report = (folders: readonly string[], problems: readonly TemplateProblem[], read?: ReadFamilies) => {
    const text = JSON.stringify(problems);
    const isNew = text !== reported;
    reported = text;
    if (isNew && problems.length > 0) onError(new TemplateError(problems));
    if (isNew || folders.length > 0) onChange?.({ folders, problems, read });
  };

  const close = follow(folder, {
    onRead: async (read) => {
      const { templates, problems } = read;
      const now = new Map(templates.map((one) => [one.folder, ownOf(one)]));
      const names = new Set([...given.keys(), ...now.keys()]);
      const changed = [...names].filter((name) => given.get(name) !== now.get(name)).sort();
      try {
        if (changed.length > 0) await emulator.templates.replace(templates);
      } catch (error) {
        report([], [...problems, ...refusal(folder, error as Error).problems], read.now);
        return;
      }
      given = now;
      report(changed, problems, read.now);
    },
  });
  return { close };
}

/** A template as text, without the texts of its other languages. */
const ownOf = ({ language, ...own }: TemplateFolder) =>
  JSON.stringify([own, language && { ...language, others: [] }]);

const refusal = (folder: string, error: Error) =>
  templateError(folder, undefined, `the emulator did not take the templates: ${error.message}`, error);

function checkArguments(emulator: unknown, folder: unknown, options: unknown): void {
  const { templates } = Object(emulator) as { templates?: { replace?: unknown } };
  if (typeof templates?.replace !== 'function')
    throw new TypeError('`emulator` must be an emulator of email-platform/testing');
  if (typeof folder !== 'string' || folder === '')
    throw new TypeError('`folder` must be the path of a folder, such as emails');
  const { onError, onChange, ...others } = Object(options) as Readonly<Record<string, unknown>>;
  if (typeof onError !== 'function') throw new TypeError('`options.onError` must be a function');
  if (onChange !== undefined && typeof onChange !== 'function')
    throw new TypeError('`options.onChange` must be a function');
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new TypeError(`\`options.${unknown}\` is unknown; the known names are onError, onChange`);
}
