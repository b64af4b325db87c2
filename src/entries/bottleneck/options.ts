import type Bottleneck from 'bottleneck';
import type { PoolName, RateLimit } from '../../core/limits.ts';
import { mustBe, objectOf, oneOf, type Rule, type Rules } from '../../core/rules.ts';
import { limitRule, POOL_NAMES } from '../../throttle/limits.ts';

/** A limiter, and how the requests of a pool use it. */
export interface BottleneckPool {
  /** Your limiter for this pool alone. It may also run other jobs. */
  readonly limiter: Bottleneck;
  /**
   * When the job of a request ends. `'window'`: one window after its response headers arrived; the limiter must have
   * `maxConcurrent: limit.requests`, without `reservoir` and `minTime`. `'headers'`: when the headers arrive; for any
   * other limiter, but the service may then refuse requests with 429.
   */
  readonly release: 'window' | 'headers';
  /** The service's limit; the published one by default. */
  readonly limit?: RateLimit | undefined;
}

/** A limiter for each pool. Pools left out are not limited. */
export type BottleneckPools = Readonly<Partial<Record<PoolName, BottleneckPool>>>;

const isLimiter = (value: unknown) =>
  ['schedule', 'check', 'currentReservoir'].every((method) => method in Object(value));
const limiter = mustBe('a limiter: new Bottleneck({ … })', isLimiter);
const release = oneOf(['window', 'headers']);
const fields = objectOf<BottleneckPool>({ limiter, release, limit: limitRule }, ['limiter', 'release']);
const pool: Rule = (value) =>
  isLimiter(value) ? [{ path: '.limiter', message: 'is required: { limiter, release: … }' }] : fields(value);
const rules = Object.fromEntries(POOL_NAMES.map((name) => [name, pool])) as unknown as Rules<BottleneckPools>;

/** Checks the pools. */
export const poolsRule = objectOf(rules);
