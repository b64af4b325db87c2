/** Options that an environment variable may supply. */
import { environmentVariable } from '../core/platform.ts';
import { VARIABLES } from '../core/variables.ts';

/** The value of an option, and its source for messages: the option or its environment variable. */
export function read<T>(
  option: keyof typeof VARIABLES,
  value: T | undefined,
): { value: T | string | undefined; label: string } {
  if (value !== undefined) return { value, label: option };
  return { value: environmentVariable(VARIABLES[option]), label: VARIABLES[option] };
}
