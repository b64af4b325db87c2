import { tried } from './tried.ts';

/**
 * An options object without a prototype: what somebody else's code has put on `Object.prototype` is not found in it, say
 * by a library that looks for an option we do not give.
 */
export const isolated = <T extends object>(fields: T): T => Object.assign(Object.create(null) as T, fields);

/** A caller's options, isolated. What is not a plain object, or cannot be read, is left to the checks as it is. */
export const isolatedIfPlain = <T>(options: T): T =>
  tried(
    () => (Object.getPrototypeOf(options) === Object.prototype ? isolated(options as T & object) : options),
    () => options,
  );
