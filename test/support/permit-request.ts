import {
  isPermit,
  type Permit,
  type PermitRequest,
  type PlaceInLine,
  type Throttle,
} from '../../src/core/throttle.ts';

/** A call for a permit; the token is `a` unless told otherwise. */
export function permitRequest(overrides: Partial<PermitRequest> = {}): PermitRequest {
  return {
    key: { token: 'a' },
    priority: 'normal',
    isRetry: false,
    timeoutMs: 30_000,
    granted: () => undefined,
    ...overrides,
  };
}

/** Asks for a permit: the permit, when it is there at once; else a promise of it, which can leave the line. */
export function acquirePermit(
  throttle: Throttle,
  overrides: Partial<PermitRequest> = {},
): Permit | (Promise<Permit> & PlaceInLine) {
  let grant!: (permit: Permit) => void;
  const later = new Promise<Permit>((resolve) => {
    grant = resolve;
  });
  const answer = throttle.acquire(permitRequest({ ...overrides, granted: (permit) => grant(permit) }));
  return isPermit(answer) ? answer : Object.assign(later, { leave: () => answer.leave() });
}
