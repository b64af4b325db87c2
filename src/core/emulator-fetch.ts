/** Tells the emulator's `fetch` in memory: it has a counter of the resets of its service. */
const EPOCH = Symbol.for('email-platform.epoch');

/** Reads the counter of an emulator's `fetch`; undefined for any other. */
export function epochOf(fetch: unknown): (() => unknown) | undefined {
  const epoch = (Object(fetch) as { readonly [EPOCH]?: unknown })[EPOCH];
  return typeof epoch === 'function' ? (epoch as () => unknown) : undefined;
}

/** Whether a `fetch` has no sockets. */
export const isInMemory = (fetch: unknown): boolean => epochOf(fetch) !== undefined;
