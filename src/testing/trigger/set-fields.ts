const UNSAFE = /^(?:__proto__|constructor|prototype)$/;

/**
 * Returns a copy of an event with changed fields. A name such as `custom_variables.order` is a nested field.
 *
 * @throws `RangeError` for a name with an empty or reserved part
 */
export function withFields(
  event: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const changed: Record<string, unknown> = { ...event };
  for (const [path, value] of Object.entries(fields)) {
    const names = path.split('.');
    if (names.some((name) => name === '' || UNSAFE.test(name)))
      throw new RangeError(`options.set must name fields such as custom_variables.order, not "${path}"`);
    const last = names.pop() ?? '';
    let inside = changed;
    for (const name of names) {
      const before = inside[name];
      const copy = { ...(typeof before === 'object' ? before : {}) } as Record<string, unknown>;
      inside[name] = copy;
      inside = copy;
    }
    inside[last] = value;
  }
  return changed;
}
