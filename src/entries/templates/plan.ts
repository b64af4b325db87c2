import { didYouMean } from '../../kit/did-you-mean.ts';
import type { Template } from '../../resources/templates/types.ts';
import { readSides } from './account.ts';
import type { TemplatesClient } from './client.ts';
import { checkedTemplates, readFamilies } from './checked.ts';
import {
  conflictOf,
  deletedText,
  duplicatesText,
  namesakesOf,
  partsChangedBy,
  takenOver,
  type Compared,
  type Comparison,
  type Namesakes,
} from './compare.ts';
import { changedLines } from './changed-lines.ts';
import { templateError, type TemplateProblem } from './errors.ts';
import { inside } from './files.ts';
import { languageOf } from './languages.ts';
import { hashesOf, partsOfFiles, partsOfHosted, TEMPLATE_PARTS, type TemplatePart } from './parts.ts';

/** Options of {@link planTemplates}. */
export interface TemplatePlanOptions {
  /**
   * Names of templates, or of their folders, with `*` for any text and `?` for one character. The others stay as they
   * are.
   *
   * @defaultValue all that `ignore` in `templates.config.json` does not name
   */
  readonly only?: readonly string[] | undefined;
  /** Folders of templates whose files replace changes in the service. */
  readonly overwrite?: readonly string[] | undefined;
  /** Names of deleted folders whose templates are deleted in the service. */
  readonly delete?: readonly string[] | undefined;
  /** Ends the call when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** A part that differs between files and service. */
export interface TemplatePartChange {
  /** The part. */
  readonly part: TemplatePart;
  /** Number of lines that differ. */
  readonly lines: number;
}

/** A template that differs between the files and the service. */
export interface TemplateChange {
  /** The name of its folder. */
  readonly folder: string;
  /** Its id in the service; undefined if it is missing there. */
  readonly id: number | undefined;
  /**
   * The action of a push: `create`, `update` or `delete`. `conflict`: both sides changed the template, and the push
   * stops until an option names it. `invalid`: its files have `problems`, and the push stops until they are mended.
   * `none`: either only the service changed it, or its folder is gone.
   */
  readonly action: 'create' | 'update' | 'delete' | 'conflict' | 'invalid' | 'none';
  /** The parts that the push writes. */
  readonly push: readonly TemplatePartChange[];
  /** The parts that only the service changed: a pull takes them. */
  readonly pull: readonly TemplatePartChange[];
  /** The reason for a conflict, or for no action, with the remedy; undefined if the parts show it. */
  readonly reason: string | undefined;
  /** The problems of files that a push would write, as {@link templateTypes} finds them. */
  readonly problems: readonly TemplateProblem[];
}

/** A template of an account without a folder. */
export interface UnlockedTemplate {
  /** Its id. */
  readonly id: number;
  /** Its name. */
  readonly name: string;
  /** The relation to the folders, with the effect of a pull. */
  readonly reason: string;
}

/** The differences between a folder of templates and an account, and the actions of a push. */
export interface TemplatePlan {
  /** The account. */
  readonly accountId: number;
  /** Templates that differ, sorted by their folders. */
  readonly changes: readonly TemplateChange[];
  /** Number of templates that are equal on both sides. */
  readonly same: number;
  /** Templates of the account without a folder: a push ignores them, and a pull writes them. */
  readonly unlocked: readonly UnlockedTemplate[];
}

/**
 * Compares a folder of templates with an account, and returns the actions of {@link pushTemplates}. It changes
 * nothing on either side. It takes one request, and one more if the client has no `accountId`.
 *
 * @param client - The client; its account is `accountId`, or the only one that its token can see.
 * @param folder - The path of the folder.
 * @example
 * ```ts
 * const { changes } = await planTemplates(client, 'emails');
 * for (const { folder, action } of changes) console.log(folder, action);
 * ```
 * @throws {@link TemplateError} for unreadable files, `ConfigurationError` for an ambiguous account,
 * `AuthenticationError`, `PermissionDeniedError`, `RateLimitError`
 */
export async function planTemplates(
  client: TemplatesClient,
  folder: string,
  options: TemplatePlanOptions = {},
): Promise<TemplatePlan> {
  const { accountId, comparison } = await readSides(client, folder, options);
  checkNames(folder, comparison, options);
  return planOf(accountId, takenOver(comparison, 'equal'), options);
}

/** Makes the plan from the comparison, in which equal templates of one name are paired. */
export function planOf(
  accountId: number,
  comparison: Comparison,
  options: TemplatePlanOptions,
): TemplatePlan {
  const { templates } = comparison;
  const namesakes = namesakesOf(comparison);
  const problems = problemsByFolder(templates);
  const changes = templates.flatMap((template): TemplateChange[] => {
    const change = changeOf(template, namesakes.get(template.folder), options);
    if (change === undefined) return [];
    const own = isWritten(change) ? (problems().get(template.folder) ?? []) : [];
    return [own.length === 0 ? change : { ...change, action: 'invalid', problems: own }];
  });
  const known = templates.filter(({ files, hosted }) => files !== undefined && hosted !== undefined);
  const same = known.filter((template) => partsChangedBy(template, 'files', 'service', 'both').length === 0);
  const unlocked = comparison.unlocked.map((one) => unlockedOf(one, templates, namesakes));
  return { accountId, changes, same: same.length, unlocked };
}

const isWritten = ({ action }: TemplateChange) => action === 'create' || action === 'update';

/** The problems of the files, by folder. Read at the first use: most runs write nothing. */
function problemsByFolder(
  templates: readonly Compared[],
): () => ReadonlyMap<string, readonly TemplateProblem[]> {
  let found: ReadonlyMap<string, readonly TemplateProblem[]> | undefined;
  return () =>
    (found ??= new Map(
      checkedTemplates(readFamilies(templates.flatMap(({ files }) => files ?? []))).flatMap(
        ({ template, languages, problems }) =>
          [template, ...languages].map(({ files }) => [files.folder, problems] as const),
      ),
    ));
}

function unlockedOf(
  { id, name }: Template,
  templates: readonly Compared[],
  namesakes: ReadonlyMap<string, Namesakes>,
): UnlockedTemplate {
  const owner = templates.find(({ folder }) => namesakes.get(folder)?.match?.id === id);
  const twin = templates.find(({ hosted }) => hosted?.name === name);
  const reason =
    owner !== undefined
      ? `has no folder, and the name of ${owner.folder}`
      : twin?.hosted !== undefined
        ? `has no folder, and the name of ${twin.folder} (${twin.hosted.id}): pull writes it, unless one of them is deleted in the service`
        : 'has no folder: pull writes it';
  return { id, name, reason };
}

/**
 * Throws for a name to overwrite or to delete without a template: a typing mistake would otherwise look like success.
 */
export function checkNames(
  folder: string,
  { templates }: Pick<Comparison, 'templates'>,
  options: TemplatePlanOptions,
): void {
  const known = templates.map((template) => template.folder);
  for (const name of [...(options.overwrite ?? []), ...(options.delete ?? [])]) {
    if (!known.includes(name))
      throw templateError(
        inside(folder, name),
        undefined,
        `there is no such template${didYouMean(name, known)}`,
      );
  }
}

function changeOf(
  template: Compared,
  namesakes: Namesakes | undefined,
  options: TemplatePlanOptions,
): TemplateChange | undefined {
  const { folder, files, hosted, entry, duplicates } = template;
  const isOverwritten = options.overwrite?.includes(folder) === true;
  const isDeleted = options.delete?.includes(folder) === true;
  const as = (action: TemplateChange['action'], more: Partial<TemplateChange> = {}): TemplateChange => ({
    folder,
    id: hosted?.id,
    action,
    push: [],
    pull: [],
    reason: undefined,
    problems: [],
    ...more,
  });
  if (duplicates.length > 0) return as('conflict', { reason: duplicatesText(duplicates) });
  if (files === undefined && hosted === undefined) return undefined;
  if (files === undefined) return folderGone(template, as, { isOverwritten, isDeleted });
  if (isDeleted) return as('conflict', { reason: 'its folder is still there: delete that first' });
  if (hosted === undefined) {
    if (isOverwritten) return as('create');
    if (entry?.id !== undefined) return as('conflict', { reason: deletedText(folder) });
    return namesakes === undefined || namesakes.named.length === 0
      ? as('create')
      : as('conflict', { reason: namesakesText(folder, namesakes) });
  }
  return withParts(template, files, hosted, as, isOverwritten);
}

/** The reason for a folder in no lock, beside templates of its name. */
function namesakesText(folder: string, { named, match }: Namesakes): string {
  const ids = named.map(({ id }) => id);
  const create = `push --overwrite ${folder} creates another`;
  if (languageOf(folder) !== undefined)
    return `the account has a template of this name that no lock knows as a language, ${ids.join(' and ')}: rename one of them, or ${create}`;
  return match === undefined
    ? `the account has ${ids.length} templates of this name in no folder, ${ids.join(' and ')}: pull writes them into folders of their own, ${create}`
    : `the account has a template of this name, ${match.id}, with other content: to keep its content, pull --overwrite ${folder}; to keep the files, push --overwrite ${folder}, which creates another`;
}

type As = (action: TemplateChange['action'], more?: Partial<TemplateChange>) => TemplateChange;

function folderGone(
  { folder, hosted, entry }: Compared,
  as: As,
  { isOverwritten, isDeleted }: { readonly isOverwritten: boolean; readonly isDeleted: boolean },
): TemplateChange {
  const theirs = hosted && hashesOf(partsOfHosted(hosted));
  const isChanged = TEMPLATE_PARTS.some((part) => theirs?.[part] !== entry?.parts?.[part]);
  const both = `pull writes it again, push --delete ${folder} --overwrite ${folder} deletes it`;
  if (isDeleted)
    return isChanged && !isOverwritten
      ? as('conflict', { reason: `was changed in the service: ${both}` })
      : as('delete');
  return as('none', {
    reason: isChanged
      ? `has no folder, and was changed in the service: ${both}`
      : `has no folder: push --delete ${folder} deletes it, pull writes it again`,
  });
}

function withParts(
  template: Compared,
  files: NonNullable<Compared['files']>,
  hosted: Template,
  as: As,
  isOverwritten: boolean,
): TemplateChange | undefined {
  const { folder } = template;
  const [own, theirs] = [partsOfFiles(files), partsOfHosted(hosted)];
  const shown = (parts: readonly TemplatePart[]) =>
    parts.map((part) => ({ part, lines: changedLines(own[part], theirs[part]) }));
  const isCleared = (part: TemplatePart) => own[part] === null && theirs[part] !== null;
  const ours = partsChangedBy(template, ...(isOverwritten ? ALL : (['files'] as const)));
  const push = shown(ours.filter((part) => !isCleared(part)));
  const pull = shown(isOverwritten ? [] : partsChangedBy(template, 'service'));
  const both = isOverwritten ? undefined : conflictOf(template);
  // With `overwrite`, the rest is pushed, if there is any.
  const cleared = isOverwritten && push.length > 0 ? [] : ours.filter(isCleared);
  const reasons = [
    ...(both === undefined ? [] : [both]),
    ...(cleared.length === 0
      ? []
      : [
          `${cleared.join(', ')} removed, and the service cannot clear a body: pull --overwrite ${folder} writes it again${push.length > 0 ? `, push --overwrite ${folder} pushes the rest` : ''}`,
        ]),
  ];
  if (reasons.length > 0) return as('conflict', { push, pull, reason: reasons.join('; ') });
  if (push.length > 0) return as('update', { push, pull });
  if (pull.length > 0) return as('none', { pull });
  return template.isFound
    ? as('none', { reason: `the account has it, ${hosted.id}, and the lock does not: push writes the lock` })
    : undefined;
}

const ALL = ['files', 'service', 'both'] as const;
