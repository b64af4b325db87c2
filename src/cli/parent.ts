const EVERY_MS = 500;

/**
 * Resolves when the parent process has ended, because this process then has another parent. The timer does not keep
 * the process alive.
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
