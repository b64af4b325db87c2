import { readdir } from 'node:fs/promises';
import { didYouMean } from '../../kit/did-you-mean.ts';
import { templateError, TemplateError, type TemplateProblem } from './errors.ts';
import { folderAbove, inside, kindAt, lineOf, objectAt, type JsonFile } from './files.ts';
import { readConfig } from './config.ts';
import { namesOfFolder, withLanguages, type Languages } from './languages.ts';
import { readLock, type TemplateLock } from './lock.ts';
import { attempt, bodiesAt, FILES, lockedIn, problemOfField } from './read-files.ts';
import { Selection } from './selection.ts';
import type { TemplateFolder } from './types.ts';
import { derivedUuid } from './uuid.ts';

/**
 * Reads the templates of a folder: each is a folder in it, with `template.json` and optionally `body.html`,
 * `body.txt` and `example.json`. The result is for {@link templateTypes}, and for the option `templates` of the
 * emulator.
 *
 * @param folder - The path of the folder.
 * @returns The templates, sorted by their folders.
 * @example
 * ```ts
 * const emulator = createEmulator({ templates: await readTemplates('emails') });
 * ```
 * @throws {@link TemplateError} with file and line for an unreadable file
 */
export async function readTemplates(folder: string): Promise<TemplateFolder[]> {
  const { templates, problems } = await readFolder(folder);
  if (problems.length > 0) throw new TemplateError(problems);
  return [...templates];
}

/** The templates of a folder that a command acts on. */
export interface ReadFolder {
  /** The readable templates, sorted by their folders. */
  readonly templates: readonly TemplateFolder[];
  /** All readable templates: a language takes parts of one that the command does not act on, too. */
  readonly all: readonly TemplateFolder[];
  /** The problems of the others. */
  readonly problems: readonly TemplateProblem[];
  readonly selection: Selection;
  /** Folders of templates that the command does not act on. */
  readonly others: ReadonlySet<string>;
  /** The names of all folders, and of the templates in them. */
  readonly names: readonly string[];
  readonly lock: TemplateLock;
  readonly languages: Languages;
}

/** A folder before the first pull. */
export const emptyFolder = (folder: string, only: readonly string[]): ReadFolder => ({
  templates: [],
  all: [],
  problems: [],
  selection: new Selection(folder, [], only),
  others: new Set(),
  names: [],
  lock: {},
  languages: { languages: [], default: undefined },
});

/**
 * Reads the templates of a folder that can be read.
 *
 * @param only - Names of templates or folders, with `*` and `?`. Empty for all templates.
 * @throws `TemplateError` for a folder, a lock or a config that cannot be read
 */
export async function readFolder(folder: string, only: readonly string[] = []): Promise<ReadFolder> {
  if ((await kindAt(folder)) !== 'folder') throw templateError(folder, undefined, 'there is no such folder');
  const config = await readConfig(folder);
  const selection = new Selection(folder, config.ignore, only);
  const lock = await readLock(folder);
  const entries = (await readdir(folder)).filter((name) => !name.startsWith('.') && name !== 'node_modules');
  const names: string[] = [];
  const templates: TemplateFolder[] = [];
  const all: TemplateFolder[] = [];
  const others = new Set<string>();
  const problems: TemplateProblem[] = [];
  for (const name of entries.sort()) {
    const path = inside(folder, name);
    const own = name.normalize('NFC');
    try {
      // Ignores files beside the templates, such as the lock.
      if ((await kindAt(path)) !== 'folder') continue;
      names.push(own);
      for (const template of await readLanguages(path, own, config, lock)) {
        const { folder: place, name: called, language } = template;
        names.push(place, called);
        all.push(template);
        const isChosen = selection.has(...namesOfFolder(place), language?.of ?? called, called);
        if (isChosen) templates.push(template);
        else others.add(place);
      }
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      if (selection.has(own)) problems.push(...error.problems);
      else others.add(own);
    }
  }
  return { templates, all, problems, selection, others, names, lock, languages: config };
}

/**
 * Reads one template, or one of its languages.
 *
 * @param path - The path of its folder, such as `emails/receipt`; of a language, `emails/receipt/de`.
 * @throws {@link TemplateError} with file and line for an unreadable file
 */
export async function readTemplate(path: string): Promise<TemplateFolder> {
  if ((await kindAt(path)) !== 'folder') throw templateError(path, undefined, 'there is no such folder');
  const place = path.replace(/[\\/]+$/, '');
  const steps = path.split(/[\\/]+/).filter((step) => step !== '' && step !== '.');
  const own = (steps.at(-1) ?? path).normalize('NFC');
  const above = folderAbove(place);
  const isInside = (await kindAt(inside(above, 'template.json'))) === 'file';
  const config = isInside ? await readConfig(inside(above, '..')) : undefined;
  if (config?.languages.includes(own) === true) {
    const family = await readLanguages(above, steps.at(-2)?.normalize('NFC') ?? above, config, {});
    const found = family.find(({ locale }) => locale === own);
    if (found === undefined) throw templateError(path, undefined, 'has no part of its own');
    return found;
  }
  const [template] = await readLanguages(place, own, await readConfig(above), {});
  if (template === undefined) throw templateError(path, undefined, 'there is no such template');
  return template;
}

/** Reads a template with its languages. */
export async function readLanguages(
  path: string,
  folder: string,
  config: Languages,
  lock: TemplateLock,
): Promise<TemplateFolder[]> {
  return withLanguages(await templateAt(path, folder, lock), config, lock);
}

async function templateAt(path: string, folder: string, lock: TemplateLock): Promise<TemplateFolder> {
  const problems: TemplateProblem[] = [];
  const fields = await attempt(problems, async () => {
    const file = await objectAt(inside(path, 'template.json'));
    if (file === undefined) throw templateError(path, undefined, 'has no template.json');
    return fieldsOf(file);
  });
  const { html = null, text = null } = await bodiesAt(path, problems);
  const example = await attempt(problems, () => objectAt(inside(path, 'example.json')));
  const unread = (await readdir(path)).filter((name) => !FILES.includes(name)).sort();
  if (fields === undefined || problems.length > 0) throw new TemplateError(problems);
  return {
    folder,
    path,
    ...fields,
    html,
    text,
    example: example?.fields,
    ...(unread.length > 0 && { unread }),
    uuid: derivedUuid(folder),
    ...lockedIn(lock, folder),
  };
}

const FIELDS = ['name', 'subject', 'category', 'as', 'optional'];

type Fields = Pick<TemplateFolder, 'name' | 'subject' | 'subjectLine' | 'category' | 'as' | 'optional'>;

function fieldsOf(file: JsonFile): Fields {
  const problems: TemplateProblem[] = [];
  const { path, fields } = file;
  const report = (field: string, message: string) =>
    problems.push({ file: path, line: lineOf(file, field), message });
  for (const field of Object.keys(fields)) {
    if (!FIELDS.includes(field)) report(field, `"${field}" is unknown${didYouMean(field, FIELDS)}`);
  }
  const text = (field: string) => {
    const problem = problemOfField(field, fields[field]);
    if (problem !== undefined) report(field, problem);
    return String(fields[field]);
  };
  const [name, subject, category] = [text('name'), text('subject'), text('category')];
  const { as, optional = [] } = fields;
  if (as !== undefined && typeof as !== 'string') report('as', '"as" must be a text');
  const isList = Array.isArray(optional) && optional.every((one) => typeof one === 'string');
  if (!isList) report('optional', '"optional" must be a list of names of variables');
  if (problems.length > 0) throw new TemplateError(problems);
  return {
    name,
    subject,
    subjectLine: lineOf(file, 'subject'),
    category,
    as: as as string | undefined,
    optional: optional as readonly string[],
  };
}
