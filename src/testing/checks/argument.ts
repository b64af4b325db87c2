import { problemIn, type Kind } from './kind.ts';

/**
 * Throws if an argument is not of its kind.
 *
 * @param name - the argument as the caller writes it, such as `options.limits.token`.
 * @throws `TypeError` for a wrong type or an unknown name, `RangeError` for a wrong value.
 */
export function check(kind: Kind, value: unknown, name: string): void {
  const problem = problemIn(kind, value, name);
  if (problem === undefined) return;
  throw problem.about === 'type' ? new TypeError(problem.message) : new RangeError(problem.message);
}
