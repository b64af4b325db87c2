/** Requests of the page to its server. */
import type { TemplateConflict, TemplateList, TemplatePreview } from '../../data/template-data.ts';
import { ask, Refusal } from '../live/live.ts';

type Variables = Readonly<Record<string, unknown>>;

/** The list of templates, as soon as it is newer than a version. */
export const listAfter = (version: number) =>
  ask('GET', `templates?since=${version}`) as Promise<TemplateList>;

export const previewOf = (folder: string, variables: Variables | undefined) =>
  ask('POST', 'preview', { folder, variables }) as Promise<TemplatePreview>;

/** Saves variables. Returns the file if it has other values than `before`: then nothing was saved. */
export const saveExample = (folder: string, before: Variables, variables: Variables) =>
  ask('PUT', 'example', { folder, before, variables }).catch((error: unknown) => {
    if (error instanceof Refusal && error.status === 409) return error.json;
    throw error;
  }) as Promise<TemplateConflict | undefined>;
