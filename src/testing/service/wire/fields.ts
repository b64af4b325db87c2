import { isLonger } from '../../../kit/is-longer.ts';
import { unprocessable } from './reply.ts';
import { fits, text as anyText, type Kind } from '../../declare/kind.ts';

export const BLANK = "can't be blank";
export const INVALID = 'is invalid';
export const NOT_IN_LIST = 'is not included in the list';

/** Turns an empty array into an empty object: some languages, such as PHP, encode both as an empty array. */
export const objectFrom = (input: unknown): unknown =>
  Array.isArray(input) && input.length === 0 ? {} : input;

/** Drops nulls from an array of ids: some programs send one null for none, and the service's framework drops it. */
export const withoutNulls = (input: unknown): unknown =>
  Array.isArray(input) ? input.filter((one) => one !== null) : input;

/** Collects the errors in the fields of a body, so that the response reports all at once. */
export class FieldErrors {
  readonly all: Record<string, string[]> = {};

  add(field: string, message: string): void {
    (this.all[field] ??= []).push(message);
  }

  /** Whether a value is of a kind. If not, adds the message. */
  check<T>(kind: Kind<T>, value: unknown, field: string, message = INVALID): value is T {
    const isValid = fits(kind, value);
    if (!isValid) this.add(field, message);
    return isValid;
  }

  /** Reads a value. Returns the previous value if it is missing or wrong. */
  read<T>(kind: Kind<T>, input: unknown, before: T, field: string, message = INVALID): T {
    return input !== undefined && this.check(kind, input, field, message) ? input : before;
  }

  get any(): boolean {
    return Object.keys(this.all).length > 0;
  }

  /** Refuses with a map from fields to messages. */
  throwIfAny(): void {
    if (this.any) throw unprocessable(this.all);
  }
}

/** Reads a text that must not be blank. Returns the previous value if it is missing. */
export function required(
  input: unknown,
  before: string,
  field: string,
  errors: FieldErrors,
  max?: number,
): string {
  const value = input === null ? '' : (text(input, before, field, errors, max) ?? '');
  if (value.trim() === '' && errors.all[field] === undefined) errors.add(field, BLANK);
  return value;
}

/** Reads `name`, the only field of a body. Refuses with 422. */
export function nameIn(body: Readonly<Record<string, unknown>>, before: string, max: number): string {
  const errors = new FieldErrors();
  const name = required(body.name, before, 'name', errors, max);
  errors.throwIfAny();
  return name;
}

/** Reads a text that may be `null`. Returns the previous value if it is missing. */
export function text(
  input: unknown,
  before: string | null,
  field: string,
  errors: FieldErrors,
  max = Number.POSITIVE_INFINITY,
): string | null {
  if (input === undefined) return before;
  if (input === null) return null;
  if (!errors.check(anyText, input, field)) return before;
  if (isLonger(input, max)) errors.add(field, `is too long (maximum is ${max} characters)`);
  return input;
}
