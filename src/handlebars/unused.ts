import type { Shape } from './shape.ts';
import { pathText, VARIABLES, type VariablePath } from './variable-path.ts';

/** The maximum number of reported variables. */
const MOST = 100;

/** The paths of values that no template reads, for instance because of a misspelt name. */
export function unusedIn(shape: Shape, variables: Readonly<Record<string, unknown>>): string[] {
  const found: string[] = [];
  visit(shape, variables, VARIABLES, found);
  return found;
}

function visit(shape: Shape, value: unknown, path: VariablePath, found: string[]): void {
  if (typeof value !== 'object' || value === null || found.length >= MOST) return;
  if (Array.isArray(value)) {
    const { item } = shape;
    if (item === undefined) return;
    for (const [index, one] of value.entries()) visit(item, one, { step: index, in: path }, found);
    return;
  }
  // A variable that is written, tested or looped over as a whole counts as used as a whole.
  if (path !== VARIABLES && shape.fields.size === 0 && shape.item === undefined) return;
  for (const [name, one] of Object.entries(value)) {
    const known = shape.fields.get(name) ?? shape.item;
    const place = { step: name, in: path };
    if (known !== undefined) visit(known, one, place, found);
    else if (!shape.isWritten && found.length < MOST) found.push(pathText(place));
  }
}
