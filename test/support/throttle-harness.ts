import type { Permit, PermitRequest } from '../../src/throttle/permit.ts';
import type { Throttle } from '../../src/throttle/throttle.ts';
import { createThrottle } from '../../src/throttle/create-throttle.ts';
import { acquirePermit } from './permit-request.ts';
import { VirtualTime } from './virtual-time.ts';
import type { ThrottleOptions } from '../../src/throttle/limits.ts';

/** A call as a test sees it. */
export interface TestCall {
  permit: Permit | undefined;
  /** When it went. */
  sentAt: number | undefined;
  /** Whether it went in the same tick. */
  readonly isImmediate: boolean;
  /** Leaves the line, as a call does that was aborted. */
  leave(): void;
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
    const answer = acquirePermit(this.throttle, overrides);
    const call: TestCall = {
      permit: undefined,
      sentAt: undefined,
      isImmediate: !(answer instanceof Promise),
      leave: () => {
        if (answer instanceof Promise) answer.leave();
      },
    };
    const go = (permit: Permit) => {
      call.permit = permit;
      call.sentAt = this.time.now();
      this.sent.push(name);
    };
    if (answer instanceof Promise) void answer.then(go);
    else go(answer);
    return call;
  }

  /** Takes `count` permits and answers them now, so that they come back in one window. */
  use(count: number, overrides: Partial<PermitRequest> = {}): void {
    for (let taken = 0; taken < count; taken += 1) this.call('filler', overrides).permit?.end('answered');
    this.sent.length = 0;
  }
}
