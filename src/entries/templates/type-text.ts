import { isName } from '../../handlebars/variable-path.ts';
import { Shape } from '../../handlebars/shape.ts';

/** The type of a template's variables. The values of its example refine it. */
export const typeOfVariables = (variables: Shape, example: unknown): string =>
  objectType(variables, [example], '');

/**
 * The type of a variable.
 *
 * @param samples - its values in the example
 */
function typeOf(shape: Shape, samples: readonly unknown[], indent: string, isElement = false): string {
  const values = samples.filter((value) => value !== null);
  const types = alternatives(shape, values, indent, isElement);
  return (samples.includes(null) ? [...types, 'null'] : types).join(' | ');
}

function alternatives(
  shape: Shape,
  values: readonly unknown[],
  indent: string,
  isElement: boolean,
): string[] {
  const lists = values.filter((value) => Array.isArray(value)) as (readonly unknown[])[];
  const others = values.filter((value) => !Array.isArray(value));
  const hasElements = shape.item !== undefined;
  if (hasElements && namesOf(shape).length > 0)
    return [`${objectType(shape, others, indent)} & Readonly<Record<string, unknown>>`];
  if (hasElements || (lists.length > 0 && others.length === 0)) {
    const fields = others.flatMap((one) => Object.values(one as object) as unknown[]);
    const item = typeOf(shape.item ?? new Shape(), [...lists.flat(), ...fields], indent, true);
    const list = `readonly ${/ [|&] /.test(item) && !isBraced(item) ? `(${item})` : item}[]`;
    const record = `Readonly<Record<${shape.isLooped ? 'string' : 'number'}, ${item}>>`;
    // A list fits it, too.
    if (hasElements && !shape.isLooped && lists.length === 0) return [record];
    if (values.length === 0) return shape.hasKeys ? [list, record] : [list];
    return [...(lists.length > 0 ? [list] : []), ...(others.length > 0 ? [record] : [])];
  }
  if (namesOf(shape).length > 0) return [objectType(shape, others, indent)];
  return plainTypes(shape, values, isElement);
}

/** True if a type is one object, with all alternatives inside its braces. */
function isBraced(type: string): boolean {
  let depth = 0;
  for (const [at, character] of Array.from(type).entries()) {
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (depth === 0) return at === type.length - 1;
  }
  return false;
}

/**
 * A written variable is text or a number. An example narrows that. Text in an example does not, because a number may
 * take its place.
 */
function plainTypes({ fields, isWritten }: Shape, values: readonly unknown[], isElement: boolean): string[] {
  const kinds = new Set<string>(values.map((value) => (Array.isArray(value) ? 'list' : typeof value)));
  if (fields.has('length')) return isWritten ? ['string'] : ['string', 'readonly unknown[]'];
  const isUnknown = isElement && !isWritten && kinds.size === 0;
  if (isUnknown) return ['unknown'];
  if (kinds.has('object') || kinds.has('list')) return ['unknown'];
  const isText = kinds.size === 1 && kinds.has('string');
  if (isElement && isText) return ['string'];
  // A variable that is only tested may be a list or an object.
  const usual = isWritten || isElement ? ['string', 'number'] : ['string', 'number', 'boolean'];
  if (kinds.size === 0 && !isWritten && !isElement) return [...usual, 'object'];
  if (kinds.size === 0) return usual;
  if (kinds.has('string')) return kinds.has('boolean') ? ['string', 'number', 'boolean'] : usual;
  return ['number', 'boolean'].filter((kind) => kinds.has(kind));
}

/** The names of the fields that are read of an object. Without `length`, which text and lists have too. */
const namesOf = ({ fields }: Shape): string[] => [...fields.keys()].filter((name) => name !== 'length');

function objectType(shape: Shape, samples: readonly unknown[], indent: string): string {
  const inner = `${indent}  `;
  const lines = [...shape.fields].map(([name, field]) => {
    const values = samples.flatMap((sample) => {
      const fields = Object(sample) as Readonly<Record<string, unknown>>;
      return Object.hasOwn(fields, name) ? [fields[name]] : [];
    });
    const key = isName(name) ? name : JSON.stringify(name);
    const isOptional = field.neededAt === undefined;
    const type = typeOf(field, values, inner);
    // Null is what a database has for a missing value, and what the service's own example has for `{{#with user}}`.
    const missing = [...(values.includes(null) ? [] : ['null']), 'undefined'].join(' | ');
    return `${inner}readonly ${key}${isOptional ? '?' : ''}: ${type}${isOptional && type !== 'unknown' ? ` | ${missing}` : ''};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}
