/**
 * Creates a value at its first use and keeps it, so that an import creates no table, and a program only the tables it
 * uses.
 */
// @__NO_SIDE_EFFECTS__
export function late<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
