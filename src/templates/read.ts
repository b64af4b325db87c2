import { readdir } from 'node:fs/promises';
import { didYouMean } from '../core/did-you-mean.ts';
import { templateError, TemplateError, type TemplateProblem } from './errors.ts';
import { inside, kindAt, lineOf, objectAt, textAt, type JsonFile } from './files.ts';
import { readLock, type TemplateLock } from './lock.ts';
import type { TemplateFolder } from './types.ts';
import { derivedUuid } from './uuid.ts';

/** The service's limits in characters. */
const MAX_FIELD = 255;
const MAX_BODY = 10_000_000;

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
  if ((await kindAt(folder)) !== 'folder') throw templateError(folder, undefined, 'there is no such folder');
  const lock = await readLock(folder);
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.') && name !== 'node_modules');
  const templates: TemplateFolder[] = [];
  for (const name of names.sort()) {
    const path = inside(folder, name);
    // Ignores files beside the templates, such as the lock.
    if ((await kindAt(path)) === 'folder')
      templates.push(await templateAt(path, name.normalize('NFC'), lock));
  }
  return templates;
}

/**
 * Reads one template.
 *
 * @param path - The path of its folder, such as `emails/receipt`.
 * @throws {@link TemplateError} with file and line for an unreadable file
 */
export async function readTemplate(path: string): Promise<TemplateFolder> {
  if ((await kindAt(path)) !== 'folder') throw templateError(path, undefined, 'there is no such folder');
  const steps = path.split(/[\\/]+/).filter((step) => step !== '' && step !== '.');
  return templateAt(path.replace(/[\\/]+$/, ''), (steps.at(-1) ?? path).normalize('NFC'), {});
}

async function templateAt(path: string, folder: string, lock: TemplateLock): Promise<TemplateFolder> {
  const file = await objectAt(inside(path, 'template.json'));
  if (file === undefined) throw templateError(path, undefined, 'has no template.json');
  const body = async (name: string) => {
    const text = await textAt(inside(path, name));
    if (text !== undefined && text.length > MAX_BODY)
      throw templateError(inside(path, name), undefined, `has more than ${MAX_BODY} characters`);
    return text ?? null;
  };
  return {
    folder,
    path,
    ...fieldsOf(file),
    html: await body('body.html'),
    text: await body('body.txt'),
    example: (await objectAt(inside(path, 'example.json')))?.fields,
    uuid: derivedUuid(folder),
    uuids: Object.fromEntries(
      Object.entries(lock).flatMap(([account, templates]) => {
        const uuid = Object.hasOwn(templates, folder) ? templates[folder]?.uuid : undefined;
        return uuid === undefined ? [] : [[account, uuid]];
      }),
    ),
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
    const value = fields[field];
    if (typeof value === 'string' && value.trim() !== '' && Array.from(value).length <= MAX_FIELD)
      return value;
    report(field, `"${field}" must be a text of 1 to ${MAX_FIELD} characters`);
    return '';
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
