import type { Permit, PermitRequest } from '../../src/throttle/permit.ts';
import type { Throttle } from '../../src/throttle/throttle.ts';

/** A call for a permit; the token is `a` unless told otherwise. */
export function permitRequest(overrides: Partial<PermitRequest> = {}): PermitRequest {
  return { key: { token: 'a' }, priority: 'normal', isRetry: false, timeoutMs: 30_000, ...overrides };
}

/** A promise of a permit that waits in the queue, and how to leave that. */
export type QueuedPermit = Promise<Permit> & { leave(): void };

/** Asks for a permit: the permit, when it is there at once; else a promise of it, which can leave the queue. */
export function acquirePermit(
  throttle: Throttle,
  overrides: Partial<PermitRequest> = {},
): Permit | QueuedPermit {
  const permit = throttle.acquire(permitRequest(overrides));
  if (permit.state !== 'waiting') return permit;
  const granted = new Promise<undefined>((resolve, reject) => {
    permit.waiter = { resolve, reject };
  });
  const leave = () => {
    if (permit.state === 'waiting') permit.end('neverSent');
  };
  return Object.assign(
    granted.then(() => permit),
    { leave },
  );
}
