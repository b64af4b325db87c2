/**
 * The shape of a JSON value, written as the value itself would look: `{ id: 'int', names: ['string'] }`.
 *
 * - A text is a type: `int`, `number`, `string`, `boolean`, `object` or `any`; with `?` after it, null as well.
 * - A list of one shape is a list of such values.
 * - An object has these fields and no others. `name?` may be missing, `a|b` is there under one of two names, `*` is any
 *   field that is not named.
 */
export type Shape = string | readonly [Shape] | { readonly [field: string]: Shape };

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  int: Number.isSafeInteger,
  number: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  object: (value) => isObject(value),
  any: () => true,
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The differences between a value and a shape, with their paths. */
export function differences(value: unknown, shape: Shape, path = 'body'): string[] {
  if (typeof shape === 'string') {
    const [type = '', mayBeNull] = shape.split('?');
    const fits = TYPES[type];
    if (fits === undefined) throw new Error(`There is no type ${type}`);
    return fits(value) || (mayBeNull !== undefined && value === null) ? [] : [`${path} is not ${shape}`];
  }
  if (isList(shape)) {
    if (!Array.isArray(value)) return [`${path} is not a list`];
    return value.flatMap((item, index) => differences(item, shape[0], `${path}[${index}]`));
  }
  if (!isObject(value)) return [`${path} is not an object`];
  const known = new Set<string>();
  const found = Object.entries(shape).flatMap(([field, inner]) => {
    if (field === '*') return [];
    const names = field.replace(/\?$/, '').split('|');
    names.forEach((name) => known.add(name));
    const there = names.filter((name) => Object.hasOwn(value, name));
    if (there.length > 1) return [`${path} has both ${names.join(' and ')}`];
    const [name] = there;
    if (name === undefined) return field.endsWith('?') ? [] : [`${path}.${field} is missing`];
    return differences(value[name], inner, `${path}.${name}`);
  });
  const others = '*' in shape ? [] : Object.keys(value).filter((name) => !known.has(name));
  return [...found, ...others.map((name) => `${path}.${name} is not known`)];
}

const isList = (shape: Exclude<Shape, string>): shape is readonly [Shape] => Array.isArray(shape);
