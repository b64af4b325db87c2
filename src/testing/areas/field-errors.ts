import { unprocessable } from '../route.ts';

export const blank = "can't be blank";
export const invalid = 'is invalid';

/** Collects what is wrong with the fields of a body, so that all of it is said at once. */
export class FieldErrors {
  readonly all: Record<string, string[]> = {};

  add(field: string, message: string): void {
    (this.all[field] ??= []).push(message);
  }

  /** Refuses with a map from field to messages. */
  throwIfAny(): void {
    if (Object.keys(this.all).length > 0) throw unprocessable(this.all);
  }
}

/** A text that must be there, and not be blank; what it was before when it is not given. */
export function required(
  given: unknown,
  before: string,
  field: string,
  errors: FieldErrors,
  max?: number,
): string {
  const value = given === null ? '' : (text(given, before, field, errors, max) ?? '');
  if (value.trim() === '' && errors.all[field] === undefined) errors.add(field, blank);
  return value;
}

/** A text that may be left out (it stays as it was) or be `null`. */
export function text(
  given: unknown,
  before: string | null,
  field: string,
  errors: FieldErrors,
  max = Number.POSITIVE_INFINITY,
): string | null {
  if (given === undefined) return before;
  if (given === null) return null;
  if (typeof given !== 'string') {
    errors.add(field, invalid);
    return before;
  }
  if (longerThan(given, max)) errors.add(field, `is too long (maximum is ${max} characters)`);
  return given;
}

/** A switch; what it was before when it is not given. */
export function flag(given: unknown, before: boolean, field: string, errors: FieldErrors): boolean {
  if (given === undefined) return before;
  if (typeof given !== 'boolean') errors.add(field, invalid);
  return given === true;
}

/** Counts characters, not UTF-16 units, and only where the units do not settle it. */
function longerThan(value: string, max: number): boolean {
  if (value.length <= max) return false;
  const pairs = value.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0;
  return value.length - pairs > max;
}
