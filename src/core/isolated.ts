import { tried } from './tried.ts';

/**
 * An options object without a prototype. A library that looks for an option that we leave out finds nothing, even if other
 * code has put a field of that name on `Object.prototype`.
 */
export const isolated = <T extends object>(fields: T): T => Object.assign(Object.create(null) as T, fields);

/** A caller's options, isolated. Anything but a readable plain object stays as it is: the checks refuse it later. */
export const isolatedIfPlain = <T>(options: T): T =>
  tried(
    () => (Object.getPrototypeOf(options) === Object.prototype ? isolated(options as T & object) : options),
    () => options,
  );
