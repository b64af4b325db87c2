import type { PermitRequest } from '../../src/core/throttle.ts';

/** A call for a permit that is never ended from outside; the token is `a` unless told otherwise. */
export function permitRequest(overrides: Partial<PermitRequest> = {}): PermitRequest {
  return {
    key: { token: 'a' },
    priority: 'normal',
    isRetry: false,
    timeoutMs: 30_000,
    onCallEnd: () => () => undefined,
    ...overrides,
  };
}
