/** A query value: scalars, Dates, and records and lists of them, which are written in brackets. */
export type QueryValue =
  | string
  | number
  | boolean
  | Date
  | undefined
  | readonly QueryValue[]
  | { readonly [key: string]: QueryValue };

function append(parts: string[], name: string, value: QueryValue): void {
  if (value === undefined) return;
  if (value instanceof Date) append(parts, name, value.toISOString());
  else if (typeof value !== 'object') {
    parts.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  } else if (Array.isArray(value)) {
    for (const item of value as readonly QueryValue[]) append(parts, `${name}[]`, item);
  } else {
    for (const [key, item] of Object.entries(value as Record<string, QueryValue>))
      append(parts, `${name}[${key}]`, item);
  }
}

/**
 * The query string in the service's deep-object form, with its `?`, or `''` when there is nothing to say:
 * `{ filters: { to: { value: ['a'] } } }` becomes `filters[to][value][]=a`, brackets percent-encoded.
 */
export function queryString(query: Readonly<Record<string, QueryValue>> = {}): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(query)) append(parts, name, value);
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}
