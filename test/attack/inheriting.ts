/** Puts fields on `Object.prototype` for as long as something runs, as a careless package does for ever. */
export async function inheriting<T>(
  fields: Readonly<Record<string, unknown>>,
  run: () => Promise<T>,
): Promise<T> {
  for (const [name, value] of Object.entries(fields))
    Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true });
  try {
    return await run();
  } finally {
    for (const name of Object.keys(fields)) Reflect.deleteProperty(Object.prototype, name);
  }
}
