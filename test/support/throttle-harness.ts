import type { Permit, PermitRequest, Throttle } from '../../src/core/throttle.ts';
import { createThrottle, type ThrottleOptions } from '../../src/transport/throttle.ts';
import { permitRequest } from './permit-request.ts';
import { VirtualTime } from './virtual-time.ts';

/** A call as a test sees it. */
export interface TestCall {
  permit: Permit | undefined;
  /** When it went. */
  sentAt: number | undefined;
  /** Whether it went in the same tick. */
  readonly isImmediate: boolean;
  failure: unknown;
  /** Ends the call from outside. */
  end(reason: Error): void;
  /** Listeners for its end that are left. */
  listeners(): number;
}

/** A throttle in virtual time, and calls that note in which order they go. */
export class ThrottleHarness {
  readonly time = new VirtualTime();
  readonly throttle: Throttle;
  /** Names of the calls that went, in order. */
  readonly sent: string[] = [];

  constructor(options: ThrottleOptions = {}, wallStart = 0) {
    const wallNow = () => wallStart + this.time.now();
    this.throttle = createThrottle(options, { now: this.time.now, setTimer: this.time.setTimer, wallNow });
  }

  /** Asks for a permit. */
  call(name: string, overrides: Partial<PermitRequest> = {}): TestCall {
    const listeners = new Set<(reason: Error) => void>();
    const answer = this.throttle.acquire(
      permitRequest({
        onCallEnd(listener) {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
        ...overrides,
      }),
    );
    const call: TestCall = {
      permit: undefined,
      sentAt: undefined,
      isImmediate: !(answer instanceof Promise),
      failure: undefined,
      end: (reason) => {
        for (const listener of listeners) listener(reason);
      },
      listeners: () => listeners.size,
    };
    const go = (permit: Permit) => {
      call.permit = permit;
      call.sentAt = this.time.now();
      this.sent.push(name);
    };
    if (answer instanceof Promise) answer.then(go, (error: unknown) => (call.failure = error));
    else go(answer);
    return call;
  }

  /** Takes `count` permits and answers them now, so that they come back in one window. */
  use(count: number, overrides: Partial<PermitRequest> = {}): void {
    for (let taken = 0; taken < count; taken += 1) this.call('filler', overrides).permit?.answered({});
    this.sent.length = 0;
  }
}
