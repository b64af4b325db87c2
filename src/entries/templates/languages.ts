import { readdir } from 'node:fs/promises';
import { didYouMean } from '../../kit/did-you-mean.ts';
import { canonicalLocale, fallbackOf } from '../../core/locale.ts';
import { CONFIG_FILE, type TemplatesConfig } from './config.ts';
import { TemplateError, type TemplateProblem } from './errors.ts';
import { inside, kindAt, lineOf, objectAt } from './files.ts';
import { bodiesAt, FILES, MAX_FIELD, problemOfField, lockedIn } from './read-files.ts';
import type { TemplateLock } from './lock.ts';
import type { LanguageParts, TakenFrom, TakenPart, TemplateFolder } from './types.ts';
import { derivedUuid } from './uuid.ts';

/** The folder of the template that a folder belongs to: `receipt` for `receipt/de`, and for `receipt` itself. */
export const templateOf = (folder: string): string => folder.split('/', 1)[0] ?? folder;

/** The language of a folder: `de` for `receipt/de`; undefined for the default. */
export const languageOf = (folder: string): string | undefined => folder.split('/')[1];

/** The path of the folder of a template: for a language, the folder above its own. */
export const pathOfTemplate = ({ folder, path }: Pick<TemplateFolder, 'folder' | 'path'>): string => {
  const language = languageOf(folder);
  return language === undefined ? path : path.slice(0, -language.length - 1);
};

/** The folder and, for a language, the folder of its template: names that a command may call it by. */
export const namesOfFolder = (folder: string): string[] => [...new Set([templateOf(folder), folder])];

/** The name in the service of a language that has no name of its own. */
export const nameOfLanguage = (template: string, locale: string): string => `${template} (${locale})`;

/** The problem of a language that the settings do not name. */
export const undeclaredText = (language: string): string =>
  `"${language}" is not one of the languages in ${CONFIG_FILE}`;

/** Names of folders that can only be languages: `fr`, `pt-BR`, `zh_Hant`. */
const LANGUAGE = /^[a-z]{2}(?:[-_][a-z\d]{2,8})*$/i;

/** The settings for languages. */
export type Languages = Pick<TemplatesConfig, 'languages' | 'default'>;

/**
 * The languages of a template: its default, and each language with a part in a folder of its own.
 *
 * @throws `TemplateError` with the problems of all languages
 */
export async function withLanguages(
  template: TemplateFolder,
  { languages, default: initial }: Languages,
  lock: TemplateLock,
): Promise<TemplateFolder[]> {
  if (initial === undefined) return [template];
  const { path, unread = [] } = template;
  const problems: TemplateProblem[] = [];
  const folders: string[] = [];
  for (const name of unread) {
    const declared = languages.find((one) => canonicalLocale(one) === canonicalLocale(name));
    const place = inside(path, name);
    if ((declared === undefined && !LANGUAGE.test(name)) || (await kindAt(place)) !== 'folder') continue;
    const report = (message: string) => problems.push({ file: place, line: undefined, message });
    if (declared === undefined) {
      // The default would be sent, and nothing would say so.
      if ((await readdir(place)).some((file) => FILES.includes(file))) report(undeclaredText(name));
    } else if (declared === initial)
      report(`is not read: ${initial} is the default, whose files are in ${path}`);
    else if (declared !== name) report(`is not read: the language is called "${declared}"`);
    else folders.push(name);
  }
  const root = { ...template, locale: initial, unread: unread.filter((name) => !folders.includes(name)) };
  const found = new Map<string, TemplateFolder>();
  // A language is read after those that it may take parts from, whose names are shorter.
  for (const locale of [...folders].sort((one, other) => one.length - other.length)) {
    try {
      const from = fallbackOf(locale, [...found.keys()]);
      const base = (from === undefined ? undefined : found.get(from)) ?? root;
      const own = await languageAt(template, base, locale, lock);
      if (own !== undefined) found.set(locale, own);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      problems.push(...error.problems);
    }
  }
  if (problems.length > 0) throw new TemplateError(problems);
  const all: TemplateFolder[] = [root, ...folders.sort().flatMap((name) => found.get(name) ?? [])];
  return all.map((one) => ({
    ...one,
    language: {
      of: template.name,
      taken: one.language?.taken ?? {},
      others: all.flatMap((other) => (other === one ? [] : [ownParts(other)])),
    },
  }));
}

/** The own parts of a language. */
export function ownParts(template: TemplateFolder): LanguageParts {
  const { folder, locale = '', subject, subjectLine, html, text, language } = template;
  const taken = language?.taken ?? {};
  const own = languageOf(folder);
  return {
    locale,
    inside: own === undefined ? '' : `${own}/`,
    subject: taken.subject === undefined ? subject : '',
    ...(subjectLine !== undefined && { subjectLine }),
    html: taken.html === undefined ? html : null,
    text: taken.text === undefined ? text : null,
  };
}

/** The fields that the `template.json` of a language may have. */
const FIELDS = ['name', 'subject', 'category'] as const;

/** Reads a language, over the language that its missing parts come from; undefined if it has no part of its own. */
async function languageAt(
  template: TemplateFolder,
  base: TemplateFolder,
  locale: string,
  lock: TemplateLock,
): Promise<TemplateFolder | undefined> {
  const path = inside(template.path, locale);
  const folder = `${template.folder}/${locale}`;
  const problems: TemplateProblem[] = [];
  const entries = await readdir(path);
  const { html, text } = await bodiesAt(path, problems);
  const file = await objectAt(inside(path, 'template.json'));
  const fields = file?.fields ?? {};
  const report = (field: string, message: string) => {
    if (file !== undefined) problems.push({ file: file.path, line: lineOf(file, field), message });
  };
  for (const field of Object.keys(fields)) {
    if (field === 'as' || field === 'optional')
      report(field, `"${field}" must be in ${template.path}/template.json: the languages have one function`);
    else if (!(FIELDS as readonly string[]).includes(field))
      report(field, `"${field}" is unknown${didYouMean(field, FIELDS)}`);
  }
  if (entries.includes('example.json'))
    problems.push({
      file: inside(path, 'example.json'),
      line: undefined,
      message: `is not read: the languages have one example, ${template.path}/example.json`,
    });
  const field = (name: (typeof FIELDS)[number]) => {
    if (!Object.hasOwn(fields, name)) return undefined;
    const problem = problemOfField(name, fields[name]);
    if (problem !== undefined) report(name, problem);
    return String(fields[name]);
  };
  const own = { subject: field('subject'), category: field('category'), html, text };
  const name = field('name') ?? nameOfLanguage(template.name, locale);
  if (problems.length === 0 && Array.from(name).length > MAX_FIELD)
    problems.push({
      file: path,
      line: undefined,
      message: `needs a "name" in its template.json: "${name}" is too long`,
    });
  if (problems.length > 0) throw new TemplateError(problems);
  const unread = entries.filter((entry) => !FILES.includes(entry)).sort();
  const isMisnamed = unread.some((entry) => didYouMean(entry, FILES) !== '');
  if (file === undefined && html === undefined && text === undefined && !isMisnamed) return undefined;
  const taken: Partial<Record<TakenPart, TakenFrom>> = {};
  const from = (part: TakenPart) =>
    base.language?.taken[part] ?? { locale: base.locale ?? '', path: base.path };
  for (const part of ['subject', 'category', 'html', 'text'] as const)
    if (own[part] === undefined) taken[part] = from(part);
  const { subject = base.subject, category = base.category } = own;
  const subjectLine =
    own.subject === undefined || file === undefined ? base.subjectLine : lineOf(file, 'subject');
  return {
    folder,
    path,
    name,
    subject,
    ...(subjectLine !== undefined && { subjectLine }),
    category,
    html: html ?? base.html,
    text: text ?? base.text,
    as: template.as,
    optional: template.optional,
    example: template.example,
    ...(unread.length > 0 && { unread }),
    uuid: derivedUuid(folder),
    ...lockedIn(lock, folder),
    locale,
    language: { of: template.name, taken, others: [] },
  };
}
