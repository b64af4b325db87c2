import type { Redis } from 'ioredis';
import {
  redisThrottle,
  type RedisThrottle,
  type RedisThrottleOptions,
} from '../../../src/entries/redis/index.ts';
import type { PermitRequest } from '../../../src/throttle/permit.ts';
import { acquirePermit, type QueuedPermit } from '../permit-request.ts';

/** Switches off all pools but the token's. */
export const tokenOnly = {
  contacts: false,
  stats: false,
  suppressions: false,
  emailLogsList: false,
  emailLogsGet: false,
  templatesList: false,
  templatesCreate: false,
  subAccountsDelete: false,
  sandbox: false,
} as const;

/** The throttle of one process, with its own Redis client. It shares nothing with others but Redis. */
export class SharingProcess {
  readonly throttle: RedisThrottle;
  readonly redis: Redis;
  /** Whether it is degraded, each time that changed. */
  readonly statuses: boolean[] = [];

  /** `server` is Redis, or a relay in front of it. */
  constructor(server: { client(): Redis }, options: Omit<RedisThrottleOptions, 'redis'> = {}) {
    this.redis = server.client();
    this.throttle = redisThrottle({
      redis: this.redis,
      limits: { ...tokenOnly, token: { requests: 4, perMs: 300 } },
      onStatus: ({ degraded }) => this.statuses.push(degraded),
      ...options,
    });
  }

  /** Requests a permit. */
  ask(overrides: Partial<PermitRequest> = {}): QueuedPermit {
    const permit = acquirePermit(this.throttle, { timeoutMs: 1_000, ...overrides });
    return permit instanceof Promise
      ? permit
      : Object.assign(Promise.resolve(permit), { leave: () => undefined });
  }

  /** Requests several permits. */
  askMany(count: number, overrides: Partial<PermitRequest> = {}): QueuedPermit[] {
    return Array.from({ length: count }, () => this.ask(overrides));
  }

  /** Permits in use, as this process sees it. */
  used(): number {
    return this.throttle.snapshot({ token: 'a' }).token?.used ?? NaN;
  }

  /** Closes the throttle and the client. */
  async close(): Promise<void> {
    await this.throttle.close();
    this.redis.disconnect();
  }
}

/** Resolves when a condition holds; fails if it does not in time. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  withinMs = 60_000,
): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`After ${withinMs} ms, still waiting for ${what}`);
    await sleep(10);
  }
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** How many of these promises have settled by now. */
export function settled(promises: readonly Promise<unknown>[]): { readonly count: number } {
  const result = { count: 0 };
  for (const promise of promises) void promise.then(() => (result.count += 1));
  return result;
}
