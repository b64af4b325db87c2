import { useEffect, useState } from 'preact/hooks';

/** The delay before the page shows that a request is under way, in milliseconds. */
const SLOW_MS = 400;

/** The state of a load: in progress, loaded, or failed. */
export interface Load<T> {
  /** The last loaded data. It stays while newer data is loading. */
  readonly data: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly isSlow: boolean;
  readonly reload: () => void;
}

/** Loads data whenever one of `inputs` changes. Aborts a load that is no longer needed. */
export function useLoad<T>(
  load: (signal: AbortSignal) => PromiseLike<T>,
  inputs: readonly unknown[],
): Load<T> {
  const [state, setState] = useState<Omit<Load<T>, 'reload'>>({
    data: undefined,
    error: undefined,
    isLoading: true,
    isSlow: false,
  });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const gone = new AbortController();
    setState(({ data }) => ({ data, error: undefined, isLoading: true, isSlow: false }));
    const slow = setTimeout(() => setState((before) => ({ ...before, isSlow: true })), SLOW_MS);
    const end = (data: T | undefined, error: unknown) => {
      clearTimeout(slow);
      if (!gone.signal.aborted)
        setState((before) => ({ data: data ?? before.data, error, isLoading: false, isSlow: false }));
    };
    load(gone.signal).then(
      (data) => end(data, undefined),
      (error: unknown) => end(undefined, error),
    );
    return () => {
      clearTimeout(slow);
      gone.abort();
    };
  }, [...inputs, round]);
  return { ...state, reload: () => setRound(round + 1) };
}
