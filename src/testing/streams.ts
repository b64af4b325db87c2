import { check } from './checks/argument.ts';
import { mapOf, wholeFrom } from './checks/kind.ts';
import { Random } from './random.ts';

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
  readonly #streams = new Map<string, Random>();

  of(name: StreamName): Random {
    const known = this.#streams.get(name) ?? new Random(SEEDS[name]);
    this.#streams.set(name, known);
    return known;
  }

  save(): Record<string, number> {
    return Object.fromEntries([...this.#streams].map(([name, { state }]) => [name, state]));
  }

  load(saved: unknown, name: string): void {
    check(mapOf(wholeFrom(0)), saved, name);
    for (const [stream, state] of Object.entries(saved as Record<string, number>)) {
      this.of(stream as StreamName).state = state;
    }
  }
}
