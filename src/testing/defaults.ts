/** Fills in what was left out. */
export function withDefaults<Fields extends object>(defaults: Fields, given: Partial<Fields> = {}): Fields {
  const defined = Object.entries<unknown>(given).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(defined) };
}
