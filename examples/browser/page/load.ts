import { useEffect, useState } from 'preact/hooks';

/** After so long without an answer, the visitor is told that it is under way. */
const SLOW_MS = 400;

/** Something that is being loaded, was loaded, or could not be. */
export interface Load<T> {
  /** What was loaded last; it stays while something newer is loaded. */
  readonly data: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly isSlow: boolean;
  readonly reload: () => void;
}

/** Loads something whenever one of `inputs` changes; what is not needed any more is aborted. */
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
