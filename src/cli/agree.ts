import type { Surroundings } from './surroundings.ts';

/** Asks a question at the terminal. Resolves with true for yes. */
export async function isYes(ask: NonNullable<Surroundings['ask']>, question: string): Promise<boolean> {
  return /^y(es)?$/i.test((await ask(`${question} [y/N] `)).trim());
}
