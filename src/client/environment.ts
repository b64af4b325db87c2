/** Options that an environment variable may supply. */
import { environmentVariable } from '../core/platform.ts';
import { VARIABLES } from '../core/variables.ts';

/** The value of an option, and what to call it in messages: the option or the environment variable it came from. */
export function read<T>(
  option: keyof typeof VARIABLES,
  value: T | undefined,
): { value: T | string | undefined; label: string } {
  if (value !== undefined) return { value, label: option };
  return { value: environmentVariable(VARIABLES[option]), label: VARIABLES[option] };
}
