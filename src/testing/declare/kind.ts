/** Kinds of values, and options made of them: each is declared once. It may import no other room. */
import { didYouMean } from '../../kit/did-you-mean.ts';

/** A rule for a value: an argument, an option, or a field of a request. */
export interface Kind<T = unknown> {
  /** The rule, in words that follow "must be". */
  readonly what: string;
  /** Whether a value has the right type. */
  readonly hasType: (value: unknown) => boolean;
  /** Whether a value of that type is allowed. */
  readonly isAllowed?: (value: unknown) => boolean;
  /** Finds the first problem inside the value. The message calls the value `name`. */
  readonly problemWithin?: (value: unknown, name: string) => Problem | undefined;
  /** Set if messages must not contain the value. */
  readonly isSecret?: true;
  /** The structure of the values. By default, any JSON value. */
  readonly form?: Form;
  /** The type of the values, for the compiler only: no kind has this field at run time. */
  readonly valueType?: T;
}

/** The structure of a kind's values, as data. Schemas and conversions are generated from it. */
export type Form =
  | { readonly type: 'string' | 'number' | 'integer' | 'boolean' }
  /** Types that JSON does not have. */
  | { readonly type: 'bytes' | 'regular expression' | 'infinity' }
  | { readonly type: 'one of'; readonly values: readonly string[] }
  | {
      readonly type: 'object';
      readonly fields: Readonly<Record<string, Kind>>;
      readonly needed: readonly string[];
    }
  | { readonly type: 'map' | 'array'; readonly of: Kind }
  | { readonly type: 'or'; readonly kind: Kind; readonly other: false | null }
  | { readonly type: 'any of'; readonly kinds: readonly Kind[] };

/** A kind for every field. A missing kind is a compile error. */
export type Kinds<Fields> = { readonly [Name in keyof Fields]-?: Kind };

/** The problem of a value. */
export interface Problem {
  /** `type` for a wrong type or an unknown name, `value` for a wrong value. */
  readonly about: 'type' | 'value';
  readonly message: string;
}

/** Finds the first problem of a value, which the message calls `name`; `undefined` if the value is of the kind. */
export function problemIn(kind: Kind, value: unknown, name: string): Problem | undefined {
  if (!kind.hasType(value)) return { about: 'type', message: sentence(kind, value, name) };
  if (kind.isAllowed?.(value) === false) return { about: 'value', message: sentence(kind, value, name) };
  return kind.problemWithin?.(value, name);
}

/** Whether a value is of a kind. */
export const fits = <T>(kind: Kind<T>, value: unknown): value is T =>
  problemIn(kind, value, 'value') === undefined;

const sentence = ({ what, isSecret }: Kind, value: unknown, name: string) =>
  `\`${name}\` must be ${what}${isSecret === true ? '' : `, not ${shown(value)}`}`;

const LONGEST_TEXT = 60;

function shown(value: unknown): string {
  if (typeof value === 'string') {
    return `'${value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value}'`;
  }
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? 'an array' : 'an object';
}

const HUNDRED_YEARS = 36_525 * 86_400_000;

const isA = (type: string) => (value: unknown) => typeof value === type;

/** An object with fields. */
type Fields = Readonly<Record<string, unknown>>;

/** Excludes iterables such as `Headers` and maps, which have no fields and would pass as empty objects. */
export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !(Symbol.iterator in value);

export const anything: Kind = { what: 'anything', hasType: () => true };
export const flag: Kind<boolean> = {
  what: 'true or false',
  hasType: isA('boolean'),
  form: { type: 'boolean' },
};
export const text: Kind<string> = { what: 'a string', hasType: isA('string'), form: { type: 'string' } };
export const callable: Kind = { what: 'a function', hasType: isA('function') };
export const plainObject: Kind<Fields> = {
  what: 'an object',
  hasType: isObject,
  form: { type: 'map', of: anything },
};

/** An object for the state, which keeps a JSON copy without functions. */
export const jsonObject: Kind<Fields> = {
  ...plainObject,
  what: 'an object that JSON can represent',
  isAllowed: (value) => {
    try {
      return (JSON.stringify(value) as string | undefined) !== undefined;
    } catch {
      return false;
    }
  },
};

/** A deep copy of a JSON value. */
export const copied = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

export const list: Kind<readonly unknown[]> = { what: 'an array', hasType: Array.isArray };

/** A JSON value that is not an array or an object. */
export const scalar: Kind = {
  what: 'a string, a number, true, false or null',
  hasType: (value) => value === null || typeof value !== 'object',
};

/** A number that meets a condition. */
export const number = (
  what: string,
  isAllowed: (value: number) => boolean,
  type: 'number' | 'integer' = 'number',
): Kind<number> => ({
  what,
  hasType: isA('number'),
  isAllowed: (value) => isAllowed(value as number),
  form: { type },
});

/** A string that meets a condition. */
export const textLike = (what: string, isAllowed: (value: string) => boolean): Kind<string> => ({
  what,
  hasType: isA('string'),
  isAllowed: (value) => isAllowed(value as string),
  form: { type: 'string' },
});

export const notBlank = textLike('a text that is not blank', (value) => value.trim() !== '');

export const webUrl = textLike(
  'a URL that begins with http: or https:',
  (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
);

export const base64 = textLike('base64', (value) => {
  const packed = /\s/.test(value) ? value.replace(/\s+/g, '') : value;
  return packed.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(packed);
});

export const integer = number('a whole number', Number.isSafeInteger, 'integer');

export const emailAddress = textLike('an email address', (value) => /^[^\s@]+@[^\s@]+$/.test(value));

export const duration = number(
  'a number of milliseconds: 0 or more and at most 100 years, or Infinity',
  (ms) => (ms >= 0 && ms <= HUNDRED_YEARS) || ms === Number.POSITIVE_INFINITY,
);

export const moment: Kind = {
  what: 'a Date or a number of milliseconds',
  // By its shape: a test environment may have its own class `Date`.
  hasType: (value) =>
    typeof value === 'number' || typeof (Object(value) as Partial<Date>).getTime === 'function',
  isAllowed: (value) => Number.isFinite(Number(value)),
};

/** A time of the emulator's clock. */
export const time = number('a time in milliseconds since the Unix epoch', Number.isFinite);

/** A positive, finite duration. */
export const period = number(
  'a number of milliseconds: more than 0 and at most 100 years',
  (ms) => ms > 0 && ms <= HUNDRED_YEARS,
);

export const whole = (min: number, max: number): Kind<number> =>
  number(
    `a whole number from ${min} to ${max}`,
    (value) => Number.isInteger(value) && value >= min && value <= max,
    'integer',
  );

/** A whole number of at least `min`. */
export const wholeFrom = (min: number): Kind<number> =>
  number(`a whole number, ${min} or more`, (value) => Number.isSafeInteger(value) && value >= min, 'integer');

export const positive = wholeFrom(1);

const infinity: Kind<number> = {
  what: 'Infinity',
  hasType: (value) => value === Number.POSITIVE_INFINITY,
  form: { type: 'infinity' },
};

export const positiveOrInfinity: Kind<number> = {
  ...number(
    'a whole number, 1 or more, or Infinity',
    (value) => value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && value > 0),
  ),
  form: { type: 'any of', kinds: [positive, infinity] },
};

export const bytes: Kind<Uint8Array> = {
  what: 'a Uint8Array',
  hasType: (value) => value instanceof Uint8Array,
  form: { type: 'bytes' },
};

export const regularExpression: Kind<RegExp> = {
  what: 'a regular expression',
  hasType: (value) => value instanceof RegExp,
  form: { type: 'regular expression' },
};

/** One of these strings. */
export const oneOf = <const Value extends string>(values: readonly Value[]): Kind<Value> => ({
  what: `one of ${values.map((value) => `'${value}'`).join(', ')}`,
  hasType: isA('string'),
  isAllowed: (value) => values.includes(value as Value),
  form: { type: 'one of', values },
});

/** A kind, or one other value. */
export const or = <T, const Other extends false | null>(kind: Kind<T>, other: Other): Kind<T | Other> => ({
  what: `${kind.what}, or ${String(other)}`,
  hasType: (value) => value === other || kind.hasType(value),
  isAllowed: (value) => value === other || kind.isAllowed?.(value) !== false,
  problemWithin: (value, name) => (value === other ? undefined : kind.problemWithin?.(value, name)),
  form: { type: 'or', kind, other },
});

/** An array with elements of one kind. */
export const arrayOf = <T>(elements: string, kind: Kind<T>): Kind<readonly T[]> => ({
  what: `an array of ${elements}`,
  hasType: Array.isArray,
  form: { type: 'array', of: kind },
  problemWithin: (value, name) => {
    for (const [index, one] of (value as unknown[]).entries()) {
      const problem = problemIn(kind, one, `${name}[${index}]`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  },
});

/** An object with any names, and values of one kind. */
export const mapOf = <T>(kind: Kind<T>): Kind<Readonly<Record<string, T>>> => ({
  what: 'an object',
  hasType: isObject,
  form: { type: 'map', of: kind },
  problemWithin: (value, name) => {
    for (const [key, one] of Object.entries(value as Fields)) {
      const problem = problemIn(kind, one, `${name}.${key}`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  },
});

/**
 * An object with these fields only. A field with the value `undefined` counts as missing.
 *
 * @param required - the required fields.
 */
export function objectOf<Given>(
  kinds: Kinds<Given>,
  required: 'all' | readonly (keyof Given & string)[] = [],
): Kind {
  const known = new Map(Object.entries<Kind>(kinds));
  const needed = required === 'all' ? (Object.keys(kinds) as (keyof Given & string)[]) : required;
  const names = [...known.keys()].join(', ');
  return {
    what: `an object with ${names}`,
    hasType: isObject,
    form: { type: 'object', fields: kinds, needed },
    problemWithin: (value, name) => {
      const fields = value as Fields;
      for (const [field, one] of Object.entries(fields)) {
        const kind = known.get(field);
        if (kind === undefined) {
          const message = `\`${name}.${field}\` is unknown; the known names are ${names}`;
          return { about: 'type', message: message + didYouMean(field, [...known.keys()]) };
        }
        const problem = one === undefined ? undefined : problemIn(kind, one, `${name}.${field}`);
        if (problem !== undefined) return problem;
      }
      for (const field of needed) {
        const isMissing = fields[field] === undefined;
        const problem = isMissing ? problemIn(kinds[field], undefined, `${name}.${field}`) : undefined;
        if (problem !== undefined) return problem;
      }
      return undefined;
    },
  };
}

/** The value, in which each declared object has its own fields alone, read once, and none of a polluted prototype. */
function own(value: unknown, { form }: Kind): unknown {
  if (form?.type === 'or') return own(value, form.kind);
  if (form?.type === 'any of') return own(value, form.kinds.find((kind) => kind.hasType(value)) ?? anything);
  if (form?.type === 'array' && Array.isArray(value)) return value.map((one) => own(one, form.of));
  if (!(form?.type === 'object' || form?.type === 'map') || !isObject(value)) return value;
  const kindOf = (name: string) => (form.type === 'object' ? (form.fields[name] ?? anything) : form.of);
  const fields = Object.entries(value).map(([name, one]) => [name, own(one, kindOf(name))]);
  return Object.setPrototypeOf(Object.fromEntries(fields), null);
}

/**
 * The only way in for an argument: returns it with its own fields alone. Throws if it is not of its kind.
 *
 * @param name - the argument as the caller writes it, such as `options.limits.token`.
 * @throws `TypeError` for a wrong type or an unknown name, `RangeError` for a wrong value.
 */
export function check<T>(kind: Kind, value: T, name: string): T {
  const given = own(value, kind);
  const problem = problemIn(kind, given, name);
  if (problem === undefined) return given as T;
  throw problem.about === 'type' ? new TypeError(problem.message) : new RangeError(problem.message);
}
