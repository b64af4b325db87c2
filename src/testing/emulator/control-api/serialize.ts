/** Converts arguments and results of the emulator's methods to JSON, and back. */
import { fromBase64, toBase64 } from '../../encoding/base64.ts';
import { base64, fits, objectOf, type Form, type Kind } from '../../declare/kind.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON form of a type that JSON does not have. */
interface Written {
  /** The schema of the JSON form. */
  readonly schema: Fields;
  readonly write: (value: never) => unknown;
  /** Reads the JSON form. Returns any other value unchanged, so that a check refuses it. */
  readonly read: (json: unknown) => unknown;
}

const object = (properties: Fields, required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const bytesInJson = objectOf<{ base64: string }>({ base64 }, 'all');

export const WRITTEN: Readonly<Record<'bytes' | 'regular expression' | 'infinity', Written>> = {
  bytes: {
    schema: object({ base64: { type: 'string', contentEncoding: 'base64' } }, ['base64']),
    write: (bytes: Uint8Array) => ({ base64: toBase64(bytes) }),
    read: (json) => (fits(bytesInJson, json) ? fromBase64((json as { base64: string }).base64) : json),
  },
  'regular expression': {
    schema: object({ regexp: { type: 'string' }, flags: { type: 'string' } }, ['regexp']),
    write: ({ source, flags }: RegExp) => ({ regexp: source, flags }),
    read: regularExpressionIn,
  },
  infinity: {
    schema: { const: 'Infinity' },
    write: () => 'Infinity',
    read: (json) => (json === 'Infinity' ? Number.POSITIVE_INFINITY : json),
  },
};

function regularExpressionIn(json: unknown): unknown {
  if (typeof json !== 'object' || json === null || !('regexp' in json)) return json;
  const { regexp, flags = '', ...others } = json as { regexp: unknown; flags?: unknown };
  if (typeof regexp !== 'string' || typeof flags !== 'string' || Object.keys(others).length > 0) return json;
  try {
    return new RegExp(regexp, flags);
  } catch {
    return json;
  }
}

/** Converts a value to JSON. */
export const toJson = (kind: Kind, value: unknown): unknown => converted(kind, value, writing, false);

/** Converts JSON to a value. A wrong value stays unchanged, so that a check refuses it. */
export const fromJson = (kind: Kind, json: unknown): unknown => converted(kind, json, reading, false);

/** Converts a JSON response to the method's result, without the fields that only the response has. */
export const resultFromJson = (kind: Kind, json: unknown): unknown => converted(kind, json, reading, true);

/** A direction, to or from JSON: the conversion of one value, and the choice between several kinds. */
interface Direction {
  readonly convert: (written: Written, value: unknown) => unknown;
  readonly choose: (kinds: readonly Kind[], value: unknown, isExact: boolean) => unknown;
}

const writing: Direction = {
  convert: ({ write }, value) => write(value as never),
  choose: (kinds, value, isExact) => {
    const kind = kinds.find((one) => fits(one, value));
    return kind === undefined ? value : converted(kind, value, writing, isExact);
  },
};

const reading: Direction = {
  convert: ({ read }, json) => read(json),
  choose: (kinds, json, isExact) => {
    for (const kind of kinds) {
      const value = converted(kind, json, reading, isExact);
      if (fits(kind, value)) return value;
    }
    return json;
  },
};

function converted({ form }: Kind, value: unknown, direction: Direction, isExact: boolean): unknown {
  const inner = (kind: Kind, one: unknown) => converted(kind, one, direction, isExact);
  switch (form?.type) {
    case 'bytes':
    case 'regular expression':
    case 'infinity':
      return direction.convert(WRITTEN[form.type], value);
    case 'any of':
      return direction.choose(form.kinds, value, isExact);
    case 'or':
      return value === form.other ? value : inner(form.kind, value);
    case 'array':
      return isIterable(value) ? Array.from(value, (one) => inner(form.of, one)) : value;
    case 'map':
      return isFields(value) ? mapped(value, (_, one) => inner(form.of, one)) : value;
    case 'object':
      return isFields(value) ? fieldsOf(value, form, inner, isExact) : value;
    default:
      return value;
  }
}

function fieldsOf(
  value: Fields,
  { fields }: Extract<Form, { type: 'object' }>,
  inner: (kind: Kind, one: unknown) => unknown,
  isExact: boolean,
): Fields {
  const kindOf = (name: string) => (Object.hasOwn(fields, name) ? fields[name] : undefined);
  const entries = Object.entries(value).filter(([name]) => !isExact || kindOf(name) !== undefined);
  return mapped(Object.fromEntries(entries), (name, one) => {
    const kind = kindOf(name);
    return kind === undefined ? one : inner(kind, one);
  });
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;

const mapped = (fields: Fields, convert: (name: string, value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, convert(name, value)]));
