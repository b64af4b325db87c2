/** Options that an environment variable may supply. */
import { environmentVariable } from '../core/platform.ts';
import { refuse } from '../core/rules.ts';
import { aloneRule, setRule } from '../core/setting-text.ts';
import { VARIABLES } from '../core/variables.ts';

/** The value of an option, and its source for messages: the option or its environment variable. */
export function read<T>(
  option: keyof typeof VARIABLES,
  value: T | undefined,
): { value: T | string | undefined; label: string } {
  const setting =
    value === undefined
      ? { value: environmentVariable(VARIABLES[option]), label: VARIABLES[option] }
      : { value, label: option };
  // A name may have any character. The token has more rules, with its own messages.
  const rule = option === 'defaults.from' ? setRule : aloneRule;
  if (typeof setting.value === 'string' && option !== 'token')
    refuse(option, rule(setting.value), setting.label);
  return setting;
}

/** An environment variable that is no option's own; an empty one counts as unset. */
export function readVariable(name: string, option: string): string | undefined {
  const value = environmentVariable(name);
  if (value !== undefined) refuse(option, aloneRule(value), name);
  return value;
}
