import {
  ACTS,
  type EmulatorFault,
  type EmulatorFaultKind,
  type EmulatorFaultMatch,
  type EmulatorPendingFault,
} from './faults.ts';
import type { EmulatorHost } from '../wire/hosts.ts';
import {
  arrayOf,
  check,
  fits,
  flag,
  isObject,
  number,
  objectOf,
  oneOf,
  positive,
  positiveOrInfinity,
  regularExpression,
  text,
  textLike,
  whole,
  wholeFrom,
  type Kind,
  type Kinds,
} from '../../declare/kind.ts';

const KINDS = Object.keys(ACTS);

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The longest delay of a timer. Node fires a timer with a longer delay at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The fields that have an effect with every kind. */
const COMMON: readonly string[] = ['kind', 'match', 'times', 'always', 'probability', 'seed', 'acts'];

/** The fields that have an effect with some kinds only. */
const FIELDS: Readonly<Partial<Record<EmulatorFaultKind, readonly string[]>>> = {
  slow: ['delayMs'],
  status: ['status', 'headers', 'body'],
  html: ['status', 'headers', 'body'],
};

const pathPattern = textLike('a path that begins with / or * and has no query', (value) =>
  /^[/*][^?#]*$/.test(value),
);

const path: Kind = {
  what: `${pathPattern.what}, or a regular expression`,
  hasType: (value) => typeof value === 'string' || value instanceof RegExp,
  isAllowed: (value) => value instanceof RegExp || fits(pathPattern, value),
  form: { type: 'any of', kinds: [pathPattern, regularExpression] },
};

export const headers: Kind = {
  what: 'an object of header names and values',
  hasType: (value) => isObject(value) && Object.values(value).every((one) => typeof one === 'string'),
  isAllowed: (value) => isPossible(() => new Headers(value as Record<string, string>)),
  form: { type: 'map', of: text },
};

const body: Kind = {
  what: 'a string, or a value that JSON can represent',
  hasType: (value) =>
    !['function', 'symbol', 'bigint'].includes(typeof value) &&
    !(value instanceof ArrayBuffer || ArrayBuffer.isView(value) || value instanceof Blob),
  isAllowed: (value) => isPossible(() => JSON.stringify(value)),
};

const fields = {
  kind: oneOf(KINDS),
  match: objectOf<EmulatorFaultMatch>({
    method: textLike(`one of ${METHODS.join(', ')}`, (method) => METHODS.includes(method.toUpperCase())),
    host: oneOf(['api', 'send', 'bulk', 'sandbox', 'storage', 'reader'] satisfies EmulatorHost[]),
    path,
  }),
  times: positiveOrInfinity,
  always: flag,
  probability: number('a number, more than 0 and at most 1', (share) => share > 0 && share <= 1),
  seed: wholeFrom(0),
  status: whole(200, 599),
  headers,
  body,
  delayMs: number(
    `a number of milliseconds from 0 to ${LONGEST_TIMER_MS}`,
    (ms) => ms >= 0 && ms <= LONGEST_TIMER_MS,
  ),
  acts: flag,
} satisfies Kinds<EmulatorFault>;

/** The argument of `faults.next`. */
export const faultFields = objectOf<EmulatorFault>(fields, ['kind']);

/** The result of `faults.list`. */
export const pendingFaults = arrayOf(
  'faults',
  objectOf<EmulatorPendingFault>({ id: positive, paused: flag, ...fields }, ['id', 'paused', 'kind']),
);

/**
 * Throws if an argument is not a valid fault.
 *
 * @throws `TypeError` for a wrong type or a field without effect, `RangeError` for a wrong value.
 */
export function checkFault(input: EmulatorFault): void {
  check(faultFields, input, 'fault');
  const { kind, status, acts } = input;
  const own = FIELDS[kind] ?? [];
  for (const [field, value] of Object.entries<unknown>({ ...input })) {
    if (value === undefined || [...COMMON, ...own].includes(field)) continue;
    throw new TypeError(`\`fault.${field}\` has no effect with kind '${kind}'; ${takes(own)}`);
  }
  if (input.always !== undefined && input.times !== undefined) {
    throw new TypeError('`fault.always` and `fault.times` exclude each other');
  }
  if (input.seed !== undefined && input.probability === undefined) {
    throw new TypeError('`fault.seed` has no effect without `fault.probability`');
  }
  if (kind === 'status') check(whole(200, 599), status, 'fault.status');
  if (acts !== undefined && ACTS[kind] !== 'optional' && acts !== ACTS[kind]) {
    throw new RangeError(`\`fault.acts\` must be ${ACTS[kind]} with kind '${kind}', or be left out`);
  }
}

function takes(fields: readonly string[]): string {
  return fields.length === 0 ? 'it has no options of its own' : `its options are ${fields.join(', ')}`;
}

function isPossible(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
