/** A copy, down to its Dates: what the caller changes afterwards makes no difference. */
export function copyOf<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => copyOf(item)) as T;
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyOf<unknown>(item)])) as T;
}
