import { tried } from './tried.ts';

/**
 * The class of isolated objects: it has no fields, and inherits none. Objects of a class take a third of the memory of those
 * made by `Object.create(null)`, which V8 keeps as hash tables.
 */
const Isolated = function () {
  // Fields are assigned afterwards.
} as unknown as new () => object;
Isolated.prototype = Object.freeze(Object.create(null)) as object;

/**
 * An object that inherits nothing. A library that looks for an option that we leave out finds nothing, even if other
 * code has put a field of that name on `Object.prototype`.
 */
export const isolated = <T extends object>(fields: T): T => Object.assign(new Isolated() as T, fields);

/** A caller's options, isolated. Anything but a readable plain object stays as it is: the checks refuse it later. */
export const isolatedIfPlain = <T>(options: T): T =>
  tried(
    () => (Object.getPrototypeOf(options) === Object.prototype ? isolated(options as T & object) : options),
    () => options,
  );
