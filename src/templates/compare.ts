import type { Template } from '../resources/templates/types.ts';
import type { LockedTemplate } from './lock.ts';
import {
  eachPart,
  hashesOf,
  hashOf,
  partsOfFiles,
  partsOfHosted,
  TEMPLATE_PARTS,
  type TemplatePart,
} from './parts.ts';
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
  /** Templates in the service that may come from one creation whose response was lost. */
  readonly duplicates: readonly Template[];
  /** The side that changed each part; undefined unless the template is in the files and in the service. */
  readonly changed: Readonly<Record<TemplatePart, Changed>> | undefined;
}

/** All templates of the files and the lock, and the templates of the account that are in neither. */
export interface Comparison {
  readonly templates: readonly Compared[];
  readonly unlocked: readonly Template[];
}

/** Compares the files with an account: each part with the hash that both sides last had in common. */
export function compare(
  files: readonly TemplateFolder[],
  entries: ReadonlyMap<string, LockedTemplate>,
  hosted: readonly Template[],
): Comparison {
  const byId = new Map(hosted.map((one) => [one.id, one]));
  const byFolder = new Map(files.map((one) => [one.folder, one]));
  const locked = new Set([...entries.values()].flatMap(({ id }) => (id === undefined ? [] : [id])));
  const free = new Set(hosted.filter(({ id }) => !locked.has(id)));
  const folders = [...new Set([...byFolder.keys(), ...entries.keys()])].sort();
  const templates = folders.map((folder): Compared => {
    const entry = entries.get(folder);
    const own = byFolder.get(folder);
    if (entry?.id !== undefined) return compared(folder, own, byId.get(entry.id), entry);
    const made = entry === undefined ? [] : [...free].filter((one) => isMadeBy(entry, one));
    for (const one of made) free.delete(one);
    const [first, ...others] = made;
    if (first !== undefined && others.length === 0 && entry !== undefined)
      return compared(folder, own, first, recorded(first, entry.parts));
    return { folder, files: own, hosted: undefined, entry, duplicates: made, changed: undefined };
  });
  return { templates, unlocked: [...free] };
}

/** Compares one template with its counterpart of the same id. */
export function compared(
  folder: string,
  files: TemplateFolder | undefined,
  hosted: Template | undefined,
  entry: LockedTemplate,
): Compared {
  const changed = files && hosted && changesOf(files, hosted, entry.parts ?? {});
  return { folder, files, hosted, entry, duplicates: [], changed };
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

/** The problem of several templates that may come from one creation. */
export const duplicatesText = (duplicates: readonly Template[]): string =>
  `an interrupted push may have created ${duplicates.map(({ id }) => id).join(' and ')}: delete all but one`;

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
