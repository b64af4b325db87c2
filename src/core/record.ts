/** The parts of JSON: objects with fields, and lists. */

/** Whether a value is an object with fields, as a JSON body should be. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own field of data from outside, such as JSON; undefined if it has none, whatever a prototype has. */
export const fieldOf = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** A field of a caller's object, or of its class; undefined if it has none, whatever `Object.prototype` has. */
export const memberOf = (value: unknown, name: string): unknown =>
  isRecord(value) && (Object.hasOwn(value, name) || !(name in Object.prototype)) ? value[name] : undefined;

/** The items of a list. A list with holes counts as empty, because it may have billions; the rules refuse it. */
export const itemsOf = (list: unknown): readonly unknown[] =>
  Array.isArray(list) && Object.keys(list).length === list.length ? list : [];
