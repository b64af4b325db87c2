/** A value as text, as in JavaScript: a list with commas, an object as `[object Object]`. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  try {
    // oxlint-disable-next-line typescript/no-base-to-string -- as Handlebars does
    return String(value);
  } catch {
    // The value has a field `toString`, or its lists are nested too deep.
    return Array.isArray(value) ? '' : '[object Object]';
  }
}
