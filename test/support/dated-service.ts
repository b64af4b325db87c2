import { createThrottle } from '../../src/throttle/create-throttle.ts';
import type { RateLimit } from '../../src/core/limits.ts';
import type { Permit } from '../../src/throttle/permit.ts';
import type { Throttle } from '../../src/throttle/throttle.ts';
import type { ThrottleOptions } from '../../src/throttle/limits.ts';
import { acquirePermit } from './permit-request.ts';
import type { ServerWindow } from './server-windows.ts';
import { VirtualTime } from './virtual-time.ts';

/** A service in virtual time, whose responses have a `Date`, and may have counts. */
export interface DatedService {
  readonly limit: RateLimit;
  readonly window: ServerWindow;
  /** Its time at 0, in milliseconds since 1970. */
  readonly startsAt: number;
  /** Whether its responses have `x-ratelimit-remaining`. */
  readonly hasCounts: boolean;
  /** How far the clock of `Date` is ahead of the clock that counts, at this time. */
  readonly dateAhead?: (now: number) => number;
  /** How far its own clock has been set forward by this time. */
  readonly setForward?: (now: number) => number;
  /** Milliseconds from request to response, and the part of them after which the request is counted. */
  readonly roundTrip: () => readonly [ms: number, counted: number];
  readonly windows?: ThrottleOptions['windows'];
}

/** The requests of a run. */
export interface SentToService {
  /** When they left. */
  readonly sentAt: number[];
  /** When those that were refused left, and when the refusals arrived. */
  readonly refused: { readonly sentAt: number; readonly arrivedAt: number }[];
}

/** A throttle whose requests go to a dated service. */
export class DatedThrottle implements SentToService {
  readonly time = new VirtualTime();
  readonly throttle: Throttle;
  readonly sentAt: number[] = [];
  readonly refused: { readonly sentAt: number; readonly arrivedAt: number }[] = [];
  readonly #service: DatedService;

  constructor(service: DatedService) {
    const { limit, windows = 'aligned' } = service;
    const wallNow = () => this.time.now();
    const runtime = { now: this.time.now, setTimer: this.time.setTimer, wallNow };
    this.throttle = createThrottle({ limits: { token: limit }, windows }, runtime);
    this.#service = service;
  }

  /** What the snapshot says of the windows. */
  get windows(): unknown {
    return this.throttle.snapshot({ token: 'a' }).token?.windows;
  }

  /** Makes a call; resolves when its request has left. */
  async call(): Promise<void> {
    this.#send(await acquirePermit(this.throttle));
  }

  /** Always has calls that wait. */
  saturate(): void {
    for (let waiting = 0; waiting < 3; waiting += 1) this.#ask();
  }

  /** Lets time pass. */
  async until(end: number): Promise<void> {
    for (;;) {
      for (let turn = 0; turn < 3; turn += 1) await Promise.resolve();
      if (this.time.nextAt === Infinity) await new Promise(setImmediate);
      if (this.time.nextAt > end) break;
      this.time.fireNext();
    }
    this.time.stall(end - this.time.now());
  }

  #ask(): void {
    for (;;) {
      const permit = acquirePermit(this.throttle);
      if (permit instanceof Promise) {
        void permit.then((granted) => {
          this.#send(granted);
          this.#ask();
        });
        return;
      }
      this.#send(permit);
    }
  }

  #send(permit: Permit): void {
    const { time, throttle, refused } = this;
    const { window, startsAt, hasCounts, limit, roundTrip, dateAhead, setForward } = this.#service;
    const [ms, part] = roundTrip();
    const sentAt = time.now();
    this.sentAt.push(sentAt);
    time.setTimer(ms * part, () => {
      const now = startsAt + time.now() + (setForward?.(time.now()) ?? 0);
      const isAccepted = window.admit(now);
      const remaining = window.remaining(now);
      const date = Math.floor((now + (dateAhead?.(time.now()) ?? 0)) / 1000) * 1000;
      time.setTimer(ms * (1 - part), () => {
        if (!isAccepted) {
          refused.push({ sentAt, arrivedAt: time.now() });
          throttle.block({ token: 'a' }, 'token', Math.max(250, window.resetAt(now) - now));
        }
        permit.end('answered', { date, ...(hasCounts && { limit: limit.requests, remaining }) });
      });
    });
  }
}
