/** Values by their keys, in the order of the first one. A value may have several keys, or none. */
export function grouped<T, K>(all: Iterable<T>, keysOf: (one: T) => Iterable<K>): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) {
    for (const key of keysOf(one)) {
      const group = groups.get(key);
      if (group) group.push(one);
      else groups.set(key, [one]);
    }
  }
  return groups;
}
