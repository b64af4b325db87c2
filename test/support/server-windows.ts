/** How a service limits requests. */
export interface ServerWindow {
  /** A request arrives; true if it is accepted. */
  admit(now: number): boolean;
  /** Requests that would be accepted now. */
  remaining(now: number): number;
  /** When a refused request may be sent again. */
  resetAt(now: number): number;
}

/** Windows of `perMs` one after the other, the first beginning at `offset`. Refused requests count too. */
export function fixedWindow(requests: number, perMs: number, offset = 0): ServerWindow {
  let window = -Infinity;
  let count = 0;
  function turn(now: number): void {
    const current = Math.floor((now - offset) / perMs);
    if (current !== window) count = 0;
    window = current;
  }
  return {
    admit(now) {
      turn(now);
      count += 1;
      return count <= requests;
    },
    remaining(now) {
      turn(now);
      return Math.max(0, requests - count);
    },
    resetAt: (now) => (Math.floor((now - offset) / perMs) + 1) * perMs + offset,
  };
}

/** A window that begins with the first request after the last one ended. */
export function startedWindow(requests: number, perMs: number): ServerWindow {
  let start = -Infinity;
  let count = 0;
  return {
    admit(now) {
      if (now >= start + perMs) {
        start = now;
        count = 0;
      }
      count += 1;
      return count <= requests;
    },
    remaining: (now) => (now >= start + perMs ? requests : Math.max(0, requests - count)),
    resetAt: (now) => Math.max(now, start + perMs),
  };
}

/** At most `requests` accepted in any period of `perMs`; the reset is when there is room for one again. */
export function slidingWindow(requests: number, perMs: number): ServerWindow {
  const last = new Array<number>(requests).fill(-Infinity);
  let next = 0;
  return {
    admit(now) {
      if ((last[next] ?? 0) + perMs > now) return false;
      last[next] = now;
      next = (next + 1) % requests;
      return true;
    },
    remaining: (now) => last.filter((at) => at + perMs <= now).length,
    resetAt: () => (last[next] ?? 0) + perMs,
  };
}

/** A common approximation of a sliding window: this window's count, and the last one's in proportion to its overlap. */
export function weightedWindow(requests: number, perMs: number): ServerWindow {
  let window = -Infinity;
  let count = 0;
  let before = 0;
  function weight(now: number): number {
    const current = Math.floor(now / perMs);
    if (current !== window) {
      before = current === window + 1 ? count : 0;
      window = current;
      count = 0;
    }
    return count + before * (1 - (now / perMs - current));
  }
  return {
    admit(now) {
      if (weight(now) >= requests) return false;
      count += 1;
      return true;
    },
    remaining: (now) => Math.max(0, Math.floor(requests - weight(now))),
    resetAt: (now) => (Math.floor(now / perMs) + 1) * perMs,
  };
}

/** A bucket that holds `burst` and leaks at the published rate. */
export function leakyBucket(requests: number, perMs: number, burst: number): ServerWindow {
  let level = 0;
  let at = 0;
  function leak(now: number): void {
    level = Math.max(0, level - ((now - at) * requests) / perMs);
    at = now;
  }
  return {
    admit(now) {
      leak(now);
      if (level + 1 > burst) return false;
      level += 1;
      return true;
    },
    remaining(now) {
      leak(now);
      return Math.floor(burst - level);
    },
    resetAt(now) {
      leak(now);
      return now + (Math.max(0, level + 1 - burst) * perMs) / requests;
    },
  };
}
