/** Listens to callers' signals, which may outlive thousands of calls. */
import { readFrom, tried, ignoringFailure } from './tried.ts';

/** Takes work that can wait: see {@link abortWatcher}. */
export type InTurn = (work: () => void) => void;

type Aborted = (reason: unknown, inTurn: InTurn) => void;

/** Calls back when the signal is aborted, or at once if it already is. The returned function stops the watch. */
export type OnAbort = (signal: AbortSignal | undefined, aborted: Aborted) => () => void;

/** Calls back later, when the event loop has done other work. */
type Later = (callback: () => void) => void;

interface Watch extends EventListenerObject {
  readonly callbacks: Set<Aborted>;
}

/** Each takes about 50 microseconds. */
const PORTION = 200;

const stopListening = (signal: AbortSignal, watch: Watch) =>
  tried(() => signal.removeEventListener('abort', watch));

function inPortions(work: (() => void)[], later: Later): void {
  for (const run of work.splice(0, PORTION)) run();
  if (work.length > 0) later(() => inPortions(work, later));
}

/** Calls all callbacks once and drops them: a signal is aborted only once. */
function watchOf(signal: AbortSignal, reason: () => unknown, later: Later): Watch {
  const callbacks: Watch['callbacks'] = new Set();
  const watch: Watch = {
    callbacks,
    handleEvent: () => {
      const called = [...callbacks];
      callbacks.clear();
      stopListening(signal, watch);
      const work: (() => void)[] = [];
      for (const callback of called) callback(reason(), (each) => work.push(each));
      inPortions(work, later);
    },
  };
  return watch;
}

/**
 * Creates a function that watches signals, with one listener per signal for all its calls. With a listener per call,
 * Node would warn of a leak after the tenth. The end of a call removes its callback. A signal may be any object with
 * the same shape: an error that it throws must not prevent the end of a call.
 *
 * Thousands of calls may be queued with one signal. They leave the queue at once, but their promises reject in portions,
 * so that the process can do other work meanwhile.
 */
export function abortWatcher(later: Later): OnAbort {
  const watched = new WeakMap<AbortSignal, Watch>();
  return (signal, aborted) => {
    if (!signal) return () => undefined;
    const reason = () => readFrom(signal, 'reason');
    const watch = watched.get(signal) ?? watchOf(signal, reason, later);
    watched.set(signal, watch);
    const { callbacks } = watch;
    if (signal.aborted) aborted(reason(), (work) => work());
    else {
      if (callbacks.size === 0) signal.addEventListener('abort', watch);
      callbacks.add(aborted);
    }
    return () => {
      if (callbacks.delete(aborted) && callbacks.size === 0) stopListening(signal, watch);
    };
  };
}

/**
 * Waits for a promise until the signal is aborted: then throws its reason and calls `cancel`, because the operation may
 * not end by itself.
 */
export const unlessAborted = <T>(
  signal: AbortSignal,
  promise: Promise<T>,
  cancel: (reason: unknown) => unknown,
): Promise<T> =>
  new Promise((resolve, reject) => {
    const onAbort = () => {
      ignoringFailure(() => cancel(signal.reason));
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', onAbort);
    const stop = () => signal.removeEventListener('abort', onAbort);
    promise.then(resolve, reject).finally(stop);
  });
