/** A function that listens, with everybody it tells. */
type Listener = (() => void) & { readonly [LISTENERS]?: Set<() => void> };

const LISTENERS = Symbol.for('email-platform.redis.beforeExit');

/**
 * Calls `tell` when the process comes to its end by itself. Returns how not to. One listener serves all throttles of a
 * process, for of more than ten Node warns; it carries them itself, and goes with the last of them.
 */
export function beforeExit(tell: () => void): () => void {
  const all = [...process.listeners('beforeExit')].map(toldBy).find((each) => each !== undefined) ?? listen();
  all.add(tell);
  return () => {
    all.delete(tell);
    if (all.size > 0) return;
    for (const listener of process.listeners('beforeExit')) {
      if (toldBy(listener) === all) process.off('beforeExit', listener);
    }
  };
}

function listen(): Set<() => void> {
  const all = new Set<() => void>();
  const tellAll: Listener = Object.assign(() => [...all].forEach((tell) => tell()), { [LISTENERS]: all });
  process.on('beforeExit', tellAll);
  return all;
}

function toldBy(listener: object): Set<() => void> | undefined {
  return (listener as Listener)[LISTENERS];
}
