import { didYouMean } from '../../kit/did-you-mean.ts';
import { fieldsOf, type TriggerType } from './sample-events.ts';

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

/** The problem of a name that no event of this kind has as a field; undefined for a field. */
export function unknownField(type: TriggerType, path: string): string | undefined {
  const [name = ''] = path.split('.');
  const known = fieldsOf(type);
  if (known.includes(name)) return undefined;
  const meant = didYouMean(name, known);
  return `${type} has no field "${name}"${meant === '' ? '. Its fields are' : `${meant} Its fields are`} ${known.join(', ')}. For another field, post your own body`;
}
