const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
};

/** Escapes the five characters that the service documents. Handlebars also escapes `=` and the backtick. */
export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

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
