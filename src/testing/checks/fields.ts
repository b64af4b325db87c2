import { unprocessable } from '../route.ts';

export const BLANK = "can't be blank";
export const INVALID = 'is invalid';

/** Collects the errors in the fields of a body, so that all of them are reported at once. */
export class FieldErrors {
  readonly all: Record<string, string[]> = {};

  add(field: string, message: string): void {
    (this.all[field] ??= []).push(message);
  }

  get any(): boolean {
    return Object.keys(this.all).length > 0;
  }

  /** Refuses with a map from fields to messages. */
  throwIfAny(): void {
    if (this.any) throw unprocessable(this.all);
  }
}

/** Reads a text that must not be missing or blank. If it is not given, it keeps its previous value. */
export function required(
  given: unknown,
  before: string,
  field: string,
  errors: FieldErrors,
  max?: number,
): string {
  const value = given === null ? '' : (text(given, before, field, errors, max) ?? '');
  if (value.trim() === '' && errors.all[field] === undefined) errors.add(field, BLANK);
  return value;
}

/** The `name` of a body, of which it is the only field that is read. Refuses with 422. */
export function nameIn(body: Readonly<Record<string, unknown>>, before: string, max: number): string {
  const errors = new FieldErrors();
  const name = required(body.name, before, 'name', errors, max);
  errors.throwIfAny();
  return name;
}

/** Reads a text that may be `null`. If it is not given, it keeps its previous value. */
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
    errors.add(field, INVALID);
    return before;
  }
  if (longerThan(given, max)) errors.add(field, `is too long (maximum is ${max} characters)`);
  return given;
}

/** Reads a boolean. If it is not given, it keeps its previous value. */
export function flag(given: unknown, before: boolean, field: string, errors: FieldErrors): boolean {
  if (given === undefined) return before;
  if (typeof given !== 'boolean') errors.add(field, INVALID);
  return given === true;
}

/** Counts characters rather than UTF-16 units, and only if the number of units does not decide. */
function longerThan(value: string, max: number): boolean {
  if (value.length <= max) return false;
  const pairs = value.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0;
  return value.length - pairs > max;
}
