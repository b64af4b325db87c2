import { AsyncLocalStorage } from 'node:async_hooks';
import { vi } from 'vitest';

/**
 * Runs a test with the number of pending timers that its own calls set. Test files share a process: what an earlier
 * file left open may set timers at any time, and `vi.getTimerCount()` counts those too.
 */
export async function withOwnTimers(run: (pending: () => number) => Promise<void>): Promise<void> {
  const isOwn = new AsyncLocalStorage<true>();
  const pending = new Set<unknown>();
  const { setTimeout, clearTimeout } = globalThis;
  const setting = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    callback: (...args: unknown[]) => void,
    ...rest: [number?, ...unknown[]]
  ) => {
    const inContext = AsyncLocalStorage.bind(callback);
    const timer = setTimeout(
      (...args: unknown[]) => {
        pending.delete(timer);
        inContext(...args);
      },
      ...rest,
    );
    if (isOwn.getStore()) pending.add(timer);
    return timer;
  }) as typeof setTimeout);
  const clearing = vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    pending.delete(timer);
    clearTimeout(timer);
  });
  try {
    await isOwn.run(true, () => run(() => pending.size));
  } finally {
    setting.mockRestore();
    clearing.mockRestore();
  }
}
