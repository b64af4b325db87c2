import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Runs a test with the number of pending timers that its own calls set. Test files share a process: what an earlier
 * file left open may set timers at any time, and `vi.getTimerCount()` counts those too. Does without `vi.spyOn`: each
 * later `vi.restoreAllMocks()` would bring back the fake timers that a spy replaced.
 */
export async function withOwnTimers(run: (pending: () => number) => Promise<void>): Promise<void> {
  const isOwn = new AsyncLocalStorage<true>();
  const pending = new Set<unknown>();
  const before = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  const setTimeout = (callback: (...args: unknown[]) => void, ...rest: [number?, ...unknown[]]) => {
    const inContext = AsyncLocalStorage.bind(callback);
    const timer = before.setTimeout(
      (...args: unknown[]) => {
        pending.delete(timer);
        inContext(...args);
      },
      ...rest,
    );
    if (isOwn.getStore()) pending.add(timer);
    return timer;
  };
  const clearTimeout: typeof before.clearTimeout = (timer) => {
    pending.delete(timer);
    before.clearTimeout(timer);
  };
  Object.assign(globalThis, { setTimeout, clearTimeout });
  try {
    await isOwn.run(true, () => run(() => pending.size));
  } finally {
    Object.assign(globalThis, before);
  }
}
