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

/** Who changed a part since files and service had it in common. */
export type Changed = 'neither' | 'files' | 'service' | 'both';

/** A template in the files, the lock and the service. */
export interface Compared {
  readonly folder: string;
  readonly files: TemplateFolder | undefined;
  readonly hosted: Template | undefined;
  /** Its entry in the lock; of a template whose creation was not recorded, as it should have been. */
  readonly entry: LockedTemplate | undefined;
  /** The templates in the service that may have come of one creation whose response was lost. */
  readonly twins: readonly Template[];
  /** Who changed each part; undefined unless it is in the files and in the service. */
  readonly changed: Readonly<Record<TemplatePart, Changed>> | undefined;
}

/** All templates of the files and the lock; and those of the account that are in neither. */
export interface Comparison {
  readonly templates: readonly Compared[];
  readonly unlocked: readonly Template[];
}

/** Compares the files with an account: each part with the hash that both had last in common. */
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
    return { folder, files: own, hosted: undefined, entry, twins: made, changed: undefined };
  });
  return { templates, unlocked: [...free] };
}

/** Compares one template, which is known by its id. */
export function compared(
  folder: string,
  files: TemplateFolder | undefined,
  hosted: Template | undefined,
  entry: LockedTemplate,
): Compared {
  const changed = files && hosted && changesOf(files, hosted, entry.parts ?? {});
  return { folder, files, hosted, entry, twins: [], changed };
}

function changesOf(
  files: TemplateFolder,
  hosted: Template,
  before: NonNullable<LockedTemplate['parts']>,
): Record<TemplatePart, Changed> {
  const [ours, theirs] = [hashesOf(partsOfFiles(files)), hashesOf(partsOfHosted(hosted))];
  return eachPart((part) => {
    if (ours[part] === theirs[part]) return 'neither';
    // A part that is not in the lock is not known to be one side's.
    if (ours[part] === before[part]) return 'service';
    return theirs[part] === before[part] ? 'files' : 'both';
  });
}

/** The parts of a template that were changed there. */
export const partsChangedBy = ({ changed }: Compared, ...by: readonly Changed[]): TemplatePart[] =>
  changed === undefined ? [] : TEMPLATE_PARTS.filter((part) => by.includes(changed[part]));

/** Whether a template came of a creation: it was made since, with that content. */
function isMadeBy({ createdAfter, parts = {} }: LockedTemplate, hosted: Template): boolean {
  const own = partsOfHosted(hosted);
  const isNewer = createdAfter !== undefined && hosted.id > createdAfter;
  return isNewer && TEMPLATE_PARTS.every((part) => hashOf(own[part]) === parts[part]);
}

/** The problem of several templates that may have come of one creation. */
export const twinsText = (twins: readonly Template[]): string =>
  `an interrupted push may have created ${twins.map(({ id }) => id).join(' and ')}: delete all but one`;

/** The entry of a template in the service, with the hashes that it has in common with the files. */
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

/** The hashes that files and service have in common now: those of the lock, and of the parts that are the same. */
export function commonParts(template: Compared): NonNullable<LockedTemplate['parts']> {
  const { files, entry } = template;
  const before = { ...entry?.parts };
  if (files === undefined) return before;
  const own = partsOfFiles(files);
  for (const part of partsChangedBy(template, 'neither')) before[part] = hashOf(own[part]);
  return before;
}
