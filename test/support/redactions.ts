import fc from 'fast-check';
import { Redaction, Tokens } from '../../src/transport/redaction.ts';

export const REDACTED = '[redacted]';

export function tokensOf(...all: string[]): Tokens {
  const tokens = new Tokens();
  for (const token of all) tokens.add(token);
  return tokens;
}

/** Redacts these tokens. */
export const without = (...tokens: string[]): Redaction => new Redaction(tokensOf(...tokens));

/** Texts of so many of these characters. */
export const between = (min: number, max: number, characters: string): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...Array.from(characters)), minLength: min, maxLength: max });
