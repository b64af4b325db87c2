/**
 * A deep copy of a caller's arguments, so that changing the originals after the call has no effect on requests still to
 * be sent. Arrays and objects are copied at every level; Dates are shared with the original.
 */
export function deepCopy<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => deepCopy(item)) as T;
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, deepCopy<unknown>(item)])) as T;
}
