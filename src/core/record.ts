/** The parts of JSON: objects with fields, and lists. */

/** Whether a value is an object with fields, as a JSON body should be. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The items of a list. A list with holes counts as empty, because it may have billions; the rules refuse it. */
export const itemsOf = (list: unknown): readonly unknown[] =>
  Array.isArray(list) && Object.keys(list).length === list.length ? list : [];
