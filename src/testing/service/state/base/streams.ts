import { Random } from './random.ts';
import type { State } from './state.ts';

/**
 * The seeds of the random streams, all different. Two streams with the same seed would give the same numbers, so that a
 * visible link could reveal a secret.
 */
export const SEEDS = {
  'demo campaigns': 11,
  requests: 13,
  messages: 17,
  'demo mail': 19,
  'demo contacts': 23,
  sandbox: 29,
  events: 31,
  addresses: 37,
  contacts: 41,
  templates: 43,
  webhooks: 47,
} as const;

export type StreamName = keyof typeof SEEDS;

/** The random streams of an emulator, by name. Every emulator has the same streams. */
export class Streams {
  readonly #positions: Partial<Record<StreamName, { next: number }>>;

  constructor(state: State) {
    this.#positions = state.part('random', {});
  }

  of(name: StreamName): Random {
    return new Random((this.#positions[name] ??= { next: SEEDS[name] }));
  }
}
