import type { Redis } from 'ioredis';
import { redisThrottle, type RedisThrottle, type RedisThrottleOptions } from '../../../src/redis/index.ts';
import type { PermitRequest } from '../../../src/throttle/permit.ts';
import { acquirePermit, type QueuedPermit } from '../permit-request.ts';

/** All pools but the token's. */
export const tokenOnly = {
  contacts: false,
  stats: false,
  suppressions: false,
  emailLogsList: false,
  emailLogsGet: false,
  sandbox: false,
} as const;

/** A throttle as one process has it, with the client it was given. Nothing but Redis connects it with others. */
export class SharingProcess {
  readonly throttle: RedisThrottle;
  readonly redis: Redis;
  /** Whether it went without Redis, each time that changed. */
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

  /** Asks for a permit. */
  ask(overrides: Partial<PermitRequest> = {}): QueuedPermit {
    const answer = acquirePermit(this.throttle, { timeoutMs: 1_000, ...overrides });
    return answer instanceof Promise
      ? answer
      : Object.assign(Promise.resolve(answer), { leave: () => undefined });
  }

  /** Asks for several. */
  askMany(count: number, overrides: Partial<PermitRequest> = {}): QueuedPermit[] {
    return Array.from({ length: count }, () => this.ask(overrides));
  }

  /** Permits out, as this process knows. */
  used(): number {
    return this.throttle.snapshot({ token: 'a' }).token?.used ?? NaN;
  }

  /** Ends in good order. */
  async close(): Promise<void> {
    await this.throttle.close();
    this.redis.disconnect();
  }
}

/** Resolves when it is so; fails when it is not so in time. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  withinMs = 10_000,
): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`Waited ${withinMs} ms in vain: ${what}`);
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
