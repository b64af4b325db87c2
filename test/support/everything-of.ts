import { inspect } from 'node:util';

/** The value of a property; undefined when it cannot be read. */
function valueOf(holder: object, key: PropertyKey, owner: object): unknown {
  try {
    return Reflect.get(holder, key, owner);
  } catch {
    return undefined;
  }
}

/** The structured clone of a value, as another thread gets it; nothing if it cannot be cloned. */
function cloned(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return undefined;
  }
}

/** Everything readable in a value: its text, its JSON, its clone, and everything reachable from it. */
export function everythingOf(value: unknown): string {
  const seen = new Set<unknown>();
  const json = JSON.stringify(value) as string | undefined;
  const looks = { depth: 12, showHidden: true, getters: true };
  const parts = [
    inspect(value, looks),
    inspect(value, { ...looks, customInspect: false }),
    String(value),
    json ?? '',
  ];
  const visit = (part: unknown) => {
    if (typeof part === 'string') parts.push(part);
    if (typeof part !== 'object' || part === null || seen.has(part)) return;
    seen.add(part);
    if (part instanceof Headers) for (const pair of part) parts.push(...pair);
    for (
      let level: object | null = part;
      level !== null && level !== Object.prototype;
      level = Object.getPrototypeOf(level) as object | null
    ) {
      for (const key of Reflect.ownKeys(level)) {
        parts.push(String(key));
        visit(valueOf(level, key, part));
      }
    }
  };
  visit(value);
  visit(cloned(value));
  return [...new Set(parts)].join('\n');
}
