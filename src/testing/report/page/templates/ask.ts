/** Requests of the page to its server. */
import type { TemplateList, TemplatePreview } from '../../data/template-data.ts';

type Variables = Readonly<Record<string, unknown>>;

async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(path, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  });
  if (response.status === 204) return undefined;
  const answer = (await response.json()) as { error?: string };
  if (!response.ok) throw new Error(answer.error ?? `Status ${response.status}`);
  return answer;
}

/** The list of templates, as soon as it is newer than a version. */
export const listAfter = (version: number) =>
  ask('GET', `templates?since=${version}`) as Promise<TemplateList>;

export const previewOf = (folder: string, variables: Variables | undefined) =>
  ask('POST', 'preview', { folder, variables }) as Promise<TemplatePreview>;

export const saveExample = (folder: string, before: Variables, variables: Variables) =>
  ask('PUT', 'example', { folder, before, variables }) as Promise<undefined>;
