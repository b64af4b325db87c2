import { Random } from './random.ts';
import type { State } from './state.ts';

/**
 * What is drawn at random, and where each begins. Everything has a stream of its own: with a number that another has, it
 * would draw the same, and a secret would be known from a link.
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

/** The random streams of an emulator, by name. They are the same in every emulator. */
export class Streams {
  readonly #positions: Partial<Record<StreamName, { next: number }>>;

  constructor(state: State) {
    this.#positions = state.part('random', {});
  }

  of(name: StreamName): Random {
    return new Random((this.#positions[name] ??= { next: SEEDS[name] }));
  }
}
