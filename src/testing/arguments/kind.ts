/** A rule for an argument. */
export interface Kind {
  /** The rule, in words that follow "must be". */
  readonly what: string;
  /** Whether a value has the right type. If not, a `TypeError` is thrown. */
  readonly hasType: (value: unknown) => boolean;
  /** Whether a value of that type is allowed. If not, a `RangeError` is thrown. */
  readonly isAllowed?: (value: unknown) => boolean;
  /** Checks what the value contains. */
  readonly inside?: (value: unknown, name: string) => void;
  /** Whether no message may contain the value. */
  readonly isSecret?: true;
}

/** A kind for every field. The compiler reports a missing one. */
export type Kinds<Fields> = { readonly [Name in keyof Fields]-?: Kind };

/**
 * Throws if an argument is not of its kind.
 *
 * @param name - the argument as the caller writes it, such as `options.limits.token`.
 * @throws `TypeError` for a wrong type or an unknown name, `RangeError` for a wrong value.
 */
export function check(kind: Kind, value: unknown, name: string): void {
  if (!kind.hasType(value)) throw new TypeError(problem(kind, value, name));
  if (kind.isAllowed?.(value) === false) throw new RangeError(problem(kind, value, name));
  kind.inside?.(value, name);
}

const problem = ({ what, isSecret }: Kind, value: unknown, name: string) =>
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

/** Iterables such as `Headers` and maps have no fields: they would pass for an empty object. */
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !(Symbol.iterator in value);

export const anything: Kind = { what: 'anything', hasType: () => true };
export const flag: Kind = { what: 'true or false', hasType: isA('boolean') };
export const text: Kind = { what: 'a string', hasType: isA('string') };
export const callable: Kind = { what: 'a function', hasType: isA('function') };
export const plainObject: Kind = { what: 'an object', hasType: isObject };

/** A number with a condition. */
export const number = (what: string, isAllowed: (value: number) => boolean): Kind => ({
  what,
  hasType: isA('number'),
  isAllowed: (value) => isAllowed(value as number),
});

/** A string with a condition. */
export const textLike = (what: string, isAllowed: (value: string) => boolean): Kind => ({
  what,
  hasType: isA('string'),
  isAllowed: (value) => isAllowed(value as string),
});

export const duration = number(
  'a number of milliseconds: 0 or more and at most 100 years, or Infinity',
  (ms) => (ms >= 0 && ms <= HUNDRED_YEARS) || ms === Number.POSITIVE_INFINITY,
);

/** A time of the emulator's clock. */
export const time = number('a time in milliseconds since the Unix epoch', Number.isFinite);

/** A duration that is neither zero nor infinite. */
export const period = number(
  'a number of milliseconds: more than 0 and at most 100 years',
  (ms) => ms > 0 && ms <= HUNDRED_YEARS,
);

export const whole = (min: number, max: number): Kind =>
  number(
    `a whole number from ${min} to ${max}`,
    (value) => Number.isInteger(value) && value >= min && value <= max,
  );

/** A whole number of at least this. */
export const wholeFrom = (min: number): Kind =>
  number(`a whole number, ${min} or more`, (value) => Number.isSafeInteger(value) && value >= min);

export const positive = number(
  'a whole number, 1 or more',
  (value) => Number.isSafeInteger(value) && value > 0,
);

export const positiveOrInfinity = number(
  'a whole number, 1 or more, or Infinity',
  (value) => value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && value > 0),
);

/** One of these strings. */
export const oneOf = (values: readonly string[]): Kind =>
  textLike(`one of ${values.map((value) => `'${value}'`).join(', ')}`, (value) => values.includes(value));

/** A kind, or this one value. */
export const or = (kind: Kind, other: false | null): Kind => ({
  what: `${kind.what}, or ${String(other)}`,
  hasType: (value) => value === other || kind.hasType(value),
  isAllowed: (value) => value === other || kind.isAllowed?.(value) !== false,
  inside: (value, name) => {
    if (value !== other) kind.inside?.(value, name);
  },
});

/** An array whose elements are all of one kind. */
export const arrayOf = (elements: string, kind: Kind): Kind => ({
  what: `an array of ${elements}`,
  hasType: Array.isArray,
  inside: (value, name) => {
    for (const [index, one] of (value as unknown[]).entries()) check(kind, one, `${name}[${index}]`);
  },
});

/** An object whose values are all of one kind, whatever their names. */
export const mapOf = (kind: Kind): Kind => ({
  what: 'an object',
  hasType: isObject,
  inside: (value, name) => {
    for (const [key, one] of Object.entries(value as object)) check(kind, one, `${name}.${key}`);
  },
});

/** An object with these fields and no others. A field that is `undefined` counts as left out. */
export function objectOf<Fields>(
  kinds: Kinds<Fields>,
  needed: readonly (keyof Fields & string)[] = [],
): Kind {
  const known = new Map(Object.entries<Kind>(kinds));
  const names = [...known.keys()].join(', ');
  return {
    what: `an object with ${names}`,
    hasType: isObject,
    inside: (value, name) => {
      const fields = value as Readonly<Record<string, unknown>>;
      for (const field of Object.keys(fields)) {
        const kind = known.get(field);
        if (kind === undefined)
          throw new TypeError(`\`${name}.${field}\` is unknown; the known names are ${names}`);
        if (fields[field] !== undefined) check(kind, fields[field], `${name}.${field}`);
      }
      for (const field of needed) {
        const kind = known.get(field);
        if (kind !== undefined && fields[field] === undefined) check(kind, undefined, `${name}.${field}`);
      }
    },
  };
}

/** An object with all of these fields and no others, as a snapshot has its records. */
export const recordOf = <Fields extends object>(kinds: Kinds<Fields>): Kind =>
  objectOf<Fields>(kinds, Object.keys(kinds) as (keyof Fields & string)[]);
