/** The address of a view, after the `#`. */

export const VIEWS = ['overview', 'mails', 'received', 'requests', 'service'] as const;
/** A comparison has `changes` before these. */
export type View = (typeof VIEWS)[number] | 'changes';

export interface Route {
  readonly view: View;
  /** The id of the selected mail, request or post. */
  readonly id: string | null;
}

/** Reads `#/mails/17`. Without a view it is the first one, and any other address is the overview. */
export function readRoute(hash: string, first: View = 'overview'): Route {
  if (hash === '' || hash === '#') return { view: first, id: null };
  const [, name, id] = /^#\/(\w+)(?:\/(.+))?$/.exec(hash) ?? [];
  const view = name === 'changes' ? name : (VIEWS.find((known) => known === name) ?? 'overview');
  try {
    return { view, id: id === undefined ? null : decodeURIComponent(id) };
  } catch {
    return { view, id: null };
  }
}

export function hashOf(view: View, id?: string): string {
  if (view === 'overview') return '#/';
  return id === undefined ? `#/${view}` : `#/${view}/${encodeURIComponent(id)}`;
}
