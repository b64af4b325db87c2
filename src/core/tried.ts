/** What a function returns, or `otherwise` when it throws: a caller's value may have getters that do. */
export function tried<T>(run: () => T, otherwise: T): T {
  try {
    return run();
  } catch {
    return otherwise;
  }
}
