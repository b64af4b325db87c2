/** The secrets in a response: the values of the fields that its decoder declares. */
import type { SecretFields } from '../core/decoder.ts';
import { secretsOfAddress } from './redaction.ts';

/** The texts and numbers in the fields with these names, wherever they are in a body. */
export function valuesOf(body: unknown, names: readonly string[] = []): string[] {
  if (names.length === 0) return [];
  const values: string[] = [];
  const left: [value: unknown, isNamed: boolean][] = [[body, false]];
  // A loop instead of recursion: a body may be nested deeply.
  for (const [value, isNamed] of left) {
    if (typeof value === 'object' && value !== null) {
      for (const [name, field] of Object.entries(value)) left.push([field, isNamed || names.includes(name)]);
    } else if (isNamed && (typeof value === 'string' || typeof value === 'number'))
      values.push(String(value));
  }
  return values;
}

/** The secrets in a body: its tokens, its credentials, and the parts of its signed addresses. */
export const secretsIn = (body: unknown, { secrets, credentials, signed }: SecretFields): string[] => [
  ...valuesOf(body, secrets),
  ...valuesOf(body, credentials),
  ...valuesOf(body, signed).flatMap(secretsOfAddress),
];
