import type { Permit, PermitRequest } from '../../src/throttle/permit.ts';
import type { Throttle } from '../../src/throttle/throttle.ts';

/** A request for a permit, by default with the token `a`. */
export function permitRequest(overrides: Partial<PermitRequest> = {}): PermitRequest {
  return { key: { token: 'a' }, priority: 'normal', isRetry: false, timeoutMs: 30_000, ...overrides };
}

/** A promise of a queued permit, with a method that leaves the queue. */
export type QueuedPermit = Promise<Permit> & { leave(): void };

/** Requests a permit. Returns it if it is granted at once, otherwise a promise of it. */
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
