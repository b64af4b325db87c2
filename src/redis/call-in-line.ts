import type { Permit, PermitRequest, PlaceInLine, ThrottleWait } from '../core/throttle.ts';

/** What is expected to take no longer than the way to Redis and back is not called waiting yet. */
const SOON_MS = 25;

/** Whoever waits for Redis for longer than this is told that it waits. */
const LATE_MS = 100;

/** Those who have not been told of a wait, because it did not look like one. */
export class LateAnnouncements {
  readonly #since = new Map<CallInLine, number>();
  #timer: NodeJS.Timeout | undefined;

  add(call: CallInLine): void {
    this.#since.set(call, performance.now());
    this.#timer ??= setTimeout(this.#tell, LATE_MS).unref();
  }

  delete(call: CallInLine): void {
    this.#since.delete(call);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#since.clear();
  }

  readonly #tell = (): void => {
    this.#timer = undefined;
    const before = performance.now() - LATE_MS + 1;
    for (const [call, since] of this.#since) {
      // Whoever came last was added last.
      if (since > before) break;
      this.#since.delete(call);
      call.announceLate();
    }
    if (this.#since.size > 0) this.#timer = setTimeout(this.#tell, LATE_MS).unref();
  };
}

/** What a call in line needs from its throttle. */
export interface LineKeeper {
  /** Whose limits it counts against, as the throttle has it. */
  readonly key: PermitRequest['key'];
  /** Whether the call's pools are on this process's own share. */
  readonly isDegraded: () => boolean;
  /** The wait as it looks now. */
  readonly look: () => ThrottleWait | undefined;
  readonly late: LateAnnouncements;
  /** It waits no more. */
  readonly onEnd: (call: CallInLine) => void;
}

/**
 * A call that asks for a permit. Every call asks Redis and waits for the answer, which is no wait to speak of, and so
 * is not announced; but the room that was there when it came may be gone to another process, and then it is announced a
 * little later.
 */
export class CallInLine implements PermitRequest, PlaceInLine {
  readonly key: PermitRequest['key'];
  readonly pool: PermitRequest['pool'];
  readonly priority: PermitRequest['priority'];
  readonly isRetry: boolean;
  readonly timeoutMs: number;
  readonly onWait: PermitRequest['onWait'];
  readonly #request: PermitRequest;
  readonly #keeper: LineKeeper;
  #place: PlaceInLine | undefined;

  constructor(request: PermitRequest, keeper: LineKeeper) {
    this.key = keeper.key;
    this.pool = request.pool;
    this.priority = request.priority;
    this.isRetry = request.isRetry;
    this.timeoutMs = request.timeoutMs;
    this.#request = request;
    this.#keeper = keeper;
    this.onWait = request.onWait && ((wait) => this.#announce(wait));
  }

  granted(permit: Permit): void {
    this.#end();
    this.#request.granted(permit);
  }

  refused(error: Error): void {
    this.leave();
    this.#request.refused?.(error);
  }

  /** Stands in line. */
  at(place: PlaceInLine): this {
    this.#place = place;
    return this;
  }

  leave(): void {
    this.#end();
    this.#place?.leave();
  }

  /** It waits after all. */
  announceLate(): void {
    const wait = this.#keeper.look();
    if (wait !== undefined) this.#tell(wait);
  }

  #announce(wait: ThrottleWait): void {
    if (wait.expectedWaitMs > SOON_MS || this.#keeper.isDegraded()) this.#tell(wait);
    else this.#keeper.late.add(this);
  }

  #tell(wait: ThrottleWait): void {
    this.#request.onWait?.(this.#keeper.isDegraded() ? { ...wait, degraded: true } : wait);
  }

  #end(): void {
    this.#keeper.late.delete(this);
    this.#keeper.onEnd(this);
  }
}
