import type { Shape } from '../../../src/handlebars/shape.ts';

/** A value of the type that is inferred of a variable; with `'required'`, without what may be left out. */
export function sampleOf(shape: Shape, which: 'all' | 'required' = 'all'): unknown {
  if (shape.item !== undefined) return [sampleOf(shape.item, which)];
  // What is only counted may be a list.
  if (shape.fields.has('length') && shape.fields.size === 1 && !shape.isWritten) return ['v'];
  const names = [...shape.fields.keys()].filter((name) => name !== 'length');
  return names.length > 0 ? fieldsOf(shape, which) : 'v';
}

/** The same of all variables. */
export function fieldsOf(shape: Shape, which: 'all' | 'required' = 'all'): Record<string, unknown> {
  const fields = [...shape.fields].filter(([, { neededAt }]) => which === 'all' || neededAt !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name, sampleOf(field, which)]));
}

/** Samples in each of which one required variable is missing, at any depth. */
export function withoutOne(shape: Shape): Record<string, unknown>[] {
  const whole = fieldsOf(shape);
  return [...shape.fields].flatMap(([name, field]) => {
    const { [name]: _, ...others } = whole;
    const inner = (within: Shape) => withoutOne(within);
    const deeper =
      field.item === undefined
        ? inner(field).map((value) => ({ ...others, [name]: value }))
        : inner(field.item).map((value) => ({ ...others, [name]: [value] }));
    return field.neededAt === undefined ? deeper : [others, ...deeper];
  });
}
