import { didYouMean } from '../core/did-you-mean.ts';
import type { Template } from '../resources/templates/types.ts';
import { readSides } from './account.ts';
import type { TemplatesClient } from './client.ts';
import { partsChangedBy, twinsText, type Compared, type Comparison } from './compare.ts';
import { changedLines } from './changed-lines.ts';
import { templateError } from './errors.ts';
import { inside } from './files.ts';
import { hashesOf, partsOfFiles, partsOfHosted, TEMPLATE_PARTS, type TemplatePart } from './parts.ts';

/** Options of {@link planTemplates}. */
export interface TemplatePlanOptions {
  /** Folders of templates whose files replace what was changed in the service. */
  readonly overwrite?: readonly string[] | undefined;
  /** Names of folders that are gone, whose templates are deleted in the service. */
  readonly delete?: readonly string[] | undefined;
  /** Ends the call when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** A part that differs. */
export interface TemplatePartChange {
  /** The part. */
  readonly part: TemplatePart;
  /** In how many lines it differs. */
  readonly lines: number;
}

/** A template that is not the same in the files and in the service. */
export interface TemplateChange {
  /** The name of its folder. */
  readonly folder: string;
  /** Its id in the service; undefined if it is not there. */
  readonly id: number | undefined;
  /**
   * The action of a push: `create`, `update` or `delete`. `conflict`: it was changed on both sides, and stops the push
   * until it is named. `none`: nothing; either the service alone changed it, or its folder is gone.
   */
  readonly action: 'create' | 'update' | 'delete' | 'conflict' | 'none';
  /** The parts that the push writes. */
  readonly push: readonly TemplatePartChange[];
  /** The parts that were changed in the service alone: a pull takes them. */
  readonly pull: readonly TemplatePartChange[];
  /** Why it is a conflict, or why nothing is done; undefined where the parts say it. */
  readonly reason: string | undefined;
}

/** A template of an account that is in no folder. */
export interface UnlockedTemplate {
  /** Its id. */
  readonly id: number;
  /** Its name. */
  readonly name: string;
}

/** The differences between a folder of templates and an account, and what a push does about them. */
export interface TemplatePlan {
  /** The account. */
  readonly accountId: number;
  /** Templates that differ, sorted by their folders. */
  readonly changes: readonly TemplateChange[];
  /** How many are the same on both sides. */
  readonly same: number;
  /** Templates of the account that are in no folder: a push leaves them alone, and a pull writes them. */
  readonly unlocked: readonly UnlockedTemplate[];
}

/**
 * Compares a folder of templates with an account, and says what {@link pushTemplates} would do. It changes nothing on either
 * side. One request, and one more where the client has no `accountId`.
 *
 * @param client - The client; the account is its `accountId`, or else the only one that its token can see.
 * @param folder - The path of the folder.
 * @example
 * ```ts
 * const { changes } = await planTemplates(client, 'emails');
 * for (const { folder, action } of changes) console.log(folder, action);
 * ```
 * @throws {@link TemplateError} for files that cannot be read, `ConfigurationError` for an account that is not clear,
 * `AuthenticationError`, `PermissionDeniedError`, `RateLimitError`
 */
export async function planTemplates(
  client: TemplatesClient,
  folder: string,
  options: TemplatePlanOptions = {},
): Promise<TemplatePlan> {
  const { accountId, comparison } = await readSides(client, folder, options.signal);
  checkNames(folder, comparison, options);
  return planOf(accountId, comparison, options);
}

/** The plan: a function of what was compared. */
export function planOf(
  accountId: number,
  { templates, unlocked }: Comparison,
  options: TemplatePlanOptions,
): TemplatePlan {
  const changes = templates.flatMap((template) => changeOf(template, unlocked, options) ?? []);
  const known = templates.filter(({ files, hosted }) => files !== undefined && hosted !== undefined);
  const same = known.filter((template) => partsChangedBy(template, 'files', 'service', 'both').length === 0);
  return { accountId, changes, same: same.length, unlocked: unlocked.map(({ id, name }) => ({ id, name })) };
}

/** Names to overwrite or to delete must be those of templates: a slip would do nothing, and be taken for success. */
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
  unlocked: readonly Template[],
  options: TemplatePlanOptions,
): TemplateChange | undefined {
  const { folder, files, hosted, entry, twins } = template;
  const isOverwritten = options.overwrite?.includes(folder) === true;
  const isDeleted = options.delete?.includes(folder) === true;
  const as = (action: TemplateChange['action'], more: Partial<TemplateChange> = {}): TemplateChange => ({
    folder,
    id: hosted?.id,
    action,
    push: [],
    pull: [],
    reason: undefined,
    ...more,
  });
  if (twins.length > 0) return as('conflict', { reason: twinsText(twins) });
  if (files === undefined && hosted === undefined) return undefined;
  if (files === undefined) return folderGone(template, as, { isOverwritten, isDeleted });
  if (isDeleted) return as('conflict', { reason: 'its folder is still there: delete that first' });
  if (hosted === undefined) {
    if (entry?.id !== undefined && !isOverwritten)
      return as('conflict', { reason: 'was deleted in the service since the last push' });
    const other = unlocked.find(({ name }) => name === files.name);
    return as('create', {
      reason: other && `the account has another template of this name, ${other.id}: pull takes it over`,
    });
  }
  return withParts(template, files, hosted, as, isOverwritten);
}

type As = (action: TemplateChange['action'], more?: Partial<TemplateChange>) => TemplateChange;

function folderGone(
  { folder, hosted, entry }: Compared,
  as: As,
  { isOverwritten, isDeleted }: { readonly isOverwritten: boolean; readonly isDeleted: boolean },
): TemplateChange {
  if (!isDeleted)
    return as('none', { reason: `has no folder: push --delete ${folder} deletes it, pull writes it again` });
  const theirs = hosted && hashesOf(partsOfHosted(hosted));
  const isChanged = TEMPLATE_PARTS.some((part) => theirs?.[part] !== entry?.parts?.[part]);
  return isChanged && !isOverwritten
    ? as('conflict', { reason: 'was changed in the service since the last push' })
    : as('delete');
}

function withParts(
  template: Compared,
  files: NonNullable<Compared['files']>,
  hosted: Template,
  as: As,
  isOverwritten: boolean,
): TemplateChange | undefined {
  const [own, theirs] = [partsOfFiles(files), partsOfHosted(hosted)];
  const shown = (parts: readonly TemplatePart[]) =>
    parts.map((part) => ({ part, lines: changedLines(own[part], theirs[part]) }));
  const isCleared = (part: TemplatePart) => own[part] === null && theirs[part] !== null;
  const ours = partsChangedBy(template, ...(isOverwritten ? ALL : (['files'] as const)));
  const push = shown(ours.filter((part) => !isCleared(part)));
  const pull = shown(isOverwritten ? [] : partsChangedBy(template, 'service'));
  const both = isOverwritten ? [] : partsChangedBy(template, 'both');
  const cleared = isOverwritten ? [] : ours.filter(isCleared);
  const reasons = [
    ...(both.length === 0
      ? []
      : [`${both.join(', ')} changed in the service since the last push, and in the files`]),
    ...(cleared.length === 0 ? [] : [`${cleared.join(', ')} removed: the service cannot clear a body`]),
  ];
  if (reasons.length > 0) return as('conflict', { push, pull, reason: reasons.join('; ') });
  if (push.length > 0) return as('update', { push, pull });
  return pull.length > 0 ? as('none', { pull }) : undefined;
}

const ALL = ['files', 'service', 'both'] as const;
