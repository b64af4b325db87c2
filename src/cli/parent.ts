const EVERY_MS = 500;

/**
 * Resolves when the process that started this one is gone: then this one has another parent. Looking does not keep the
 * process running.
 */
export function parentGone(
  parent: () => number,
  every = (look: () => void): (() => void) => {
    const timer = setInterval(look, EVERY_MS).unref();
    return () => clearInterval(timer);
  },
): Promise<void> {
  const first = parent();
  return new Promise((resolve) => {
    const stop = every(() => {
      if (parent() === first) return;
      stop();
      resolve();
    });
  });
}
