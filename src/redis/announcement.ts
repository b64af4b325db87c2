import type { Permit, PermitRequest, PlaceInLine, ThrottleWait } from '../core/throttle.ts';

/** What is expected to take no longer than the way to Redis and back is not called waiting yet. */
const SOON_MS = 25;

/** Whoever waits for Redis for longer than this is told that it waits. */
const LATE_MS = 100;

/** Those who have not been told of a wait, because it did not look like one. */
export class LateAnnouncements {
  readonly #since = new Map<Announcement, number>();
  #timer: NodeJS.Timeout | undefined;

  add(announcement: Announcement): void {
    this.#since.set(announcement, performance.now());
    this.#timer ??= setTimeout(this.#tell, LATE_MS).unref();
  }

  delete(announcement: Announcement): void {
    this.#since.delete(announcement);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#since.clear();
  }

  readonly #tell = (): void => {
    this.#timer = undefined;
    const before = performance.now() - LATE_MS + 1;
    for (const [announcement, since] of this.#since) {
      // Whoever came last was added last.
      if (since > before) break;
      this.#since.delete(announcement);
      announcement.late();
    }
    if (this.#since.size > 0) this.#timer = setTimeout(this.#tell, LATE_MS).unref();
  };
}

/** Who tells late what turned out to be a wait. */
export interface Announcer {
  /** Whether the call's pools are on this process's own share. */
  readonly isDegraded: () => boolean;
  /** The wait as it looks now. */
  readonly look: () => ThrottleWait | undefined;
  readonly late: LateAnnouncements;
}

/**
 * A request whose caller wants to know of waits. Every call asks Redis and waits for the answer, which is no wait to
 * speak of; but the room that was there when it came may be gone to another process, and then it is told a little later.
 */
export class Announcement implements PermitRequest, PlaceInLine {
  readonly key: PermitRequest['key'];
  readonly pool: PermitRequest['pool'];
  readonly priority: PermitRequest['priority'];
  readonly isRetry: boolean;
  readonly timeoutMs: number;
  readonly #request: PermitRequest;
  readonly #announcer: Announcer;
  #place: PlaceInLine | undefined;

  constructor(request: PermitRequest, announcer: Announcer) {
    this.key = request.key;
    this.pool = request.pool;
    this.priority = request.priority;
    this.isRetry = request.isRetry;
    this.timeoutMs = request.timeoutMs;
    this.#request = request;
    this.#announcer = announcer;
  }

  readonly onWait = (wait: ThrottleWait): void => {
    if (wait.expectedWaitMs > SOON_MS || this.#announcer.isDegraded()) this.#tell(wait);
    else this.#announcer.late.add(this);
  };

  granted(permit: Permit): void {
    this.#announcer.late.delete(this);
    this.#request.granted(permit);
  }

  /** Stands in line. */
  at(place: PlaceInLine): this {
    this.#place = place;
    return this;
  }

  leave(): void {
    this.#announcer.late.delete(this);
    this.#place?.leave();
  }

  /** It waits after all. */
  late(): void {
    const wait = this.#announcer.look();
    if (wait !== undefined) this.#tell(wait);
  }

  #tell(wait: ThrottleWait): void {
    this.#request.onWait?.(this.#announcer.isDegraded() ? { ...wait, degraded: true } : wait);
  }
}
