import { FreshRandom, Random } from './random.ts';
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

/** The option of the command's emulator: a receiver's database may have the ids of earlier ones. */
export const FRESH_IDS = Symbol.for('email-platform.fresh-ids');

/** The streams of ids: not those of demo data, addresses and credentials. */
const IDS: readonly StreamName[] = ['requests', 'messages', 'events', 'contacts', 'templates'];

/** The random streams of an emulator, by name. Every emulator has the same streams. */
export class Streams {
  readonly #positions: Partial<Record<StreamName, { next: number }>>;
  readonly #hasFreshIds: boolean;

  constructor(state: State, hasFreshIds = false) {
    this.#positions = state.part('random', {});
    this.#hasFreshIds = hasFreshIds;
  }

  of(name: StreamName): Random {
    if (this.#hasFreshIds && IDS.includes(name)) return new FreshRandom();
    return new Random((this.#positions[name] ??= { next: SEEDS[name] }));
  }
}
