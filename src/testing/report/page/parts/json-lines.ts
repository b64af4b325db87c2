/** A body as indented lines. A line with a refused field has the reasons beside it. */
import { jsonOf } from '../../../../kit/json-of.ts';

export interface BodyLine {
  readonly text: string;
  readonly notes: readonly string[];
}

interface Reason {
  readonly field: string | null;
  readonly message: string;
}

/** `to[0].email`, `to.0.email` and `/to/0/email` are one path. */
const normal = (field: string) =>
  field
    .replace(/\[['"]?([^\]'"]*)['"]?\]/g, '.$1')
    .replaceAll('/', '.')
    .replace(/^\.+/, '');

/** Indents JSON like `JSON.stringify`, and yields each line with its path. */
function* linesOf(
  value: unknown,
  path: string,
  lead: string,
  indent: string,
  tail: string,
): Generator<[string, string]> {
  if (typeof value !== 'object' || value === null) {
    yield [path, `${lead}${JSON.stringify(value)}${tail}`];
    return;
  }
  const isArray = Array.isArray(value);
  const [open, close] = isArray ? '[]' : '{}';
  const entries = Object.entries(value);
  if (entries.length === 0) {
    yield [path, `${lead}${open}${close}${tail}`];
    return;
  }
  yield [path, `${lead}${open}`];
  const inner = `${indent}  `;
  for (const [index, [key, child]] of entries.entries()) {
    const name = isArray ? inner : `${inner}${JSON.stringify(key)}: `;
    yield* linesOf(
      child,
      path === '' ? key : `${path}.${key}`,
      name,
      inner,
      index < entries.length - 1 ? ',' : '',
    );
  }
  yield ['', `${indent}${close}${tail}`];
}

/**
 * Breaks a body into lines. JSON is indented. A reason is put on the line of its field: the line with the same path, or the
 * only line whose path ends with it. Any other body keeps its lines.
 */
export function bodyLines(body: string, reasons: readonly Reason[]): readonly BodyLine[] {
  const value = jsonOf(body);
  if (typeof value !== 'object' || value === null)
    return body.split('\n').map((text) => ({ text, notes: [] }));
  const lines = [...linesOf(value, '', '', '', '')];
  const notes = new Map<number, string[]>();
  for (const { field, message } of reasons) {
    if (field === null || field === '') continue;
    const wanted = normal(field);
    const whole = lines.findIndex(([path]) => path === wanted);
    const ends = lines.flatMap(([path], index) => (path.endsWith(`.${wanted}`) ? [index] : []));
    const at = whole >= 0 ? whole : ends.length === 1 ? ends[0] : undefined;
    if (at !== undefined) notes.set(at, [...(notes.get(at) ?? []), message]);
  }
  return lines.map(([, text], index) => ({ text, notes: notes.get(index) ?? [] }));
}
