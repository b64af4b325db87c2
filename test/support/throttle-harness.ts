import type { Permit, PermitRequest } from '../../src/throttle/permit.ts';
import type { Throttle } from '../../src/throttle/throttle.ts';
import { createThrottle } from '../../src/throttle/create-throttle.ts';
import { acquirePermit } from './permit-request.ts';
import { VirtualTime } from './virtual-time.ts';
import type { ThrottleOptions } from '../../src/throttle/limits.ts';

/** A call as a test sees it. */
export interface TestCall {
  permit: Permit | undefined;
  /** When it was sent. */
  sentAt: number | undefined;
  /** Whether it was sent in the same tick. */
  readonly isImmediate: boolean;
  /** Leaves the queue, like an aborted call. */
  leave(): void;
}

/** A throttle in virtual time, and calls that record the order in which they are sent. */
export class ThrottleHarness {
  readonly time = new VirtualTime();
  readonly throttle: Throttle;
  /** Names of the calls that were sent, in order. */
  readonly sent: string[] = [];

  constructor(options: ThrottleOptions = {}, wallStart = 0) {
    const wallNow = () => wallStart + this.time.now();
    this.throttle = createThrottle(options, { now: this.time.now, setTimer: this.time.setTimer, wallNow });
  }

  /** Requests a permit. */
  call(name: string, overrides: Partial<PermitRequest> = {}): TestCall {
    const acquired = acquirePermit(this.throttle, overrides);
    const call: TestCall = {
      permit: undefined,
      sentAt: undefined,
      isImmediate: !(acquired instanceof Promise),
      leave: () => {
        if (acquired instanceof Promise) acquired.leave();
      },
    };
    const go = (permit: Permit) => {
      call.permit = permit;
      call.sentAt = this.time.now();
      this.sent.push(name);
    };
    if (acquired instanceof Promise) void acquired.then(go);
    else go(acquired);
    return call;
  }

  /** Takes `count` permits whose responses arrive now, so that they are returned in one window. */
  use(count: number, overrides: Partial<PermitRequest> = {}): void {
    for (let taken = 0; taken < count; taken += 1) this.call('filler', overrides).permit?.end('answered');
    this.sent.length = 0;
  }
}
