/** Groups values by an id, in the order of their first. */
export function grouped<T>(all: readonly T[], idOf: (one: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(idOf(one));
    if (group) group.push(one);
    else groups.set(idOf(one), [one]);
  }
  return [...groups.values()];
}
