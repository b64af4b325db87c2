import type { Template } from '../../resources/templates/types.ts';
import type { LockedTemplate } from './lock.ts';
import {
  eachPart,
  hashesOf,
  hashOf,
  isSame,
  partsOfFiles,
  partsOfHosted,
  TEMPLATE_PARTS,
  type Parts,
  type TemplatePart,
} from './parts.ts';
import { languageOf, namesOfFolder } from './languages.ts';
import { folderNameOf } from './names.ts';
import type { ReadFolder } from './read.ts';
import type { TemplateFolder } from './types.ts';

/** The side that changed a part since files and service had it in common. */
export type Changed = 'neither' | 'files' | 'service' | 'both';

/** A template in the files, the lock and the service. */
export interface Compared {
  readonly folder: string;
  readonly files: TemplateFolder | undefined;
  readonly hosted: Template | undefined;
  /** Its entry in the lock. For a template whose creation was not recorded, the entry that it should have. */
  readonly entry: LockedTemplate | undefined;
  /** Whether the template was found in the service without an id in the lock. */
  readonly isFound: boolean;
  /** Templates in the service that may come from one creation whose response was lost. */
  readonly duplicates: readonly Template[];
  /** The side that changed each part; undefined unless the template is in the files and in the service. */
  readonly changed: Readonly<Record<TemplatePart, Changed>> | undefined;
}

/** The templates of the files and the lock, and the templates of the account that are in neither. */
export interface Comparison {
  readonly templates: readonly Compared[];
  /** The templates in neither that the command acts on. */
  readonly unlocked: readonly Template[];
  /** All templates in neither. */
  readonly free: readonly Template[];
}

/** Compares the files with an account: each part with the hash that both sides last had in common. */
export function compare(
  { templates: files, selection, others }: Pick<ReadFolder, 'templates' | 'selection' | 'others'>,
  entries: ReadonlyMap<string, LockedTemplate>,
  hosted: readonly Template[],
): Comparison {
  const byId = new Map(hosted.map((one) => [one.id, one]));
  const byFolder = new Map(files.map((one) => [one.folder, one]));
  const locked = new Set([...entries.values()].flatMap(({ id }) => (id === undefined ? [] : [id])));
  const free = new Set(hosted.filter(({ id }) => !locked.has(id)));
  const withoutFiles = [...entries].flatMap(([folder, { id }]) => {
    const name = id === undefined ? undefined : byId.get(id)?.name;
    const names = [...namesOfFolder(folder), ...(name === undefined ? [] : [name])];
    const isOther = others.has(folder) || !selection.has(...names);
    return isOther ? [] : [folder];
  });
  const folders = [...new Set([...byFolder.keys(), ...withoutFiles])].sort();
  const templates = folders.map((folder): Compared => {
    const entry = entries.get(folder);
    const own = byFolder.get(folder);
    if (entry?.id !== undefined) return compared(folder, own, byId.get(entry.id), entry);
    const made = entry === undefined ? [] : [...free].filter((one) => isMadeBy(entry, one));
    for (const one of made) free.delete(one);
    const [first, ...others] = made;
    if (first !== undefined && others.length === 0 && entry !== undefined)
      return { ...compared(folder, own, first, recorded(first, entry.parts)), isFound: true };
    return {
      folder,
      files: own,
      hosted: undefined,
      entry,
      isFound: false,
      duplicates: made,
      changed: undefined,
    };
  });
  const unlocked = [...free].filter(({ id, name }) => selection.has(name, folderNameOf(name, id)));
  return { templates, unlocked, free: [...free] };
}

/** A folder that is in no lock, and the templates of its name that are in no folder. */
export interface Namesakes {
  readonly named: readonly Template[];
  /**
   * The one that belongs to the folder: it has the same content, or it is the only one. The name alone makes no template a
   * language: others write `Receipt (de)`, too.
   */
  readonly match: Template | undefined;
  /** Whether the match has the same content. */
  readonly isEqual: boolean;
}

/** Finds the templates with the names of folders that are in no lock: the files may be older than the lock. */
export function namesakesOf({ templates, free }: Comparison): ReadonlyMap<string, Namesakes> {
  const taken = new Set<Template>();
  const unpaired = templates.flatMap(({ folder, files, hosted, entry, duplicates }) =>
    files === undefined || hosted !== undefined || entry?.id !== undefined || duplicates.length > 0
      ? []
      : [{ folder, own: partsOfFiles(files) }],
  );
  const found = new Map<string, Namesakes>();
  const take = (folder: string, own: Parts, isEqual: boolean) => {
    const named = free.filter((one) => one.name === own.name && !taken.has(one));
    const [first, ...others] = isEqual ? named.filter((one) => isSame(partsOfHosted(one), own)) : named;
    const isMatch = isEqual || (others.length === 0 && languageOf(folder) === undefined);
    const match = isMatch ? first : undefined;
    if (match !== undefined) taken.add(match);
    if (match !== undefined || !isEqual) found.set(folder, { named, match, isEqual });
  };
  // Equal ones first, so that a folder does not take the template of another one.
  for (const { folder, own } of unpaired) take(folder, own, true);
  for (const { folder, own } of unpaired) if (!found.has(folder)) take(folder, own, false);
  return found;
}

/**
 * Pairs folders that are in no lock with their namesakes in the account. A part that differs may be a change of either
 * side.
 *
 * @param which - `equal` pairs only templates with the same content
 */
export function takenOver(comparison: Comparison, which: 'equal' | 'all'): Comparison {
  const namesakes = namesakesOf(comparison);
  const taken = new Set<Template>();
  const templates = comparison.templates.map((template) => {
    const { match, isEqual = false } = namesakes.get(template.folder) ?? {};
    if (match === undefined || !(isEqual || which === 'all')) return template;
    taken.add(match);
    return { ...compared(template.folder, template.files, match, recorded(match)), isFound: true };
  });
  const left = (some: readonly Template[]) => some.filter((one) => !taken.has(one));
  return { templates, unlocked: left(comparison.unlocked), free: left(comparison.free) };
}

/** Compares one template with its counterpart of the same id. */
export function compared(
  folder: string,
  files: TemplateFolder | undefined,
  hosted: Template | undefined,
  entry: LockedTemplate,
): Compared {
  const changed = files && hosted && changesOf(files, hosted, entry.parts ?? {});
  return { folder, files, hosted, entry, isFound: false, duplicates: [], changed };
}

function changesOf(
  files: TemplateFolder,
  hosted: Template,
  before: NonNullable<LockedTemplate['parts']>,
): Record<TemplatePart, Changed> {
  const [ours, theirs] = [hashesOf(partsOfFiles(files)), hashesOf(partsOfHosted(hosted))];
  return eachPart((part) => {
    if (ours[part] === theirs[part]) return 'neither';
    // A part without a hash in the lock counts as changed on both sides.
    if (ours[part] === before[part]) return 'service';
    return theirs[part] === before[part] ? 'files' : 'both';
  });
}

/** The parts of a template that one of these sides changed. */
export const partsChangedBy = ({ changed }: Compared, ...by: readonly Changed[]): TemplatePart[] =>
  changed === undefined ? [] : TEMPLATE_PARTS.filter((part) => by.includes(changed[part]));

/** True if a template comes from this creation: it is newer, and has the same content. */
function isMadeBy({ createdAfter, parts = {} }: LockedTemplate, hosted: Template): boolean {
  const own = partsOfHosted(hosted);
  const isNewer = createdAfter !== undefined && hosted.id > createdAfter;
  return isNewer && TEMPLATE_PARTS.every((part) => hashOf(own[part]) === parts[part]);
}

/**
 * The reason why parts that differ stay as they are; undefined if there are none. The lock has no state of a part that
 * was never the same, such as after the first pull from another account.
 */
export function conflictOf(template: Compared): string | undefined {
  const { folder, entry } = template;
  const parts = partsChangedBy(template, 'both');
  const isKnown = (part: TemplatePart) => entry?.parts?.[part] !== undefined;
  const [changed, unknown] = [parts.filter(isKnown), parts.filter((part) => !isKnown(part))];
  const texts = [
    ...(changed.length === 0 ? [] : [`${changed.join(', ')} changed on both sides`]),
    ...(unknown.length === 0
      ? []
      : [
          `${unknown.join(', ')} ${unknown.length === 1 ? 'differs' : 'differ'} in the service, and the lock has no earlier state`,
        ]),
  ];
  return texts.length === 0
    ? undefined
    : `${texts.join('; ')}: pull --overwrite ${folder} takes the service, push --overwrite ${folder} the files`;
}

/** The reason for a folder whose template was deleted in the service. */
export const deletedText = (folder: string): string =>
  `was deleted in the service: pull --delete ${folder} deletes the folder, push --overwrite ${folder} creates the template again`;

/** The problem of several templates that may come from one creation. */
export const duplicatesText = (duplicates: readonly Template[]): string =>
  `an interrupted push may have created ${duplicates.map(({ id }) => id).join(' and ')}: delete all but one in the service`;

/** The lock's entry for a template, with the hashes that both sides have in common. */
export const recorded = (
  { id, uuid, updated_at: updatedAt }: Template,
  parts: LockedTemplate['parts'] = {},
): LockedTemplate => ({
  id,
  uuid,
  parts: Object.fromEntries(
    TEMPLATE_PARTS.flatMap((part) => (parts[part] === undefined ? [] : [[part, parts[part]]])),
  ),
  updated_at: updatedAt,
});

/** The hashes that files and service now have in common: the hashes in the lock, and those of equal parts. */
export function commonParts(template: Compared): NonNullable<LockedTemplate['parts']> {
  const { files, entry } = template;
  const before = { ...entry?.parts };
  if (files === undefined) return before;
  const own = partsOfFiles(files);
  for (const part of partsChangedBy(template, 'neither')) before[part] = hashOf(own[part]);
  return before;
}
