/** The parts of JSON: objects with fields, and lists. */

/** Whether a value is an object with fields, as a JSON body should be. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field of data, such as parsed JSON: only one that the object itself has. Inherited fields count as absent. */
export const fieldOf = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/**
 * A field of a caller's object, which may inherit it from its class. A field that `Object.prototype` has too counts only
 * if the object itself has it.
 */
export const memberOf = (value: unknown, name: string): unknown =>
  isRecord(value) && (Object.hasOwn(value, name) || !(name in Object.prototype)) ? value[name] : undefined;

/** The items of a list. A list with holes counts as empty, because it may have billions; the rules refuse it. */
export const itemsOf = (list: unknown): readonly unknown[] =>
  Array.isArray(list) && Object.keys(list).length === list.length ? list : [];

/** Whether a field has a value: for the service, null counts as absent. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
