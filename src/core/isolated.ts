import { isPromise, tried } from './tried.ts';

/**
 * The class of isolated objects: its prototype has no fields and inherits none. Its objects take a third of the memory
 * of `Object.create(null)`, which V8 stores as a hash table.
 */
const Isolated = function () {
  // Fields are assigned afterwards.
} as unknown as new () => object;
Isolated.prototype = Object.freeze(Object.create(null)) as object;

/** Prototype-free, so a polluted `Object.prototype` cannot add options that a library would read. */
export const isolated = <T extends object>(fields: T): T => Object.assign(new Isolated() as T, fields);

/** Isolates a caller's options. Any value except a readable plain object stays as it is; the later checks refuse it. */
export const isolatedIfPlain = <T>(options: T): T =>
  tried(
    () => (Object.getPrototypeOf(options) === Object.prototype ? isolated(options as T & object) : options),
    () => options,
  );

/**
 * A deep copy of a caller's data, isolated: later changes of the originals have no effect. Dates, functions and
 * promises are shared. Each object is copied once, and a list by its items: neither repetitions nor a huge length cost time.
 */
export function deepCopy<T>(value: T, copies = new Map<unknown, unknown>()): T {
  if (typeof value !== 'object' || value === null || value instanceof Date || isPromise(value)) return value;
  const known = copies.get(value) as T | undefined;
  if (known !== undefined) return known;
  const copy = Array.isArray(value) ? [] : isolated({});
  copies.set(value, copy);
  if (Array.isArray(copy)) for (const item of Object.values(value)) copy.push(deepCopy(item, copies));
  else for (const [name, item] of Object.entries(value)) Reflect.set(copy, name, deepCopy(item, copies));
  return copy as T;
}
