/** Makes a value at its first use, and keeps it: an import makes no table, and a program only the tables that it needs. */
// @__NO_SIDE_EFFECTS__
export function late<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
