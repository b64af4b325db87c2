import type { Permit } from './permit.ts';
import type { Pool } from './pool.ts';

/**
 * Permits of one rank that wait for the same pools, in the order of arrival. If the first has to wait, the rest have
 * to. A permit of other pools waits in another queue, so that a full pool delays only the calls that need it. A `Set`
 * keeps its order and removes any member in constant time.
 */
export type Queue = ReadonlySet<Permit>;

/** The queues of one rank, by the two pools of their permits; a permit of a single pool uses it for both. */
type QueuesOfRank = Map<Pool, Map<Pool, Set<Permit>>>;

/** The one or two pools that a permit waits for, in both orders. */
function* pairsOf({ pools: [one, other = one] }: Permit): Generator<readonly [Pool, Pool]> {
  if (!one || !other) return;
  yield [one, other];
  if (other !== one) yield [other, one];
}

/**
 * All queues of a throttle, by their pools. So the cost of a call is independent of the number of tokens and accounts
 * with waiting calls. An empty queue is removed.
 */
export class Queues {
  /** By rank. */
  readonly #ranks: (QueuesOfRank | undefined)[] = [];

  /** Puts a permit at the end of its queue. */
  add(permit: Permit): Queue {
    const ofRank = (this.#ranks[permit.rank] ??= new Map<Pool, Map<Pool, Set<Permit>>>());
    const queue = this.#queueOf(permit) ?? new Set();
    for (const [pool, other] of pairsOf(permit)) {
      const ofPool = ofRank.get(pool) ?? new Map<Pool, Set<Permit>>();
      ofRank.set(pool, ofPool.set(other, queue));
    }
    return queue.add(permit);
  }

  /** Takes a permit out of its queue, at any position. */
  remove(permit: Permit): void {
    const queue = this.#queueOf(permit);
    queue?.delete(permit);
    if (queue?.size !== 0) return;
    const ofRank = this.#ranks[permit.rank];
    for (const [pool, other] of pairsOf(permit)) {
      const ofPool = ofRank?.get(pool);
      ofPool?.delete(other);
      if (ofPool?.size === 0) ofRank?.delete(pool);
    }
  }

  /** The queues of the permits that wait for a pool, alone or with another one; lower ranks first. */
  *of(pool: Pool): Generator<Queue, void, undefined> {
    for (const ofRank of this.#ranks) yield* ofRank?.get(pool)?.values() ?? [];
  }

  #queueOf(permit: Permit): Set<Permit> | undefined {
    const [[pool, other] = []] = pairsOf(permit);
    return pool && other && this.#ranks[permit.rank]?.get(pool)?.get(other);
  }
}
