import { check, mapOf, wholeFrom } from './arguments/kind.ts';
import { Random } from './random.ts';

const SEEDS = {
  requests: 13,
  messages: 17,
  'demo mail': 19,
  'demo contacts': 23,
  sandbox: 29,
  webhooks: 29,
  events: 31,
  addresses: 37,
} as const;

/** Each drawn from by one thing only, so that what the others draw does not depend on it. */
export class Streams {
  readonly #shared = new Random(11);
  readonly #streams = new Map<string, Random>();

  save(): Record<string, number> {
    return {
      ...Object.fromEntries([...this.#streams].map(([name, { state }]) => [name, state])),
      shared: this.#shared.state,
    };
  }

  load(saved: unknown, name: string): void {
    check(mapOf(wholeFrom(0)), saved, name);
    const { shared = 0, ...streams } = saved as Record<string, number>;
    this.#shared.state = shared;
    for (const [stream, state] of Object.entries(streams)) this.of(stream as never).state = state;
  }

  of(name: keyof typeof SEEDS | 'contacts' | 'templates' | 'demo campaigns'): Random {
    if (name === 'contacts' || name === 'templates' || name === 'demo campaigns') return this.#shared;
    const known = this.#streams.get(name) ?? new Random(SEEDS[name]);
    this.#streams.set(name, known);
    return known;
  }
}
