/** A function that calculates its result at the first call. */
export function once<Result>(work: () => Result): () => Result {
  let result: { readonly value: Result } | undefined;
  return () => (result ??= { value: work() }).value;
}
