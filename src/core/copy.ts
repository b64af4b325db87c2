/** A deep copy of arguments, because the caller may change the originals after the call; Dates are shared. */
export function deepCopy<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => deepCopy(item)) as T;
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, deepCopy<unknown>(item)])) as T;
}
