/** Values of the emulator's methods in JSON, and back. */
import type { Kind } from '../checks/kind.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value as JSON has it. */
export const toJson = (kind: Kind, value: unknown): unknown =>
  converted(kind, value, (written, one) => written.write(one), false);

/** What JSON says, as a value. What is no value of the kind is refused by whoever checks it. */
export const fromJson = (kind: Kind, json: unknown): unknown =>
  converted(kind, json, (written, one) => written.read(one), false);

/** A result of a method, as it was before it became JSON: without the fields that only the response has. */
export const resultFromJson = (kind: Kind, json: unknown): unknown =>
  converted(kind, json, (written, one) => written.read(one), true);

type Written = Extract<NonNullable<Kind['json']>, { type: 'written' }>;

function converted(
  { json: form }: Kind,
  value: unknown,
  convert: (written: Written, value: unknown) => unknown,
  isExact: boolean,
): unknown {
  const inner = (kind: Kind, one: unknown) => converted(kind, one, convert, isExact);
  switch (form?.type) {
    case 'written':
      return convert(form, value);
    case 'or':
      return value === form.other ? value : inner(form.kind, value);
    case 'array':
      return isIterable(value) ? Array.from(value, (one) => inner(form.of, one)) : value;
    case 'map':
      return isFields(value) ? mapped(value, (_, one) => inner(form.of, one)) : value;
    case 'object': {
      if (!isFields(value)) return value;
      const known = isExact ? onlyKnown(value, form.fields) : value;
      return mapped(known, (name, one) => {
        const kind = Object.hasOwn(form.fields, name) ? form.fields[name] : undefined;
        return kind === undefined ? one : inner(kind, one);
      });
    }
    default:
      return value;
  }
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;

const onlyKnown = (value: Fields, known: Fields) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(known, name)));

const mapped = (fields: Fields, convert: (name: string, value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, convert(name, value)]));
