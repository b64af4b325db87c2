import { TemplateError, templateError, type TemplateProblem } from './errors.ts';
import { inside, textAt } from './files.ts';
import type { TemplateLock } from './lock.ts';
import type { TemplateFolder } from './types.ts';

/** The service's limits in characters. */
export const MAX_FIELD = 255;
const MAX_BODY = 10_000_000;

/** The files of a template. */
export const FILES = ['template.json', 'body.html', 'body.txt', 'example.json'];

/** Does a part of the work of reading. Adds the problems of its files to the others, and returns undefined. */
export async function attempt<T>(
  problems: TemplateProblem[],
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

/** Reads the bodies in a folder; undefined for those that it lacks. */
export async function bodiesAt(
  path: string,
  problems: TemplateProblem[],
): Promise<{ readonly html: string | undefined; readonly text: string | undefined }> {
  const body = (name: string) =>
    attempt(problems, async () => {
      const text = await textAt(inside(path, name));
      if (text !== undefined && text.length > MAX_BODY)
        throw templateError(inside(path, name), undefined, `has more than ${MAX_BODY} characters`);
      return text;
    });
  return { html: await body('body.html'), text: await body('body.txt') };
}

/** The problem of a name, a subject or a category; undefined if there is none. */
export const problemOfField = (field: string, value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' && Array.from(value).length <= MAX_FIELD
    ? undefined
    : `"${field}" must be a text of 1 to ${MAX_FIELD} characters`;

/** The UUIDs of a template by account, and the other accounts of the lock. */
export function lockedIn(lock: TemplateLock, folder: string): Pick<TemplateFolder, 'uuids' | 'unpushed'> {
  const uuids: Record<string, string> = {};
  const unpushed: string[] = [];
  for (const [account, templates] of Object.entries(lock)) {
    const uuid = Object.hasOwn(templates, folder) ? templates[folder]?.uuid : undefined;
    if (uuid === undefined) unpushed.push(account);
    else uuids[account] = uuid;
  }
  return { uuids, unpushed };
}
